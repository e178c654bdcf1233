// SPDX-License-Identifier: Apache-2.0
//! The C interface, as `kdiag/kdiag.h` has it, which documents it: what this crate calls. A test of kdiag holds each
//! struct, function and constant against that header.
#![allow(non_camel_case_types, missing_docs)]

use std::os::raw::{c_char, c_int, c_uint, c_void};

macro_rules! handles {
    ($($name:ident),*) => {
        $(#[repr(C)]
        #[derive(Debug)]
        pub struct $name {
            _private: [u8; 0],
        })*
    };
}
handles!(
    kdiag_context,
    kdiag_facts,
    kdiag_rules,
    kdiag_report,
    kdiag_finding,
    kdiag_builder,
    kdiag_rows,
    kdiag_load_options,
    kdiag_diagnose_options,
    kdiag_project,
    kdiag_function
);

pub type kdiag_status = c_int;
pub type kdiag_read_fn = unsafe extern "C" fn(user: *mut c_void, buffer: *mut c_char, size: usize) -> i64;
pub type kdiag_write_fn = unsafe extern "C" fn(user: *mut c_void, bytes: *const c_char, size: usize) -> c_int;
pub type kdiag_read_file_fn =
    unsafe extern "C" fn(user: *mut c_void, path: *const c_char, write: kdiag_write_fn, sink: *mut c_void) -> c_int;

pub const KDIAG_ABSENT_INTEGER: i64 = i64::MIN;

pub const KDIAG_OK: c_int = 0;
pub const KDIAG_ERROR_ARGUMENT: c_int = 1;
pub const KDIAG_ERROR_MEMORY: c_int = 2;
pub const KDIAG_ERROR_INPUT: c_int = 3;
pub const KDIAG_ERROR_RULES: c_int = 4;
pub const KDIAG_ERROR_NOT_FOUND: c_int = 5;
pub const KDIAG_ERROR_CANCELLED: c_int = 6;
pub const KDIAG_ERROR_DEADLINE: c_int = 7;
pub const KDIAG_ERROR_LIMIT: c_int = 8;
pub const KDIAG_ERROR_UNSUPPORTED: c_int = 9;

pub const KDIAG_LEVEL_ERROR: c_int = 0;
pub const KDIAG_LEVEL_WARNING: c_int = 1;

pub const KDIAG_INPUT_PATH: c_int = 0;
pub const KDIAG_INPUT_MEMORY: c_int = 1;
pub const KDIAG_INPUT_CALLBACK: c_int = 3;

pub const KDIAG_CLOCK_NONE: c_int = 0;
pub const KDIAG_CLOCK_UNIX_NS: c_int = 1;
pub const KDIAG_CLOCK_LOCAL_NS: c_int = 2;
pub const KDIAG_CLOCK_DEVICE: c_int = 3;

pub const KDIAG_SEVERITY_INFO: c_int = 0;
pub const KDIAG_SEVERITY_LOW: c_int = 1;
pub const KDIAG_SEVERITY_MEDIUM: c_int = 2;
pub const KDIAG_SEVERITY_HIGH: c_int = 3;
pub const KDIAG_SEVERITY_CRITICAL: c_int = 4;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct kdiag_string {
    pub data: *const c_char,
    pub size: usize,
}

#[repr(C)]
pub struct kdiag_diagnostic {
    pub size: usize,
    pub level: c_int,
    pub id: kdiag_string,
    pub title: kdiag_string,
    pub note: kdiag_string,
    pub help: kdiag_string,
    pub source: kdiag_string,
    pub line: i64,
    pub column: i64,
    pub offset: usize,
    pub length: usize,
    pub context: kdiag_string,
    pub labels: usize,
}

#[repr(C)]
pub struct kdiag_label {
    pub size: usize,
    pub text: kdiag_string,
    pub source: kdiag_string,
    pub line: i64,
    pub column: i64,
    pub offset: usize,
    pub length: usize,
}

#[repr(C)]
pub struct kdiag_load_limits {
    pub size: usize,
    pub rows: u64,
    pub bytes: u64,
    pub unpacked: u64,
}

#[repr(C)]
pub struct kdiag_input {
    pub size: usize,
    pub kind: c_int,
    pub descriptor: c_int,
    pub name: *const c_char,
    pub bytes: *const c_char,
    pub byte_count: usize,
    pub read: Option<kdiag_read_fn>,
    pub user: *mut c_void,
}

#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct kdiag_row {
    pub table: u32,
    pub index: u32,
}

