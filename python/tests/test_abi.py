# SPDX-License-Identifier: Apache-2.0
"""The structs, callbacks and prototypes of the package are those of the C header."""

from __future__ import annotations

import ctypes
import os
import pathlib
import re
import unittest
from typing import Any

from kdiag import _abi

HEADER = pathlib.Path(os.environ["KDIAG_EXAMPLES"]).parent / "include" / "kdiag" / "kdiag.h"

SCALARS: dict[str, Any] = {
    "int": ctypes.c_int, "unsigned": ctypes.c_uint, "unsigned int": ctypes.c_uint, "kdiag_status": ctypes.c_int,
    "size_t": ctypes.c_size_t, "double": ctypes.c_double, "char": ctypes.c_char, "int64_t": ctypes.c_int64,
    "uint64_t": ctypes.c_uint64, "int32_t": ctypes.c_int32, "uint32_t": ctypes.c_uint32,
    "kdiag_string": _abi.String, "kdiag_row": _abi.Row,
}


def declarations() -> str:
    """The header without comments and directives, its blanks made one."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", HEADER.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"^#[^\n]*(\\\n[^\n]*)*$", "", text, flags=re.M)
    return re.sub(r"\s+", " ", text)


def bare(c_type: str) -> str:
    return re.sub(r"\s*\*\s*", "*", re.sub(r"\b(const|struct)\b", " ", c_type)).strip()


def describe(c_type: str, callbacks: set[str]) -> str:
    """What ctypes has to know of a C type: the size and kind of a scalar, a struct, or that it is a pointer."""
    c_type = bare(c_type)
    if "*" in c_type or c_type in callbacks:
        return "pointer"
    return kind_of(SCALARS[c_type]) if c_type != "void" else "void"


def kind_of(of: Any) -> str:
    if of is None:
        return "void"
    if issubclass(of, ctypes.Structure):
        return of.__name__
    if of in (ctypes.c_char_p, ctypes.c_void_p) or issubclass(of, (ctypes._Pointer, ctypes._CFuncPtr)):
        return "pointer"
    code = of._type_
    signed = "real" if code in "fd" else "signed" if code in "bhilqc" else "unsigned"
    return f"{signed} {ctypes.sizeof(of)}"


def members_of(body: str, callbacks: set[str]) -> list[tuple[str, str]]:
    out = []
    for declaration in filter(None, (part.strip() for part in body.split(";"))):
        function = re.fullmatch(r"(.*?)\(\*\s*(\w+)\)\s*\(.*\)", declaration)
        if function:
            out.append((function.group(2), "pointer"))
            continue
        first, *others = declaration.split(",")
        c_type, name = re.fullmatch(r"(.*?)(\w+)", first.strip()).groups()  # type: ignore[union-attr]
        out.append((name, describe(c_type, callbacks)))
        for other in others:
            pointer = "*" if other.strip().startswith("*") else ""
            out.append((other.strip(" *"), describe(c_type.rstrip("* ") + pointer, callbacks)))
    return out


class Abi(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        text = declarations()
        cls.callbacks = set(re.findall(r"typedef [\w\s\*]+\(\*(\w+)\)\s*\(", text))
        cls.structs = {
            name: members_of(body, cls.callbacks)
            for body, name in re.findall(r"typedef struct (?:\w+ )?\{ (.*?) \} (\w+);", text)
        }
        cls.functions = {
            name: (result, arguments)
            for result, name, arguments in re.findall(r"KDIAG_C_API ([\w\s]+?[\s\*]+)(kdiag_\w+)\(([^;]*?)\);", text)
        }

    def test_the_header_is_understood(self) -> None:
        self.assertGreater(len(self.structs), 15)
        self.assertGreater(len(self.functions), 90)
        self.assertIn("kdiag_diagnostic", self.structs)

    def test_structs_have_the_members_of_the_header(self) -> None:
        seen = 0
        for name, members in self.structs.items():
            pascal = "".join(part.capitalize() for part in name.removeprefix("kdiag_").split("_"))
            ours = getattr(_abi, pascal + "Struct", None) or getattr(_abi, pascal, None)
            if ours is None:
                continue  # the package does without it
            seen += 1
            with self.subTest(struct=name):
                fields = [(field, kind_of(of)) for field, of in ours._fields_]
                # A struct that says its size may lack the last members.
                known = members[: len(fields)] if issubclass(ours, _abi._Sized) else members
                self.assertEqual(fields, known)
        structs = [of for of in vars(_abi).values() if isinstance(of, type) and issubclass(of, ctypes.Structure)]
        private = [of for of in structs if of.__name__.startswith("_") or of is ctypes.Structure]
        self.assertEqual(seen, len(structs) - len(private), "a struct of the package has no name of the header")

    def test_functions_have_the_prototypes_of_the_header(self) -> None:
        for name, (result, arguments) in self.functions.items():
            function = getattr(_abi.lib, name)
            if function.argtypes is None:
                continue  # the package does without it
            with self.subTest(function=name):
                parts = [part.strip() for part in arguments.split(",")] if arguments.strip() != "void" else []
                expected = [
                    describe(re.fullmatch(r"(.*?)(\w+)(\[\])?", part).group(1), self.callbacks)  # type: ignore[union-attr]
                    for part in parts
                ]
                self.assertEqual([kind_of(of) for of in function.argtypes], expected)
                self.assertEqual(kind_of(function.restype), describe(result, self.callbacks))


if __name__ == "__main__":
    unittest.main()
