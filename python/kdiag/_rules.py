# SPDX-License-Identifier: Apache-2.0
"""Rules."""

from __future__ import annotations

import os
from ctypes import byref
from dataclasses import dataclass
from typing import Dict, Iterable, List, Optional, Union

from ._library import Context, Handle, RuleOptionsStruct, RuleStruct, lib, name_array

PathLike = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Rule:
    """A rule in one line: what `kdiag rules list` shows."""

    id: str
    status: str
    role: str
    subject: str
    summary: str
    pack: str
    file: str
    line: int


class Rules:
    """Checked rules, immutable. Made by `load_rules`."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle

    def __len__(self) -> int:
        return lib.kdiag_rules_count(self._handle.pointer)

    def __iter__(self) -> "Iterable[Rule]":
        for index in range(len(self)):
            info = RuleStruct()
            lib.kdiag_rules_get(self._handle.pointer, index, byref(info))
            yield Rule(str(info.id), str(info.status), str(info.role), str(info.subject), str(info.summary),
                       str(info.pack), str(info.file), info.line)

    def describe(self, rule: str) -> str:
        """What a rule is about, how it decides, which facts it needs and how to record them."""
        return Context().text(lib.kdiag_rules_describe, self._handle.pointer, rule.encode())

    def __repr__(self) -> str:
        return f"<kdiag.Rules: {len(self)} rules>"


def load_rules(
    paths: Union[PathLike, Iterable[PathLike], None] = None,
    *,
    text: Optional[str] = None,
    builtin: bool = True,
    incubating: bool = False,
    lua: bool = True,
    settings: Optional[Dict[str, object]] = None,
) -> Rules:
    """Loads rule files, or the text of one, beside the built-in packs.

    paths: files; None: the built-in packs alone. builtin: False leaves these out. lua: False refuses files with
    Lua rules. settings: values of parameters, as
    {"host.sync-stall.share": "3%"}. Raises RulesError with the place of every mistake.
    """
    pairs = [f"{name}={value}" for name, value in (settings or {}).items()]
    options = RuleOptionsStruct()
    options.without_builtin = int(not builtin)
    options.incubating = int(incubating)
    options.without_lua = int(not lua)
    options.set = name_array(pairs)
    options.set_count = len(pairs)
    context = Context()
    if text is not None:
        encoded = text.encode()
        return Rules(context.make(lib.kdiag_rules_free, lib.kdiag_rules_load_text, b"text", encoded, len(encoded),
                                  byref(options)))
    names = path_list(paths)
    return Rules(context.make(lib.kdiag_rules_free, lib.kdiag_rules_load_paths, name_array(names), len(names),
                              byref(options)))


def path_list(paths: Union[PathLike, Iterable[PathLike], None]) -> List[str]:
    """One path or several as a list."""
    if paths is None:
        return []
    if isinstance(paths, (str, os.PathLike)):
        return [os.fspath(paths)]
    return [os.fspath(path) for path in paths]