#[repr(C)]
pub struct kdiag_run_info {
    pub size: usize,
    pub label: *const c_char,
    pub producer: *const c_char,
    pub host: *const c_char,
    pub clock: c_int,
    pub has_rank: c_int,
    pub rank: i64,
    pub world_size: i64,
    pub telemetry: c_int,
    pub has_world_size: i64,
}

#[repr(C)]
pub struct kdiag_rule_options {
    pub size: usize,
    pub without_builtin: c_int,
    pub incubating: c_int,
    pub set: *const *const c_char,
    pub set_count: usize,
    pub functions: *const *const kdiag_function,
    pub function_count: usize,
    pub without_lua: c_int,
    pub lua_instructions: u64,
    pub lua_memory_bytes: u64,
    pub lua_output_bytes: u64,
    pub lua_wall_ms: u64,
    pub lua_no_wall: c_int,
    pub read_file: Option<kdiag_read_file_fn>,
    pub read_file_user: *mut c_void,
    pub imports_outside: c_int,
    pub select: *const *const c_char,
    pub select_count: usize,
    pub ignore: *const *const c_char,
    pub ignore_count: usize,
    pub project: *const kdiag_project,
    pub inputs: *const *const c_char,
    pub input_count: usize,
    pub facts: *const kdiag_facts,
}

#[repr(C)]
pub struct kdiag_finding_info {
    pub size: usize,
    pub severity: c_int,
    pub rank: i64,
    pub run: kdiag_string,
    pub rule: kdiag_string,
    pub title: kdiag_string,
    pub message: kdiag_string,
    pub fingerprint: kdiag_string,
    pub subject_kind: kdiag_string,
    pub subject_id: kdiag_string,
    pub subject_label: kdiag_string,
    pub impact_ns: i64,
    pub impact_low_ns: i64,
    pub gain_low_ns: i64,
    pub gain_high_ns: i64,
    pub impact_share: f64,
    pub confidence: f64,
    pub file: kdiag_string,
    pub function: kdiag_string,
    pub line: i64,
    pub recommendations: usize,
    pub symptoms: usize,
    pub evidence: usize,
}

#[repr(C)]
pub struct kdiag_recommendation {
    pub size: usize,
    pub text: kdiag_string,
    pub where_: kdiag_string,
    pub risk: kdiag_string,
    pub verify: kdiag_string,
    pub url: kdiag_string,
}

