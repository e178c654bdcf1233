# SPDX-License-Identifier: Apache-2.0
"""The shared library by ctypes: structs, callbacks and prototypes, as include/kdiag/kdiag.h has them."""

from __future__ import annotations

import ctypes
import os
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from typing import Any

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


# What the library calls; each is made by `Failure.callback`.
PROGRESS = CFUNCTYPE(None, c_void_p, c_char_p, c_uint64, c_uint64)
LOG = CFUNCTYPE(None, c_void_p, c_int, c_char_p, c_char_p)
READ = CFUNCTYPE(c_int64, c_void_p, c_void_p, c_size_t)
WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)
READ_FILE = CFUNCTYPE(c_int, c_void_p, c_char_p, WRITE, c_void_p)


class DiagnosticStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("level", c_int), ("id", String), ("title", String), ("note", String), ("help", String),
        ("source", String), ("line", c_int64), ("column", c_int64), ("offset", c_size_t), ("length", c_size_t),
        ("context", String), ("labels", c_size_t),
    ]


class LabelStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("text", String), ("source", String), ("line", c_int64), ("column", c_int64),
        ("offset", c_size_t), ("length", c_size_t),
    ]


class InputStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("kind", c_int), ("descriptor", c_int), ("name", c_char_p), ("bytes", c_char_p),
        ("byte_count", c_size_t), ("read", READ), ("user", c_void_p),
    ]


class LoadOptionsStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("scope", c_uint32), ("first_step", c_int64), ("last_step", c_int64),
        ("from_ns", c_int64), ("to_ns", c_int64), ("rank", c_int64), ("device", c_int64), ("within", c_char_p),
        ("maps", POINTER(c_void_p)), ("map_count", c_size_t), ("adapters", POINTER(c_void_p)),
        ("adapter_count", c_size_t),
    ]


class RuleOptionsStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("without_builtin", c_int), ("incubating", c_int), ("set", POINTER(c_char_p)),
        ("set_count", c_size_t), ("functions", POINTER(c_void_p)), ("function_count", c_size_t), ("without_lua", c_int),
        ("lua_instructions", c_uint64), ("lua_memory_bytes", c_uint64), ("lua_output_bytes", c_uint64),
        ("lua_wall_ms", c_uint64), ("lua_no_wall", c_int), ("read_file", READ_FILE), ("read_file_user", c_void_p),
        ("imports_outside", c_int), ("select", POINTER(c_char_p)), ("select_count", c_size_t),
        ("ignore", POINTER(c_char_p)), ("ignore_count", c_size_t), ("project", c_void_p),
        ("inputs", POINTER(c_char_p)), ("input_count", c_size_t), ("facts", c_void_p),
    ]


class ProjectInfoStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("file", String), ("known", String), ("format", String), ("fail_on", c_int),
        ("strict", c_int), ("all", c_int),
    ]


class PolicyOptionsStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("project", c_void_p), ("known", c_char_p), ("known_text", c_char_p),
        ("known_size", c_size_t), ("today", c_char_p),
    ]


class RuleInfoStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("id", String), ("status", String), ("role", String), ("subject", String),
        ("summary", String), ("pack", String), ("file", String), ("line", c_size_t), ("tags", String),
    ]


class TableInfoStruct(_Sized):
    _fields_ = [("size", c_size_t), ("name", String), ("doc", String), ("columns", c_size_t)]


class ColumnInfoStruct(_Sized):
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


class DiagnoseOptionsStruct(_Sized):
    _fields_ = [("size", c_size_t), ("keep_partial", c_int), ("timings", c_int), ("policy", c_void_p)]


class CompareOptionsStruct(_Sized):
    _fields_ = [("size", c_size_t), ("anchor", c_char_p), ("changes", c_size_t), ("keep_partial", c_int),
                ("samples", c_char_p), ("samples_normal", c_double), ("samples_abnormal", c_double), ("timings", c_int),
                ("policy", c_void_p)]


class TestOptionsStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("without_builtin", c_int), ("without_lua", c_int), ("filter", c_char_p),
        ("pattern", c_char_p), ("coverage", c_int), ("verbose", c_int), ("imports_outside", c_int),
    ]


class LoadLimitsStruct(_Sized):
    _fields_ = [("size", c_size_t), ("rows", c_uint64), ("bytes", c_uint64), ("unpacked", c_uint64)]


class QueryOptionsStruct(_Sized):
    _fields_ = [("size", c_size_t), ("width", c_size_t), ("max_rows", c_size_t), ("texts", c_uint32)]


