# SPDX-License-Identifier: Apache-2.0
"""The Python code of docs/embedding.md runs, and everything is documented: python3 test_docs.py, as test_kdiag.py."""

import contextlib
import inspect
import io
import os
import re
import shutil
import tempfile
import unittest

import kdiag

try:
    import numpy
except ImportError:
    numpy = None
try:
    import pandas
except ImportError:
    pandas = None

EXAMPLES = os.environ["KDIAG_EXAMPLES"]
PAGE = os.path.join(EXAMPLES, os.pardir, "docs", "embedding.md")


class Documents(unittest.TestCase):
    @unittest.skipIf(numpy is None, "without NumPy")
    def test_the_code_of_the_page_runs(self):
        with open(PAGE, encoding="utf-8") as file:
            code = "".join(re.findall(r"^```python\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL))
        self.assertIn("kdiag.Adapter", code)
        if pandas is None:
            code = re.sub(r"^.*to_pandas.*$", "", code, flags=re.MULTILINE)
        before, printed = os.getcwd(), io.StringIO()
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(os.path.join(EXAMPLES, "traces", "item_storm.json"), os.path.join(folder, "trace.json"))
            shutil.copy(os.path.join(EXAMPLES, "traces", "short.acme"), os.path.join(folder, "trace.acme"))
            shutil.copy(os.path.join(EXAMPLES, "rules", "loss_reads.yaml"), os.path.join(folder, "throttle.yaml"))
            os.chdir(folder)
            try:
                with contextlib.redirect_stdout(printed):
                    variables = {}
                    exec(compile(code, PAGE, "exec"), variables)
            finally:
                os.chdir(before)
        self.assertIn("host.sync-stall", printed.getvalue())
        self.assertEqual(variables["facts"].inputs[0]["adapter"], "acme")

    def test_everything_public_is_documented(self):
        of_fleets = {name: thing for name, thing in vars(kdiag.fleet).items()
                     if not name.startswith("_") and getattr(thing, "__module__", "") == "kdiag.fleet"}
        public = {**of_fleets, **{name: getattr(kdiag, name) for name in kdiag.__all__}}
        for name, thing in public.items():
            self.assertTrue(inspect.getdoc(thing), name)
            members = vars(thing).items() if inspect.isclass(thing) and thing.__module__.startswith("kdiag") else ()
            for member, value in members:
                if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)):
                    self.assertTrue(inspect.getdoc(value), f"{name}.{member}")


if __name__ == "__main__":
    unittest.main()