extern "C" {
    pub fn kdiag_version() -> *const c_char;
    pub fn kdiag_status_text(status: kdiag_status) -> *const c_char;

    pub fn kdiag_context_new(context: *mut *mut kdiag_context) -> kdiag_status;
    pub fn kdiag_context_free(context: *mut kdiag_context);
    pub fn kdiag_last_error(context: *const kdiag_context) -> *const c_char;
    pub fn kdiag_diagnostic_count(context: *const kdiag_context) -> usize;
    pub fn kdiag_diagnostic_get(context: *const kdiag_context, index: usize, diagnostic: *mut kdiag_diagnostic) -> kdiag_status;
    pub fn kdiag_diagnostic_label(
        context: *const kdiag_context,
        diagnostic: usize,
        label: usize,
        out: *mut kdiag_label,
    ) -> kdiag_status;
    pub fn kdiag_context_cancel(context: *mut kdiag_context);
    pub fn kdiag_context_reset(context: *mut kdiag_context);
    pub fn kdiag_context_set_deadline(context: *mut kdiag_context, milliseconds: i64);
    pub fn kdiag_context_set_load_limits(context: *mut kdiag_context, limits: *const kdiag_load_limits) -> kdiag_status;
    pub fn kdiag_context_set_threads(context: *mut kdiag_context, threads: c_uint);

    pub fn kdiag_facts_load_inputs(
        context: *mut kdiag_context,
        inputs: *const kdiag_input,
        count: usize,
        options: *const kdiag_load_options,
        facts: *mut *mut kdiag_facts,
    ) -> kdiag_status;
    pub fn kdiag_facts_retain(facts: *mut kdiag_facts) -> *mut kdiag_facts;
    pub fn kdiag_facts_free(facts: *mut kdiag_facts);

    pub fn kdiag_builder_new(
        context: *mut kdiag_context,
        name: *const c_char,
        info: *const kdiag_run_info,
        builder: *mut *mut kdiag_builder,
    ) -> kdiag_status;
    pub fn kdiag_builder_rows(builder: *mut kdiag_builder) -> *mut kdiag_rows;
    pub fn kdiag_builder_build(
        context: *mut kdiag_context,
        builder: *mut kdiag_builder,
        options: *const kdiag_load_options,
        facts: *mut *mut kdiag_facts,
    ) -> kdiag_status;
    pub fn kdiag_builder_free(builder: *mut kdiag_builder);
    pub fn kdiag_rows_add(rows: *mut kdiag_rows, table: *const c_char) -> kdiag_row;
    pub fn kdiag_rows_run(rows: *mut kdiag_rows) -> kdiag_row;
    pub fn kdiag_rows_rank(rows: *mut kdiag_rows, id: i64) -> kdiag_row;
    pub fn kdiag_rows_device(rows: *mut kdiag_rows, id: i64) -> kdiag_row;
    pub fn kdiag_rows_device_of(rows: *mut kdiag_rows, rank: kdiag_row, id: i64) -> kdiag_row;
    pub fn kdiag_rows_stream(rows: *mut kdiag_rows, device: kdiag_row, id: i64) -> kdiag_row;
    pub fn kdiag_rows_thread(rows: *mut kdiag_rows, process: i64, id: i64) -> kdiag_row;
    pub fn kdiag_rows_frame(
        rows: *mut kdiag_rows,
        file: *const c_char,
        line: i64,
        function: *const c_char,
        how: *const c_char,
        parent: *const kdiag_row,
    ) -> kdiag_row;
    pub fn kdiag_rows_declare(rows: *mut kdiag_rows, table: *const c_char);
    pub fn kdiag_rows_set_integer(rows: *mut kdiag_rows, row: kdiag_row, column: *const c_char, value: i64);
    pub fn kdiag_rows_set_real(rows: *mut kdiag_rows, row: kdiag_row, column: *const c_char, value: f64);
    pub fn kdiag_rows_set_boolean(rows: *mut kdiag_rows, row: kdiag_row, column: *const c_char, value: c_int);
    pub fn kdiag_rows_set_text(rows: *mut kdiag_rows, row: kdiag_row, column: *const c_char, text: *const c_char, size: usize);
    pub fn kdiag_rows_set_row(rows: *mut kdiag_rows, row: kdiag_row, column: *const c_char, value: kdiag_row);

    pub fn kdiag_rules_load_text(
        context: *mut kdiag_context,
        name: *const c_char,
        text: *const c_char,
        size: usize,
        options: *const kdiag_rule_options,
        rules: *mut *mut kdiag_rules,
    ) -> kdiag_status;
    pub fn kdiag_rules_load_paths(
        context: *mut kdiag_context,
        paths: *const *const c_char,
        count: usize,
        options: *const kdiag_rule_options,
        rules: *mut *mut kdiag_rules,
    ) -> kdiag_status;
    pub fn kdiag_rules_retain(rules: *mut kdiag_rules) -> *mut kdiag_rules;
    pub fn kdiag_rules_free(rules: *mut kdiag_rules);
    pub fn kdiag_rules_judged(rules: *const kdiag_rules) -> usize;

    pub fn kdiag_diagnose(
        context: *mut kdiag_context,
        facts: *const kdiag_facts,
        baseline: *const kdiag_facts,
        rules: *const kdiag_rules,
        options: *const kdiag_diagnose_options,
        report: *mut *mut kdiag_report,
    ) -> kdiag_status;
    pub fn kdiag_report_free(report: *mut kdiag_report);
    pub fn kdiag_report_json(report: *const kdiag_report, size: *mut usize) -> *const c_char;
    pub fn kdiag_report_text(report: *const kdiag_report, size: *mut usize) -> *const c_char;
    pub fn kdiag_report_markdown(report: *const kdiag_report, size: *mut usize) -> *const c_char;
    pub fn kdiag_report_sarif(report: *const kdiag_report, size: *mut usize) -> *const c_char;
    pub fn kdiag_severity_name(severity: c_int) -> *const c_char;
    pub fn kdiag_report_finding_count(report: *const kdiag_report) -> usize;
    pub fn kdiag_report_finding(report: *const kdiag_report, index: usize) -> *const kdiag_finding;
    pub fn kdiag_finding_symptom(finding: *const kdiag_finding, index: usize) -> *const kdiag_finding;
    pub fn kdiag_finding_get(finding: *const kdiag_finding, info: *mut kdiag_finding_info) -> kdiag_status;
    pub fn kdiag_finding_recommendation(
        finding: *const kdiag_finding,
        index: usize,
        out: *mut kdiag_recommendation,
    ) -> kdiag_status;
}
