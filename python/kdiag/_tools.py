# SPDX-License-Identifier: Apache-2.0
"""For tools that help to write rules, and facts files."""

from __future__ import annotations

import ctypes
import json
from ctypes import byref, c_size_t
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterable, Optional, Union

from ._abi import WRITE, lib
from ._adapters import Adapter, Map
from ._facts import load_options
from ._library import CancelToken, Context, Progress, callback, name_array, name_of
from ._rules import PathLike, path_list

if TYPE_CHECKING:
    from typing import Protocol

    class Writable(Protocol):
        def write(self, data: bytes, /) -> Optional[int]: ...

_TEST_FORMATS = {"text": 0, "json": 1, "junit": 2}


@dataclass(frozen=True)
class RuleTests:
    """How tests of rules went: how many do not hold, and the output in the format that was asked for."""

    failed: int
    output: str


def run_rule_tests(
    paths: Union[PathLike, Iterable[PathLike], None] = None,
    *,
    format: str = "text",
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> RuleTests:
    """Runs the tests of rule files, test files and folders; without paths those of the built-in rules.

    format: text, json or junit. Raises RulesError, DeadlineExceeded, Cancelled. Example::

        assert kdiag.run_rule_tests("rules/").failed == 0
    """
    if format not in _TEST_FORMATS:
        raise ValueError(f"kdiag: there is no format {format!r}; there are {', '.join(_TEST_FORMATS)}")
    names, failed = path_list(paths), c_size_t()
    output = Context(timeout=timeout, cancel=cancel).text(
        lib.kdiag_rules_test, name_array(names), len(names), _TEST_FORMATS[format], byref(failed))
    return RuleTests(failed.value, output)


def export(
    paths: Union[PathLike, Iterable[PathLike]],
    file: "Writable",
    *,
    threads: int = 0,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
    progress: Optional[Progress] = None,
    maps: Iterable[Map] = (),
    adapters: Iterable[Adapter] = (),
    max_rows: int = 0,
    max_bytes: int = 0,
) -> None:
    """Writes what traces state as a facts file, an input like any other, to a binary file. Example::

        with gzip.open("facts.json.gz", "wb") as file:
            kdiag.export("trace.json", file)

    maps, adapters, max_rows, max_bytes: as for `load`. What the file raises is raised. Raises InputError,
    DeadlineExceeded, LimitExceeded, Cancelled.
    """

    def write(place: int, size: int) -> int:
        piece = ctypes.string_at(place, size)
        while piece:
            written = file.write(piece)
            piece = b"" if written is None else piece[written:]  # files without a buffer may write a part
        return 1

    context = Context(threads, timeout, max_rows, max_bytes, cancel=cancel, progress=progress)
    options = load_options(context, {}, tuple(maps), tuple(adapters))
    thunk = callback(WRITE, context.failure, 0, write)
    context.kept.append(thunk)
    names = path_list(paths)
    context.call(lib.kdiag_facts_export_with, name_array(names), len(names), byref(options), thunk, None)


def skeleton(id: str) -> str:
    """A rule file to start from. Example: `print(kdiag.skeleton("mine.slow-copies"))`"""
    return Context().text(lib.kdiag_rules_skeleton, name_of(id))


def format_rules(text: str, *, name: str = "text") -> str:
    """The text of a rule file with its blanks as they should be; name: how messages call it. Raises RulesError.

    Example: `path.write_text(kdiag.format_rules(path.read_text(), name=str(path)))`
    """
    content = text.encode()
    return Context().text(lib.kdiag_rules_format, name_of(name), content, len(content))


def rule_schema() -> Dict[str, Any]:
    """The JSON Schema of rule files. Example: `jsonschema.validate(rules, kdiag.rule_schema())`"""
    schema: Dict[str, Any] = json.loads(Context().text(lib.kdiag_rule_schema))
    return schema


def catalogue() -> str:
    """The tables and columns that facts can have, as Markdown. Example: `print(kdiag.catalogue())`"""
    return Context().text(lib.kdiag_catalogue)


def formats() -> str:
    """The formats of traces that are read. Example: `print(kdiag.formats())`"""
    return Context().text(lib.kdiag_formats)
