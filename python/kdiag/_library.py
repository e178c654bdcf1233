# SPDX-License-Identifier: Apache-2.0
"""The shared library by ctypes: structs, functions, contexts, errors."""

from __future__ import annotations

import ctypes
import os
from ctypes import POINTER, byref, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Any, Callable, List, Optional

_OK, _ARGUMENT, _MEMORY, _INPUT, _RULES, _NOT_FOUND, _CANCELLED, _DEADLINE, _LIMIT = range(9)
ABSENT_INTEGER = -(2**63)
ABSENT_INDEX = 2**32 - 1


class String(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]

    def __str__(self) -> str:
        return ctypes.string_at(self.data, self.size).decode("utf-8", "replace") if self.size else ""


class _Sized(ctypes.Structure):
    """A struct that begins with its size."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), *arguments)


class DiagnosticStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("level", c_int), ("id", String), ("title", String), ("note", String), ("help", String),
        ("source", String), ("line", c_int64), ("column", c_int64), ("offset", c_size_t), ("length", c_size_t),
    ]


class InputStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("kind", c_int), ("descriptor", c_int), ("name", c_char_p), ("bytes", c_void_p),
        ("byte_count", c_size_t), ("read", c_void_p), ("user", c_void_p),
    ]


class LoadOptionsStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("scope", c_uint32), ("first_step", c_int64), ("last_step", c_int64),
        ("from_ns", c_int64), ("to_ns", c_int64), ("rank", c_int64), ("device", c_int64), ("within", c_char_p),
        ("maps", c_void_p), ("map_count", c_size_t), ("adapters", c_void_p), ("adapter_count", c_size_t),
    ]


class RuleOptionsStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("without_builtin", c_int), ("incubating", c_int), ("set", POINTER(c_char_p)),
        ("set_count", c_size_t), ("functions", c_void_p), ("function_count", c_size_t), ("without_lua", c_int),
        ("lua_instructions", c_uint64), ("lua_memory_bytes", c_uint64), ("lua_output_bytes", c_uint64),
        ("lua_wall_ms", c_uint64),
    ]


class RuleStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("id", String), ("status", String), ("role", String), ("subject", String),
        ("summary", String), ("pack", String), ("file", String), ("line", c_size_t),
    ]


class TableStruct(_Sized):
    _fields_ = [("size", c_size_t), ("name", String), ("doc", String), ("columns", c_size_t)]


class ColumnStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("name", String), ("doc", String), ("target", String), ("unit", String), ("type", c_int),
    ]


class ColumnDataStruct(_Sized):
    _fields_ = [("size", c_size_t), ("type", c_int), ("data", c_void_p), ("rows", c_size_t), ("provider", String)]


class InputInfoStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("path", String), ("adapter", String), ("producer", String), ("role", String),
        ("events", c_uint64), ("notes", c_size_t),
    ]


class NoteStruct(_Sized):
    _fields_ = [("size", c_size_t), ("id", String), ("severity", String), ("text", String), ("count", c_uint64)]


class CompareOptionsStruct(_Sized):
    _fields_ = [("size", c_size_t), ("anchor", c_char_p), ("changes", c_size_t)]


class TextOptionsStruct(_Sized):
    _fields_ = [("size", c_size_t), ("color", c_int), ("all", c_int), ("width", c_size_t)]


def _open() -> ctypes.CDLL:
    return ctypes.CDLL(os.environ.get("KDIAG_LIBRARY", "libkdiag.so.0"))


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    handle, out, names = c_void_p, POINTER(c_void_p), POINTER(c_char_p)
    context = [handle]
    functions = {
        "kdiag_version": (c_char_p, []),
        "kdiag_context_new": (c_int, [out]),
        "kdiag_context_free": (None, [handle]),
        "kdiag_context_set_deadline": (None, [handle, c_int64]),
        "kdiag_context_set_limits": (None, [handle, c_uint64, c_uint64]),
        "kdiag_context_set_threads": (None, [handle, ctypes.c_uint]),
        "kdiag_last_error": (c_char_p, context),
        "kdiag_diagnostic_count": (c_size_t, context),
        "kdiag_diagnostic_get": (c_int, [handle, c_size_t, POINTER(DiagnosticStruct)]),
        "kdiag_text_data": (c_void_p, [handle, POINTER(c_size_t)]),
        "kdiag_text_free": (None, [handle]),
        "kdiag_facts_load_inputs": (c_int, [handle, c_void_p, c_size_t, POINTER(LoadOptionsStruct), out]),
        "kdiag_facts_free": (None, [handle]),
        "kdiag_facts_text": (c_int, [handle, handle, out]),
        "kdiag_facts_input_count": (c_size_t, [handle]),
        "kdiag_facts_input": (c_int, [handle, c_size_t, POINTER(InputInfoStruct)]),
        "kdiag_facts_note": (c_int, [handle, c_size_t, c_size_t, POINTER(NoteStruct)]),
        "kdiag_facts_run_count": (c_size_t, [handle]),
        "kdiag_facts_rows": (c_int64, [handle, c_size_t, c_size_t]),
        "kdiag_facts_column": (c_int, [handle, c_size_t, c_size_t, c_size_t, POINTER(ColumnDataStruct)]),
        "kdiag_facts_string": (String, [handle, c_size_t, c_uint32]),
        "kdiag_table_count": (c_size_t, []),
        "kdiag_table": (c_int, [c_size_t, POINTER(TableStruct)]),
        "kdiag_column": (c_int, [c_size_t, c_size_t, POINTER(ColumnStruct)]),
        "kdiag_rules_load_text": (
            c_int, [handle, c_char_p, c_char_p, c_size_t, POINTER(RuleOptionsStruct), out]),
        "kdiag_rules_load_paths": (c_int, [handle, names, c_size_t, POINTER(RuleOptionsStruct), out]),
        "kdiag_rules_free": (None, [handle]),
        "kdiag_rules_count": (c_size_t, [handle]),
        "kdiag_rules_get": (c_int, [handle, c_size_t, POINTER(RuleStruct)]),
        "kdiag_rules_describe": (c_int, [handle, handle, c_char_p, out]),
        "kdiag_diagnose": (c_int, [handle, handle, handle, handle, c_void_p, out]),
        "kdiag_compare": (c_int, [handle, handle, handle, handle, POINTER(CompareOptionsStruct), out]),
        "kdiag_report_free": (None, [handle]),
        "kdiag_report_json": (c_void_p, [handle, POINTER(c_size_t)]),
        "kdiag_report_markdown": (c_void_p, [handle, POINTER(c_size_t)]),
        "kdiag_report_sarif": (c_void_p, [handle, POINTER(c_size_t)]),
        "kdiag_report_format": (c_int, [handle, handle, POINTER(TextOptionsStruct), out]),
        "kdiag_explain": (c_int, [handle, handle, handle, handle, c_char_p, out]),
        "kdiag_query": (c_int, [handle, handle, handle, handle, c_char_p, out]),
        "kdiag_answer_json": (c_void_p, [handle, POINTER(c_size_t)]),
        "kdiag_answer_free": (None, [handle]),
    }
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = _declare(_open())


def version() -> str:
    """The version of the library that runs: "0.1.0"."""
    return lib.kdiag_version().decode()


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong, where, and what to do about it; ids are explained in docs/errors.md."""

    id: str
    level: str
    title: str
    help: str
    source: str
    line: Optional[int]
    column: Optional[int]


