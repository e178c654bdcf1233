# SPDX-License-Identifier: Apache-2.0
"""Project files, and findings that a team accepts or knows: docs/project.md."""

from __future__ import annotations

import os
from ctypes import byref
from dataclasses import dataclass
from typing import TYPE_CHECKING, List, Optional

from ._abi import PolicyOptionsStruct, ProjectInfoStruct, lib
from ._library import Context, Handle, Shared, name_of

if TYPE_CHECKING:
    from ._rules import PathLike, Rules

_SEVERITIES = ("info", "low", "medium", "high", "critical")
_RULES, _MAPS, _BASELINE, _FAIL_ABOVE = range(4)


class Project(Shared):
    """A checked project file, immutable. Made by `load_project` and `find_project`.

    `load_rules` takes from it which rules judge, with which parameters, and `Policy` its waivers. The rest is here, and
    what to do with it is for the program: `fail_on`, `known`, `maps`, `baseline`.
    """

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        info = ProjectInfoStruct()
        lib.kdiag_project_get(handle, byref(info))
        self.file: str = str(info.file)
        self.known: Optional[str] = str(info.known) or None
        """Path of a report whose findings are known."""
        self.format: Optional[str] = str(info.format) or None
        self.fail_on: Optional[str] = _SEVERITIES[info.fail_on] if info.fail_on >= 0 else None
        """From which severity on findings fail."""
        self.strict: Optional[bool] = _flag(info.strict)
        self.all: Optional[bool] = _flag(info.all)
        self.rules: List[str] = self._list(_RULES)
        """Paths of rule files and folders, beside the built-in packs."""
        self.maps: List[str] = self._list(_MAPS)
        self.baseline: List[str] = self._list(_BASELINE)
        self.fail_above: List[str] = self._list(_FAIL_ABOVE)
        """Limits of comparisons, as `--fail-above` takes them."""

    def _list(self, which: int) -> List[str]:
        count = lib.kdiag_project_count(self._handle, which)
        return [str(lib.kdiag_project_entry(self._handle, which, index)) for index in range(count)]

    def __repr__(self) -> str:
        return f"<kdiag.Project: {self.file}>"


@dataclass(frozen=True)
class Policy:
    """Which findings are accepted or known: `kdiag.diagnose("trace.json", policy=kdiag.Policy(known="before.json"))`.

    Findings that fit stay in the report, marked as `Finding.waived` and `Finding.known`. project: whose waivers hold.
    known: path of a report as JSON, whose findings are known. today: "2026-11-26", the day by which waivers may have
    expired; None: today in UTC.
    """

    project: Optional[Project] = None
    known: "Optional[PathLike]" = None
    today: Optional[str] = None

    def _make(self, rules: "Rules", context: Context) -> Handle:
        """The policy for diagnoses by these rules."""
        options = PolicyOptionsStruct()
        if self.project is not None:
            options.project = self.project._handle.pointer.value
        if self.known is not None:
            options.known = name_of(os.fspath(self.known))
        if self.today is not None:
            options.today = name_of(self.today)
        return context.make(lib.kdiag_policy_free, lib.kdiag_policy_new, rules._handle, byref(options))


def load_project(path: "Optional[PathLike]" = None, *, text: Optional[str] = None, name: str = "kdiag.yaml") -> Project:
    """Reads a project file, or its text: `kdiag.load_project("kdiag.yaml").fail_on`.

    text, name: a file from memory, whose paths are relative to the working directory, and how messages call it. Raises
    RulesError with the place of every mistake.
    """
    if (path is None) == (text is None):
        raise TypeError("kdiag: a project file is given by its path, or by its text")
    if path is not None:
        return Project(Context().make(lib.kdiag_project_free, lib.kdiag_project_load_path, name_of(os.fspath(path))))
    content = (text or "").encode()
    return Project(Context().make(lib.kdiag_project_free, lib.kdiag_project_load, name_of(name), content, len(content)))


def find_project(folder: "PathLike" = ".") -> Optional[Project]:
    """The project file of a folder or of the nearest folder above it that has one; None when none has.

    Example: `project = kdiag.find_project()`
    """
    path = Context().text(lib.kdiag_project_find, name_of(os.fspath(folder)))
    return load_project(path) if path else None


def _flag(stated: int) -> Optional[bool]:
    return None if stated < 0 else bool(stated)
