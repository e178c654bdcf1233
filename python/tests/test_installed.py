# SPDX-License-Identifier: Apache-2.0
"""What an installed package finds: the library, and the command that `python -m kdiag` becomes."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest


def python(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-B", *arguments], env={**os.environ, **environment}, capture_output=True, text=True)


class Installed(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_library_that_is_not_there_is_an_error_that_says_what_to_install(self) -> None:
        got = python("-c", "import kdiag", KDIAG_LIBRARY=str(self.folder / "none.so"))
        self.assertEqual(got.returncode, 1)
        self.assertRegex(got.stderr, r"ImportError: kdiag: .*none\.so cannot be loaded \(.*\): install a wheel of kdiag")

    def test_the_module_is_the_command_of_path(self) -> None:
        command = self.folder / "kdiag"
        command.write_text('#!/bin/sh\necho "$0 $*"\ngrep SigIgn /proc/self/status\nexit 5\n')
        command.chmod(0o755)
        got = python("-m", "kdiag", "a b", "--strict", PATH=f"{self.folder}:/usr/bin:/bin")
        name, ignored = got.stdout.splitlines()
        self.assertRegex(name, "kdiag a b --strict$")
        self.assertEqual(int(ignored.split()[1], 16), 0)  # a closed pipe ends it, as it does without Python
        self.assertEqual(got.returncode, 5)

    def test_without_a_command_the_module_says_so(self) -> None:
        got = python("-m", "kdiag", "trace.json", PATH=str(self.folder))
        self.assertEqual(got.returncode, 127)
        self.assertRegex(got.stderr, "^kdiag: the command kdiag is not installed")


if __name__ == "__main__":
    unittest.main()