class Error(Exception):
    """What kdiag could not do: the text names places and gives advice."""

    def __init__(self, text: str, diagnostics: List[Diagnostic]) -> None:
        super().__init__(text)
        self.diagnostics = diagnostics


class InputError(Error):
    """No input could be read."""


class RulesError(Error):
    """Rules, an expression or the id of a rule have mistakes."""


class Cancelled(Error):
    """The host asked to stop."""


class DeadlineExceeded(Error):
    """The time that was given was over."""


class LimitExceeded(Error):
    """An input brought more than its limit."""


_ERRORS = {
    _INPUT: InputError, _RULES: RulesError, _NOT_FOUND: RulesError, _CANCELLED: Cancelled,
    _DEADLINE: DeadlineExceeded, _LIMIT: LimitExceeded,
}


class Handle:
    """Owns a handle of the library."""

    def __init__(self, pointer: c_void_p, free: Callable[[c_void_p], None]) -> None:
        self.pointer = pointer
        self._free = free

    def __del__(self) -> None:
        if self.pointer:
            self._free(self.pointer)
            self.pointer = c_void_p()


class Context:
    """A context for one call: its options, and what went wrong in it."""

    def __init__(self, threads: int = 0, timeout: Optional[float] = None, max_rows: int = 0, max_bytes: int = 0) -> None:
        pointer = c_void_p()
        if lib.kdiag_context_new(byref(pointer)) != _OK:
            raise MemoryError("kdiag: out of memory")
        self._handle = Handle(pointer, lib.kdiag_context_free)
        lib.kdiag_context_set_threads(pointer, threads)
        lib.kdiag_context_set_limits(pointer, max_rows, max_bytes)
        if timeout is not None:
            lib.kdiag_context_set_deadline(pointer, max(1, int(timeout * 1000)))

    def make(self, free: Callable[[c_void_p], None], function: Callable[..., int], *arguments: Any) -> Handle:
        """Calls a function that makes a handle."""
        out = c_void_p()
        status = function(self._handle.pointer, *arguments, byref(out))
        if status != _OK:
            self._fail(status)
        return Handle(out, free)

    def text(self, function: Callable[..., int], *arguments: Any) -> str:
        """Calls a function that makes a text."""
        return text_of(self.make(lib.kdiag_text_free, function, *arguments), lib.kdiag_text_data)

    def _fail(self, status: int) -> None:
        text = lib.kdiag_last_error(self._handle.pointer).decode("utf-8", "replace")
        if status == _MEMORY:
            raise MemoryError(f"kdiag: {text}")
        if status == _ARGUMENT:
            raise ValueError(f"kdiag: {text}")
        raise _ERRORS.get(status, Error)(text.rstrip("\n"), self._diagnostics())

    def _diagnostics(self) -> List[Diagnostic]:
        found = []
        for index in range(lib.kdiag_diagnostic_count(self._handle.pointer)):
            info = DiagnosticStruct()
            lib.kdiag_diagnostic_get(self._handle.pointer, index, byref(info))
            level = ("error", "warning", "note")[info.level]
            line, column = (None if value == ABSENT_INTEGER else value for value in (info.line, info.column))
            found.append(
                Diagnostic(str(info.id), level, str(info.title), str(info.help), str(info.source), line, column))
        return found


def text_of(handle: Handle, function: Callable[..., Optional[int]]) -> str:
    """A text that a handle holds."""
    size = c_size_t()
    data = function(handle.pointer, byref(size))
    if data is None:
        raise MemoryError("kdiag: out of memory")
    return ctypes.string_at(data, size.value).decode("utf-8", "replace")


def name_array(names: List[str]) -> Any:
    """Names as an array of C strings."""
    return (c_char_p * len(names))(*(os.fsencode(name) for name in names))
