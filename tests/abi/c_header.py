# SPDX-License-Identifier: Apache-2.0
"""What include/kdiag/kdiag.h declares, by kinds that every language has: "signed 4", "real 8", "pointer", a struct's name."""

from __future__ import annotations

import pathlib
import re

_PATH = pathlib.Path(__file__).resolve().parents[2] / "include" / "kdiag" / "kdiag.h"

_KINDS = {
    "void": "void", "char": "signed 1", "int": "signed 4", "kdiag_status": "signed 4", "int32_t": "signed 4",
    "int64_t": "signed 8", "unsigned": "unsigned 4", "unsigned int": "unsigned 4", "uint32_t": "unsigned 4",
    "uint64_t": "unsigned 8", "size_t": "unsigned 8", "double": "real 8", "kdiag_string": "kdiag_string",
    "kdiag_row": "kdiag_row",
}


class Header:
    """structs: the names and kinds of their members. functions: the kinds of result and arguments. constants: of enums."""

    def __init__(self) -> None:
        text = _declarations()
        self._callbacks = set(re.findall(r"typedef [\w\s\*]+\(\*(\w+)\)\s*\(", text))
        self.structs = {
            name: self._members(body) for body, name in re.findall(r"typedef struct (?:\w+ )?\{ (.*?) \} (\w+);", text)
        }
        self.functions = {
            name: (self._kind(result), self._arguments(arguments))
            for result, name, arguments in re.findall(r"KDIAG_C_API ([\w\s]+?[\s\*]+)(kdiag_\w+)\(([^;]*?)\);", text)
        }
        self.constants = {name: int(value) for name, value in re.findall(r"\b(KDIAG_\w+) = (-?\d+)", text)}

    def _kind(self, c_type: str) -> str:
        c_type = re.sub(r"\b(const|struct)\b", " ", c_type)
        if "*" in c_type or c_type.strip() in self._callbacks:
            return "pointer"
        return _KINDS[c_type.strip()]

    def _arguments(self, arguments: str) -> list[str]:
        if arguments.strip() == "void":
            return []
        return [self._kind(re.sub(r"\w+(\[\])?$", "", argument.strip())) for argument in arguments.split(",")]

    def _members(self, body: str) -> list[tuple[str, str]]:
        out = []
        for declaration in filter(None, (part.strip() for part in body.split(";"))):
            function = re.fullmatch(r"(.*?)\(\*\s*(\w+)\)\s*\(.*\)", declaration)
            if function:
                out.append((function.group(2), "pointer"))
                continue
            first, *others = declaration.split(",")
            c_type, name = re.fullmatch(r"(.*?)(\w+)", first.strip()).groups()  # type: ignore[union-attr]
            out.append((name, self._kind(c_type)))
            for other in others:
                pointer = "*" if other.strip().startswith("*") else ""
                out.append((other.strip(" *"), self._kind(c_type.rstrip("* ") + pointer)))
        return out


def _declarations() -> str:
    """The header without comments and directives, its blanks made one."""
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", _PATH.read_text(encoding="utf-8"), flags=re.S)
    text = re.sub(r"^#[^\n]*(\\\n[^\n]*)*$", "", text, flags=re.M)
    return re.sub(r"\s+", " ", text)
