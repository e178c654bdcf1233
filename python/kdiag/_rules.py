# SPDX-License-Identifier: Apache-2.0
"""Rules."""

from __future__ import annotations

import os
from ctypes import byref, c_size_t
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

from ._abi import READ_FILE, RuleOptionsStruct, RuleInfoStruct, lib
from ._errors import Diagnostic
from ._functions import Function, Functions
from ._library import CancelToken, Context, Handle, Log, Shared, callback, name_array, name_of, whole

if TYPE_CHECKING:
    from ._facts import Facts
    from ._project import Project

PathLike = Union[str, "os.PathLike[str]"]
FileReader = Callable[[str], Union[str, bytes, None]]


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
    tags: Tuple[str, ...] = ()


@dataclass(frozen=True)
class LuaLimits:
    """What a Lua rule may use for one subject; 0: the default (docs/lua.md). wall_ms: None: any time.

    Example: `kdiag.load_rules("mine.lua", lua=kdiag.LuaLimits(wall_ms=200))`
    """

    instructions: int = 0
    memory_bytes: int = 0
    output_bytes: int = 0
    wall_ms: Optional[int] = 0


@dataclass(frozen=True)
class Completion:
    """Words that fit before the cursor of a query: they replace what begins at the character `start`."""

    start: int
    words: List[str]


RulesLike = Union["Rules", PathLike, Iterable[PathLike], None]


class Rules(Shared):
    """Checked rules, immutable. Made by `load_rules`."""

    def __init__(self, handle: Handle, warnings: Sequence[Diagnostic] = ()) -> None:
        self._handle = handle
        self.warnings: List[Diagnostic] = list(warnings)
        """What is odd in the rules, though they work."""

    def __len__(self) -> int:
        return int(lib.kdiag_rules_count(self._handle))

    def __iter__(self) -> Iterator[Rule]:
        for index in range(len(self)):
            info = RuleInfoStruct()
            lib.kdiag_rules_get(self._handle, index, byref(info))
            yield Rule(str(info.id), str(info.status), str(info.role), str(info.subject), str(info.summary),
                       str(info.pack), str(info.file), info.line, _words(str(info.tags)))

    @property
    def style(self) -> List[Diagnostic]:
        """Notes for the authors of the rules, of no interest to who judges by them."""
        context = Context()
        context.call(lib.kdiag_rules_style, self._handle)
        return context.diagnostics()

    def describe(self, rule: str) -> str:
        """What a rule is about, how it decides, which facts it needs and how to record them.

        Example: `print(rules.describe("host.sync-stall"))`
        """
        return Context().text(lib.kdiag_rules_describe, self._handle, name_of(rule))

    def page(self, rule: str) -> str:
        """The same as a page of Markdown. Example: `print(rules.page("host.sync-stall"))`"""
        return Context().text(lib.kdiag_rules_page, self._handle, name_of(rule))

    def index(self) -> str:
        """The page that lists the pages of all rules, as Markdown. Example: `path.write_text(rules.index())`"""
        return Context().text(lib.kdiag_rules_index, self._handle)

    def source(self, rule: str) -> str:
        """The lines of a rule as they stand in its file. Example: `print(rules.source("host.sync-stall"))`"""
        return Context().text(lib.kdiag_rules_source, self._handle, name_of(rule))

    def complete(self, text: str, cursor: Optional[int] = None) -> Completion:
        """Words that fit before the cursor of a query; None: at its end: `rules.complete("sum(ker").words`."""
        before = name_of(text[:cursor])
        begin = c_size_t()
        words = Context().text(lib.kdiag_query_complete, self._handle, name_of(text), len(before), byref(begin))
        return Completion(len(before[:begin.value].decode("utf-8", "replace")), words.splitlines())

    def help(self, topic: str = "") -> str:
        """What a built-in function, table, column or define is; without a topic, how to ask: `rules.help("sum")`."""
        return Context().text(lib.kdiag_query_help, self._handle, name_of(topic))

    def __repr__(self) -> str:
        return f"<kdiag.Rules: {len(self)} rules>"