class TextOptionsStruct(_Sized):
    _fields_ = [
        ("size", c_size_t),
        ("color", c_int),
        ("all", c_int),
        ("width", c_size_t),
        ("verdict_only", c_int),
        ("changes", c_size_t),
    ]


class RunInfoStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("label", c_char_p), ("producer", c_char_p), ("host", c_char_p), ("clock", c_int),
        ("has_rank", c_int), ("rank", c_int64), ("world_size", c_int64), ("telemetry", c_int),
        ("has_world_size", c_int64),
    ]


class Row(ctypes.Structure):
    """A row that `Rows` made: the value of columns that refer to it."""

    _fields_ = [("table", c_uint32), ("index", c_uint32)]


class ColumnValuesStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("column", c_char_p), ("type", c_int), ("data", c_void_p), ("count", c_size_t),
        ("stride", c_size_t), ("valid", c_void_p), ("texts", c_void_p), ("text_count", c_size_t),
    ]


class ValueStruct(ctypes.Structure):
    _fields_ = [("type", c_int), ("boolean", c_int), ("number", c_double), ("text", String)]


SNIFF = CFUNCTYPE(c_int, c_void_p, c_void_p, c_size_t)
SNIFF_HEAD = CFUNCTYPE(c_int, c_void_p, c_void_p)
READ_ROWS = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, POINTER(RunInfoStruct))
EVALUATE = CFUNCTYPE(c_int, c_void_p, POINTER(ValueStruct), c_size_t, POINTER(ValueStruct))


class AdapterStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("user", c_void_p), ("id", c_char_p), ("sniff", SNIFF), ("read", READ_ROWS),
        ("sniff_head", SNIFF_HEAD),
    ]


class FunctionStruct(_Sized):
    _fields_ = [
        ("size", c_size_t), ("user", c_void_p), ("name", c_char_p), ("parameters", POINTER(c_char_p)),
        ("parameter_count", c_size_t), ("result", c_char_p), ("doc", c_char_p), ("call", EVALUATE),
    ]


def _open() -> ctypes.CDLL:
    """The library that the environment names, or else that of the wheel, which lies beside this file, or of the system."""
    name = "libkdiag.so.0"
    beside = os.path.join(os.path.dirname(__file__), name)
    path = os.environ.get("KDIAG_LIBRARY") or (beside if os.path.exists(beside) else name)
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"kdiag: {path} cannot be loaded ({error}): install a wheel of kdiag, which has it inside, or the package "
            "libkdiag0, or let the environment variable KDIAG_LIBRARY name it") from error


