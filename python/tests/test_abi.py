# SPDX-License-Identifier: Apache-2.0
"""The structs, callbacks and prototypes of the package are those of the C header."""

from __future__ import annotations

import ctypes
import os
import sys
import unittest
from typing import Any

from kdiag import _abi

sys.path.append(os.path.join(os.environ["KDIAG_EXAMPLES"], os.pardir, "tests", "abi"))
from c_header import Header  # noqa: E402

HEADER = Header()


def kind_of(of: Any) -> str:
    """What ctypes makes of a type, in the words of the header."""
    if of is None:
        return "void"
    if issubclass(of, ctypes.Structure):
        return f"kdiag_{of.__name__.lower()}"
    if of in (ctypes.c_char_p, ctypes.c_void_p) or issubclass(of, (ctypes._Pointer, ctypes._CFuncPtr)):
        return "pointer"
    code = of._type_
    signed = "real" if code in "fd" else "signed" if code in "bhilqc" else "unsigned"
    return f"{signed} {ctypes.sizeof(of)}"


class Abi(unittest.TestCase):
    def test_the_header_is_understood(self) -> None:
        self.assertGreater(len(HEADER.structs), 15)
        self.assertGreater(len(HEADER.functions), 90)
        self.assertIn("kdiag_diagnostic", HEADER.structs)

    def test_structs_have_the_members_of_the_header(self) -> None:
        seen = 0
        for name, members in HEADER.structs.items():
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
        for name, (result, arguments) in HEADER.functions.items():
            function = getattr(_abi.lib, name)
            if function.argtypes is None:
                continue  # the package does without it
            with self.subTest(function=name):
                self.assertEqual([kind_of(of) for of in function.argtypes], arguments)
                self.assertEqual(kind_of(function.restype), result)


if __name__ == "__main__":
    unittest.main()
