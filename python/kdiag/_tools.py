# SPDX-License-Identifier: Apache-2.0
"""For tools that help to write rules, and facts files."""

from __future__ import annotations

import ctypes
import json
from ctypes import byref, c_int, c_size_t
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterable, Optional, Union

from ._abi import WRITE, TestOptionsStruct, lib
from ._adapters import Adapter, Maps
from ._facts import load_options
from ._library import CancelToken, Context, Progress, callback, name_array, name_of
from ._rules import PathLike, Rules, path_list

if TYPE_CHECKING:
    from typing import Protocol

    class Writable(Protocol):
        def write(self, data: bytes, /) -> Optional[int]: ...

_TEST_FORMATS = {"text": 0, "json": 1, "junit": 2}
_FILE_KINDS = ("rules", "tests", "other")


@dataclass(frozen=True)
class RuleTests:
    """How tests of rules went: how many do not hold, and the output in the format that was asked for."""

    failed: int
    output: str


def run_rule_tests(
    paths: Union[Rules, PathLike, Iterable[PathLike], None] = None,
    *,
    format: str = "text",
    builtin: bool = True,
    lua: bool = True,
    filter: Optional[str] = None,
    pattern: Optional[str] = None,
    coverage: bool = False,
    verbose: bool = False,
    imports_outside: bool = False,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
) -> RuleTests:
    """Runs the tests of rule files, test files and folders; without paths those of the built-in rules; of `Rules` those
    inside them, with the functions that they were given.

    format: text, json or junit. builtin: False judges tests inside rules without the built-in packs. lua: False refuses
    rules in Lua. filter: only tests whose rules or name contain it; pattern: those of which it finds a part, a regular
    expression (RE2). coverage: report what the tests covered. verbose: name the tests that passed, too.
    imports_outside: as of `load_rules`. Raises RulesError, DeadlineExceeded, Cancelled. Example::

        assert kdiag.run_rule_tests("rules/", filter="copies").failed == 0
    """
    if format not in _TEST_FORMATS:
        raise ValueError(f"kdiag: there is no format {format!r}; there are {', '.join(_TEST_FORMATS)}")
    options = TestOptionsStruct()
    options.without_builtin, options.without_lua = int(not builtin), int(not lua)
    options.filter = None if filter is None else name_of(filter)
    options.pattern = None if pattern is None else name_of(pattern)
    options.coverage, options.verbose = int(coverage), int(verbose)
    options.imports_outside = int(imports_outside)
    context, failed = Context(timeout=timeout, cancel=cancel), c_size_t()
    rest = (byref(options), _TEST_FORMATS[format], byref(failed))
    if isinstance(paths, Rules):
        output = context.text(lib.kdiag_rules_test_set, paths._handle, *rest)
    else:
        names = path_list(paths)
        output = context.text(lib.kdiag_rules_test_with, name_array(names), len(names), *rest)
    return RuleTests(failed.value, output)


def export(
    paths: Union[PathLike, Iterable[PathLike]],
    file: "Writable",
    *,
    threads: int = 0,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
    progress: Optional[Progress] = None,
    maps: Maps = (),
    adapters: Iterable[Adapter] = (),
    max_rows: int = 0,
    max_bytes: int = 0,
    max_unpacked: int = 0,
) -> None:
    """Writes what traces state as a facts file, an input like any other, to a binary file. Example::

        with gzip.open("facts.json.gz", "wb") as file:
            kdiag.export("trace.json", file)

    maps, adapters, max_rows, max_bytes, max_unpacked: as for `load`. What the file raises is raised. Raises InputError,
    DeadlineExceeded, LimitExceeded, Cancelled.
    """

    def write(place: int, size: int) -> int:
        piece = ctypes.string_at(place, size)
        while piece:
            written = file.write(piece)
            piece = b"" if written is None else piece[written:]  # files without a buffer may write a part
        return 1

    context = Context(threads, timeout, max_rows, max_bytes, max_unpacked, cancel=cancel, progress=progress)
    options = load_options(context, {}, maps, tuple(adapters))
    thunk = callback(WRITE, context.failure, 0, write)
    context.kept.append(thunk)
    names = path_list(paths)
    context.call(lib.kdiag_facts_export_with, name_array(names), len(names), byref(options), thunk, None)


def skeleton(id: str) -> str:
    """A rule file to start from. Example: `print(kdiag.skeleton("mine.slow-copies"))`"""
    return Context().text(lib.kdiag_rules_skeleton, name_of(id))


def format_rules(
    text: str, *, name: str = "text", timeout: Optional[float] = None, cancel: Optional[CancelToken] = None
) -> str:
    """The text of a rule file with its blanks as they should be; name: how messages call it. Raises RulesError,
    DeadlineExceeded, Cancelled.

    Example: `path.write_text(kdiag.format_rules(path.read_text(), name=str(path)))`
    """
    content = text.encode()
    return Context(timeout=timeout, cancel=cancel).text(lib.kdiag_rules_format, name_of(name), content, len(content))


def file_kind(path: PathLike) -> str:
    """What a YAML file holds by its first key: rules, tests or other. What cannot be read is rules: reading it says why.

    Example: `[path for path in folder.glob("*.yaml") if kdiag.file_kind(path) == "tests"]`
    """
    kind = c_int()
    Context().call(lib.kdiag_file_kind, name_of(path), byref(kind))
    return _FILE_KINDS[kind.value]


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
