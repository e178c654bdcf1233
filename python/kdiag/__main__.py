# SPDX-License-Identifier: Apache-2.0
"""`python -m kdiag trace.json`: the command kdiag, as if it were called by its name.

It becomes the command that was installed with this package: that of the same wheel, or else the first one of PATH.
"""

from __future__ import annotations

import importlib.metadata
import os
import pathlib
import shutil
import signal
import sys
from typing import Iterator, NoReturn, Optional


def _installed() -> Iterator[pathlib.Path]:
    """Where the command of a wheel can be: where its list of files says, and below the folder of `pip install --target`."""
    try:
        files = importlib.metadata.files("kdiag") or ()
    except importlib.metadata.PackageNotFoundError:
        files = ()
    for file in files:
        if file.parts[-2:] == ("bin", "kdiag"):
            yield pathlib.Path(str(file.locate()))
    yield pathlib.Path(__file__).parent.parent / "bin" / "kdiag"


def _command() -> Optional[str]:
    return next((str(path) for path in _installed() if os.access(path, os.X_OK)), None) or shutil.which("kdiag")


def main() -> NoReturn:
    command = _command()
    if command is None:
        print("kdiag: the command kdiag is not installed: neither with this package nor in a folder of PATH", file=sys.stderr)
        sys.exit(127)  # as a shell says it: 1 would be a finding
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python; a command that writes to `head` ends of the first
        signal.signal(ignored, signal.SIG_DFL)
    os.execv(command, ["kdiag", *sys.argv[1:]])


if __name__ == "__main__":
    main()
