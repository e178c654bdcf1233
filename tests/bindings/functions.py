# SPDX-License-Identifier: Apache-2.0
"""Functions of C in the bindings: Rust declares them as kdiag.h does, and docs/embedding.md tells which are left out."""

from __future__ import annotations

import fnmatch
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests" / "abi"))
from c_header import Header  # noqa: E402

HEADER = Header()
SYS = re.sub(r"//[^\n]*", "", (ROOT / "bindings" / "rust" / "src" / "sys.rs").read_text(encoding="utf-8"))
KINDS = {
    "c_int": "signed 4", "c_uint": "unsigned 4", "kdiag_status": "signed 4", "i64": "signed 8", "u32": "unsigned 4",
    "u64": "unsigned 8", "usize": "unsigned 8", "f64": "real 8", "kdiag_string": "kdiag_string", "kdiag_row": "kdiag_row",
}

FUNCTIONS = re.findall(r"pub fn (kdiag_\w+)\((.*?)\)(?: -> ([^;]+))?;", SYS, flags=re.S)


def kind_of(rust_type: str) -> str:
    return "pointer" if rust_type.startswith(("*", "Option<kdiag_read")) else KINDS[rust_type]


def named(text: str) -> list[tuple[str, str]]:
    """Members or arguments with their kinds; `where` is a word of Rust."""
    return [(name.rstrip("_"), kind_of(of.strip())) for name, of in re.findall(r"(\w+): ([^,{}]+)", text)]


class Functions(unittest.TestCase):
    def test_structs(self) -> None:
        structs = re.findall(r"pub struct (kdiag_\w+) \{(.*?)\}", SYS, flags=re.S)
        self.assertGreater(len(structs), 8)
        for name, body in structs:
            with self.subTest(struct=name):
                members, known = named(body), HEADER.structs[name]
                if members[0][0] == "size":  # which says where the struct ends
                    known = known[: len(members)]
                self.assertEqual(members, known)

    def test_functions(self) -> None:
        self.assertGreater(len(FUNCTIONS), 40)
        for name, arguments, result in FUNCTIONS:
            with self.subTest(function=name):
                ours = (kind_of(result) if result else "void", [kind for _, kind in named(arguments)])
                self.assertEqual(ours, HEADER.functions[name])

    def test_constants(self) -> None:
        constants = re.findall(r"pub const (KDIAG_\w+): \w+ = (-?\d+);", SYS)
        self.assertGreater(len(constants), 15)
        for name, value in constants:
            self.assertEqual(int(value), HEADER.constants[name], name)

    def test_go_calls_no_others(self) -> None:
        files = (ROOT / "bindings" / "go").glob("*.go")
        called = {name for file in files for name in re.findall(r"\b(kdiag_\w+)\(", file.read_text(encoding="utf-8"))}
        self.assertGreater(len(called), 40)
        self.assertEqual((called & set(HEADER.functions)) - {name for name, _, _ in FUNCTIONS}, set())

    def test_what_is_left_out_is_told(self) -> None:
        page = (ROOT / "docs" / "embedding.md").read_text(encoding="utf-8")
        section = re.search(r"## What Go and Rust leave out\n(.*?)\n## ", page, flags=re.S).group(1)  # type: ignore[union-attr]
        told = [name for row in re.findall(r"^\|(.*?)\|", section, flags=re.M) for name in re.findall(r"`(.*?)`", row)]
        left_out = set(HEADER.functions) - {name for name, _, _ in FUNCTIONS}
        self.assertEqual([name for name in left_out if not any(fnmatch.fnmatch(name, one) for one in told)], [])
        self.assertEqual([one for one in told if not fnmatch.filter(left_out, one)], [])


if __name__ == "__main__":
    unittest.main()