def load_rules(
    paths: Union[PathLike, Iterable[PathLike], None] = None,
    *,
    text: Optional[str] = None,
    name: str = "text",
    builtin: bool = True,
    incubating: bool = False,
    lua: Union[bool, LuaLimits] = True,
    settings: Optional[Dict[str, object]] = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    project: "Optional[Project]" = None,
    inputs: Iterable[str] = (),
    facts: "Optional[Facts]" = None,
    functions: Iterable[Function] = (),
    read_file: Optional[FileReader] = None,
    imports_outside: bool = False,
    threads: int = 0,
    timeout: Optional[float] = None,
    cancel: Optional[CancelToken] = None,
    log: Optional[Log] = None,
) -> Rules:
    """Loads rule files, or the text of one, beside the built-in packs: `kdiag.load_rules("mine.yaml")`.

    paths: files; None: the built-in packs alone. text, name: a rule file from memory, and how messages call it.
    builtin: False leaves the built-in packs out. lua: False refuses files with Lua rules, `LuaLimits` bounds them.
    settings: values of parameters, as {"host.sync-stall.share": "3%"}. functions: of the host, for expressions. select,
    ignore: which rules are judged, by ids and patterns: `kdiag.load_rules(select=["host", "gpu.*"])`. project: a project
    file, whose rule files, choice of rules and parameters hold; inputs, facts: for which inputs and devices.
    read_file: gives the text of a rule file, of what it imports and of its scripts, by path, None where there is none;
    without it they lie in the file system: `kdiag.load_rules("site/all.yaml", read_file=texts.get)`. imports_outside:
    True lets rules import files outside of the folders of the named ones. timeout: seconds. log: called with level, id and text of every warning. Raises RulesError with the place of every mistake.
    """
    if paths is not None and text is not None:
        raise TypeError("a path and a text cannot both be given")
    limits = lua if isinstance(lua, LuaLimits) else LuaLimits()
    pairs = [f"{parameter}={value}" for parameter, value in (settings or {}).items()]
    called = Functions(tuple(functions))
    options = RuleOptionsStruct()
    options.without_builtin = int(not builtin)
    options.incubating = int(incubating)
    options.without_lua = int(not lua)
    options.imports_outside = int(imports_outside)
    options.set, options.set_count = name_array(pairs), len(pairs)
    options.functions, options.function_count = called.pointers, len(called.pointers)
    for member, given in (("select", list(select)), ("ignore", list(ignore)), ("inputs", list(inputs))):
        setattr(options, member, name_array(given))
        setattr(options, f"{member.removesuffix('s')}_count", len(given))
    if project is not None:
        options.project = project._handle.pointer.value
    if facts is not None:
        options.facts = facts._handle.pointer.value
    for limit in ("instructions", "memory_bytes", "output_bytes"):
        setattr(options, f"lua_{limit}", whole(getattr(limits, limit), 0))
    if limits.wall_ms is None:
        options.lua_no_wall = 1
    else:
        options.lua_wall_ms = whole(limits.wall_ms, 0)
    context = Context(threads, timeout, cancel=cancel, log=log)
    context.kept.append(called)
    if read_file is not None:
        options.read_file = _read_file_thunk(read_file, context)
    if text is not None:
        content = text.encode()
        handle = context.make(lib.kdiag_rules_free, lib.kdiag_rules_load_text, name_of(name), content, len(content),
                              byref(options))
    else:
        names = path_list(paths)
        handle = context.make(lib.kdiag_rules_free, lib.kdiag_rules_load_paths, name_array(names), len(names),
                              byref(options))
    if called.pointers:
        handle.functions = called
    return Rules(handle, context.diagnostics())


def _read_file_thunk(read_file: FileReader, context: Context) -> Any:
    def read(path: bytes, write: Callable[..., int], sink: Any) -> int:
        text = read_file(os.fsdecode(path))
        if text is None:
            return 0
        content = text.encode() if isinstance(text, str) else text
        return write(sink, content, len(content))

    thunk = callback(READ_FILE, context.failure, 0, read)
    context.kept.append(thunk)
    return thunk


def rules_of(rules: "RulesLike", **options: Any) -> Rules:
    """Rules, or those that are loaded from paths beside the built-in ones."""
    return rules if isinstance(rules, Rules) else load_rules(rules, **options)


def path_list(paths: Union[PathLike, Iterable[PathLike], None]) -> List[str]:
    """One path or several as a list."""
    if paths is None:
        return []
    if isinstance(paths, (str, os.PathLike)):
        return [_path(paths)]
    if isinstance(paths, (bytes, bytearray, Shared)) or not isinstance(paths, Iterable):
        raise TypeError(f"kdiag: {type(paths).__name__} is no path of a file, nor several")
    return [_path(path) for path in paths]


def _path(path: PathLike) -> str:
    text = os.fspath(path)
    if not isinstance(text, str):
        raise TypeError(f"kdiag: {path!r} is no path of a file")
    return text


def _words(text: str) -> Tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",")) if text else ()