def _declare(library: ctypes.CDLL) -> ctypes.CDLL:
    handle, out, names, size, row = c_void_p, POINTER(c_void_p), POINTER(c_char_p), c_size_t, Row
    made = [handle, out]  # of a context: a text, or another handle
    whole = (c_void_p, [handle, POINTER(size)])  # a text that a handle holds
    release = (None, [handle])
    options = POINTER(LoadOptionsStruct)
    rule_options, test_options = POINTER(RuleOptionsStruct), POINTER(TestOptionsStruct)
    functions = {
        "kdiag_version": (c_char_p, []),
        "kdiag_status_text": (c_char_p, [c_int]),
        "kdiag_context_new": (c_int, [out]),
        "kdiag_context_free": release,
        "kdiag_context_cancel": (None, [handle]),
        "kdiag_context_is_calling": (c_int, [handle]),
        "kdiag_context_set_deadline": (None, [handle, c_int64]),
        "kdiag_context_set_limits": (None, [handle, c_uint64, c_uint64]),
        "kdiag_context_set_load_limits": (c_int, [handle, POINTER(LoadLimitsStruct)]),
        "kdiag_context_set_threads": (None, [handle, ctypes.c_uint]),
        "kdiag_context_set_progress": (None, [handle, PROGRESS, c_void_p]),
        "kdiag_context_set_log": (None, [handle, LOG, c_void_p]),
        "kdiag_last_error": (c_char_p, [handle]),
        "kdiag_diagnostic_count": (size, [handle]),
        "kdiag_diagnostic_get": (c_int, [handle, size, POINTER(DiagnosticStruct)]),
        "kdiag_diagnostic_label": (c_int, [handle, size, size, POINTER(LabelStruct)]),
        "kdiag_text_data": whole,
        "kdiag_text_free": release,
        "kdiag_map_load": (c_int, [handle, c_char_p, c_char_p, size, out]),
        "kdiag_map_load_path": (c_int, [handle, c_char_p, out]),
        "kdiag_map_free": release,
        "kdiag_rows_add": (row, [handle, c_char_p]),
        "kdiag_rows_rank": (row, [handle, c_int64]),
        "kdiag_rows_device": (row, [handle, c_int64]),
        "kdiag_rows_stream": (row, [handle, row, c_int64]),
        "kdiag_rows_thread": (row, [handle, c_int64, c_int64]),
        "kdiag_rows_run": (row, [handle]),
        "kdiag_rows_device_of": (row, [handle, row, c_int64]),
        "kdiag_rows_thread_of": (row, [handle, row, c_int64, c_int64]),
        "kdiag_rows_frame": (row, [handle, c_char_p, c_int64, c_char_p, c_char_p, POINTER(Row)]),
        "kdiag_rows_count": (size, [handle, c_char_p]),
        "kdiag_rows_shift_times": (None, [handle, c_int64]),
        "kdiag_rows_declare": (None, [handle, c_char_p]),
        "kdiag_rows_set_integer": (None, [handle, row, c_char_p, c_int64]),
        "kdiag_rows_set_real": (None, [handle, row, c_char_p, c_double]),
        "kdiag_rows_set_boolean": (None, [handle, row, c_char_p, c_int]),
        "kdiag_rows_set_text": (None, [handle, row, c_char_p, c_char_p, size]),
        "kdiag_rows_set_row": (None, [handle, row, c_char_p, row]),
        "kdiag_rows_add_columns": (c_int, [handle, c_char_p, size, POINTER(ColumnValuesStruct), size, POINTER(c_uint32)]),
        "kdiag_builder_new": (c_int, [handle, c_char_p, POINTER(RunInfoStruct), out]),
        "kdiag_builder_rows": (c_void_p, [handle]),
        "kdiag_builder_build": (c_int, [handle, handle, options, out]),
        "kdiag_builder_snapshot": (c_int, [handle, handle, options, out]),
        "kdiag_builder_drop_before": (size, [handle, c_int64]),
        "kdiag_builder_free": release,
        "kdiag_reader_read": (c_int64, [handle, c_void_p, size]),
        "kdiag_reader_cancelled": (c_int, [handle]),
        "kdiag_reader_skip": (None, [handle, c_char_p]),
        "kdiag_reader_note": (c_int, [handle, c_char_p, c_char_p, c_uint64]),
        "kdiag_reader_count_events": (None, [handle, c_uint64]),
        "kdiag_reader_run": (c_int, [handle, POINTER(RunInfoStruct)]),
        "kdiag_reader_name": (c_char_p, [handle]),
        "kdiag_reader_file": (c_char_p, [handle]),
        "kdiag_reader_head": (c_void_p, [handle]),
        "kdiag_head_bytes": (c_void_p, [handle, POINTER(size)]),
        "kdiag_head_complete": (c_int, [handle]),
        "kdiag_head_json": (ctypes.c_char, [handle]),
        "kdiag_head_has_key": (c_int, [handle, c_char_p]),
        "kdiag_head_has_table": (c_int, [handle, c_char_p]),
        "kdiag_sides_load_both": (c_int, [handle, c_char_p, options, out, out]),
        "kdiag_facts_load_inputs": (c_int, [handle, POINTER(InputStruct), size, options, out]),
        "kdiag_facts_free": release,
        "kdiag_facts_text": (c_int, [handle, *made]),
        "kdiag_facts_json": (c_int, [handle, *made]),
        "kdiag_facts_export_with": (c_int, [handle, names, size, options, WRITE, c_void_p]),
        "kdiag_facts_to_bytes": (c_int, [handle, *made]),
        "kdiag_facts_from_bytes": (c_int, [handle, c_char_p, size, out]),
        "kdiag_facts_input_count": (size, [handle]),
        "kdiag_facts_input": (c_int, [handle, size, POINTER(InputInfoStruct)]),
        "kdiag_facts_note": (c_int, [handle, size, size, POINTER(NoteStruct)]),
        "kdiag_facts_run_count": (size, [handle]),
        "kdiag_facts_rows": (c_int64, [handle, size, size]),
        "kdiag_facts_part": (c_int, [handle, handle, size, size, POINTER(c_uint32), size, POINTER(size)]),
        "kdiag_facts_column": (c_int, [handle, size, size, size, POINTER(ColumnDataStruct)]),
        "kdiag_facts_string": (String, [handle, size, c_uint32]),
        "kdiag_table_count": (size, []),
        "kdiag_table": (c_int, [size, POINTER(TableInfoStruct)]),
        "kdiag_column": (c_int, [size, size, POINTER(ColumnInfoStruct)]),
        "kdiag_project_find": (c_int, [handle, c_char_p, out]),
        "kdiag_project_load": (c_int, [handle, c_char_p, c_char_p, size, out]),
        "kdiag_project_load_path": (c_int, [handle, c_char_p, out]),
        "kdiag_project_free": release,
        "kdiag_project_get": (c_int, [handle, POINTER(ProjectInfoStruct)]),
        "kdiag_project_count": (size, [handle, c_int]),
        "kdiag_project_entry": (String, [handle, c_int, size]),
        "kdiag_policy_new": (c_int, [handle, handle, POINTER(PolicyOptionsStruct), out]),
        "kdiag_policy_free": release,
        "kdiag_rules_load_text": (c_int, [handle, c_char_p, c_char_p, size, rule_options, out]),
        "kdiag_rules_load_paths": (c_int, [handle, names, size, rule_options, out]),
        "kdiag_rules_free": release,
        "kdiag_rules_count": (size, [handle]),
        "kdiag_rules_get": (c_int, [handle, size, POINTER(RuleInfoStruct)]),
        "kdiag_rules_describe": (c_int, [handle, handle, c_char_p, out]),
        "kdiag_rules_page": (c_int, [handle, handle, c_char_p, out]),
        "kdiag_rules_source": (c_int, [handle, handle, c_char_p, out]),
        "kdiag_rules_index": (c_int, [handle, handle, out]),
        "kdiag_rules_style": (c_int, [handle, handle]),
        "kdiag_rules_test_with": (c_int, [handle, names, size, test_options, c_int, POINTER(size), out]),
        "kdiag_rules_test_set": (c_int, [handle, handle, test_options, c_int, POINTER(size), out]),
        "kdiag_file_kind": (c_int, [handle, c_char_p, POINTER(c_int)]),
        "kdiag_rules_format": (c_int, [handle, c_char_p, c_char_p, size, out]),
        "kdiag_rules_skeleton": (c_int, [handle, c_char_p, out]),
        "kdiag_rules_cut_test_with": (c_int, [handle, handle, handle, handle, c_char_p, out]),
        "kdiag_query_complete": (c_int, [handle, handle, c_char_p, size, POINTER(size), out]),
        "kdiag_query_help": (c_int, [handle, handle, c_char_p, out]),
        "kdiag_rule_schema": (c_int, made),
        "kdiag_catalogue": (c_int, made),
        "kdiag_formats": (c_int, made),
        "kdiag_diagnose": (c_int, [handle, handle, handle, handle, POINTER(DiagnoseOptionsStruct), out]),
        "kdiag_compare": (c_int, [handle, handle, handle, handle, POINTER(CompareOptionsStruct), out]),
        "kdiag_report_free": release,
        "kdiag_report_json": whole,
        "kdiag_report_markdown": whole,
        "kdiag_report_sarif": whole,
        "kdiag_report_format": (c_int, [handle, handle, POINTER(TextOptionsStruct), out]),
        "kdiag_report_html": (c_int, [handle, handle, handle, handle, out]),
        "kdiag_report_plan": (c_int, [handle, handle, out]),
        "kdiag_explain": (c_int, [handle, handle, handle, handle, c_char_p, out]),
        "kdiag_query_with": (c_int, [handle, handle, handle, handle, c_char_p, POINTER(QueryOptionsStruct), out]),
        "kdiag_answer_json": whole,
        "kdiag_answer_text": whole,
        "kdiag_answer_csv": whole,
        "kdiag_answer_free": release,
        "kdiag_value_format": (c_int, [handle, c_double, c_char_p, out]),
        "kdiag_duration_format": (c_int, [handle, c_int64, out]),
        "kdiag_duration_range_format": (c_int, [handle, c_int64, c_int64, out]),
        "kdiag_share_format": (c_int, [handle, c_double, out]),
        "kdiag_share_range_format": (c_int, [handle, c_double, c_double, out]),
        "kdiag_count_format": (c_int, [handle, c_int64, out]),
        "kdiag_number_format": (c_int, [handle, c_double, out]),
        "kdiag_factor_format": (c_int, [handle, c_double, out]),
        "kdiag_did_you_mean": (c_int, [handle, c_char_p, names, size, out]),
    }
    for name, (result, arguments) in functions.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


lib = _declare(_open())
