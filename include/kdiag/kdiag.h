// SPDX-License-Identifier: Apache-2.0
// The C interface of libkdiag: the C++ interface noun for noun, with a stable ABI.
//
//     kdiag_context *context; kdiag_rules *rules = NULL; kdiag_facts *facts = NULL; kdiag_report *report = NULL;
//     if (kdiag_context_new(&context) != KDIAG_OK) return 70;
//     if (kdiag_rules_load(context, "mine.yaml", text, text_size, &rules) == KDIAG_OK &&
//         kdiag_facts_load(context, "trace.json", bytes, size, &facts) == KDIAG_OK &&
//         kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_OK)
//       puts(kdiag_report_json(report, NULL));
//     else fputs(kdiag_last_error(context), stderr);
//     kdiag_report_free(report); kdiag_facts_free(facts); kdiag_rules_free(rules); kdiag_context_free(context);
//
// Conventions:
// 1. What can fail returns a kdiag_status; the result comes through the last argument, which is set to NULL first. Why
//    it failed: kdiag_last_error and kdiag_diagnostic_get of the context.
//    A getter of plain values has no context: of what is not there it returns 0, NULL or KDIAG_ERROR_ARGUMENT.
// 2. A context is used by one thread at a time (but for kdiag_context_cancel and kdiag_context_is_calling), and not by
//    callbacks of a call that has it: a call with a context that another one uses is KDIAG_ERROR_ARGUMENT. It need not outlive what was made with it.
//    Facts, rules, maps, reports and answers are immutable: any number of threads may use them at once.
// 3. Every `_new`, `_load` or other maker of a handle has a `_free`, which takes NULL. Handles are independent of each
//    other: a report outlives its facts, facts outlive the bytes they were loaded from.
// 4. Texts go in as names that end in NUL, and contents as pointer and length. They come out with a length, NUL behind
//    them, and live as long as the handle they came from; texts of a context until its next call.
// 5. Structs that may grow begin with their size, which the caller sets to sizeof: one that cannot be (more than 1024)
//    is KDIAG_ERROR_ARGUMENT. Zero in any other member of an option is the default, so
//    `kdiag_load_options options = {sizeof options};` changes nothing; members that a library older than the header
//    does not know are zero in what it fills in.
// 6. Numbers are in base units: ns, bytes, Hz, B/s, W, degC, ratios 0..1. Missing is not zero: KDIAG_ABSENT_INTEGER
//    or NaN.
// 7. Constants and members are only ever appended, functions never change. Callbacks must not throw or long-jump.
#ifndef KDIAG_KDIAG_H
#define KDIAG_KDIAG_H

#include <stddef.h>
#include <stdint.h>

#include <kdiag/export.hpp>

#ifdef __cplusplus
extern "C" {
#endif

#define KDIAG_ABSENT_INTEGER INT64_MIN
#define KDIAG_ABSENT_SMALL INT32_MIN
#define KDIAG_ABSENT_INDEX UINT32_MAX

/// "0.1.0": of the library that runs, not of this header.
KDIAG_C_API const char *kdiag_version(void);

// --- Status -----------------------------------------------------------------------------------------------------

typedef int kdiag_status;
enum {
  KDIAG_OK = 0,
  KDIAG_ERROR_ARGUMENT = 1,     // a null pointer, an index out of range, a struct's size that cannot be, a context in use
  KDIAG_ERROR_MEMORY = 2,       // memory could not be had; nothing was made
  KDIAG_ERROR_INPUT = 3,        // no input could be read
  KDIAG_ERROR_RULES = 4,        // rules, an expression or a mapping have mistakes
  KDIAG_ERROR_NOT_FOUND = 5,    // there is no such rule
  KDIAG_ERROR_CANCELLED = 6,    // kdiag_context_cancel
  KDIAG_ERROR_DEADLINE = 7,     // kdiag_context_set_deadline
  KDIAG_ERROR_LIMIT = 8,        // kdiag_context_set_limits
  KDIAG_ERROR_UNSUPPORTED = 9,  // an option or argument that this version does not know
  KDIAG_ERROR_INTERNAL = 10     // a bug of kdiag
};
/// "ok", "no input could be read", ...: for logs.
KDIAG_C_API const char *kdiag_status_text(kdiag_status status);

typedef struct kdiag_string {
  const char *data;  // never NULL; NUL behind it
  size_t size;
} kdiag_string;

/// A text that belongs to the caller.
typedef struct kdiag_text kdiag_text;
/// Its characters, with NUL behind them, which live as long as the text; `size` may be NULL. Empty for NULL.
KDIAG_C_API const char *kdiag_text_data(const kdiag_text *text, size_t *size);
/// Frees a text; NULL is fine.
KDIAG_C_API void kdiag_text_free(kdiag_text *text);

// --- Context: errors, callbacks, limits -------------------------------------------------------------------------

typedef struct kdiag_context kdiag_context;
/// A context without limits, to be freed with kdiag_context_free. KDIAG_ERROR_MEMORY when there is none for it.
KDIAG_C_API kdiag_status kdiag_context_new(kdiag_context **context);
/// Frees a context that no call uses, and the texts of its error. What was made with it lives on. NULL is fine.
KDIAG_C_API void kdiag_context_free(kdiag_context *context);

/// Why the last call with the context failed, for people: diagnostics with places and advice. Empty when it did not.
KDIAG_C_API const char *kdiag_last_error(const kdiag_context *context);

enum { KDIAG_LEVEL_ERROR = 0, KDIAG_LEVEL_WARNING = 1, KDIAG_LEVEL_NOTE = 2 };
typedef struct kdiag_diagnostic {
  size_t size;
  int level;
  kdiag_string id, title, note, help;
  kdiag_string source;   // name of the file or input; empty when there is none
  int64_t line, column;  // from 1, in code points; KDIAG_ABSENT_INTEGER when there is no place
  size_t offset, length; // bytes in the source
  kdiag_string context;  // the rule or test that it belongs to; may be empty
  size_t labels;         // how many: kdiag_diagnostic_label
} kdiag_diagnostic;
/// Errors of the last call, or the warnings of rules or tests that it loaded.
KDIAG_C_API size_t kdiag_diagnostic_count(const kdiag_context *context);
/// One of them, in the order in which kdiag_last_error shows them. Its texts live until the next call of the context.
KDIAG_C_API kdiag_status kdiag_diagnostic_get(const kdiag_context *context, size_t index, kdiag_diagnostic *diagnostic);
typedef struct kdiag_label {
  size_t size;
  kdiag_string text;  // what is said of the place; may be empty
  kdiag_string source;  // these as in kdiag_diagnostic
  int64_t line, column;
  size_t offset, length;
} kdiag_label;
/// A place that a diagnostic marks, and what is said there. The first one is the place of the diagnostic itself.
KDIAG_C_API kdiag_status kdiag_diagnostic_label(const kdiag_context *context, size_t diagnostic, size_t label,
                                              kdiag_label *out);

/// Stops the call that runs, and every further one until kdiag_context_reset: KDIAG_ERROR_CANCELLED. May be called from
/// any thread and from a signal handler.
KDIAG_C_API void kdiag_context_cancel(kdiag_context *context);
/// Lets further calls run again after kdiag_context_cancel. Not while a call runs.
KDIAG_C_API void kdiag_context_reset(kdiag_context *context);
/// How long each further call may take, in milliseconds; 0: without limit, negative: it is over already.
/// KDIAG_ERROR_DEADLINE when it takes longer, or when the system gives no thread for the clock. The time is looked at
/// wherever kdiag_context_cancel is.
KDIAG_C_API void kdiag_context_set_deadline(kdiag_context *context, int64_t milliseconds);
/// What all inputs of a call may bring together: rows of facts, and bytes of memory for them; 0: without limit.
/// KDIAG_ERROR_LIMIT when they bring more, soon after; records that a format's reader keeps until it can make rows of
/// them count, too, two as a row. Among several inputs that can be read, one that brings more is a note (K609), as any
/// that cannot be read. Rows of a kdiag_builder are the host's own and not counted.
KDIAG_C_API void kdiag_context_set_limits(kdiag_context *context, uint64_t rows, uint64_t bytes);

typedef struct {
  size_t size;        // sizeof(kdiag_load_limits)
  uint64_t rows;      // as above
  uint64_t bytes;     // as above, and what one decoder may hold
  uint64_t unpacked;  // bytes that come out of compressed inputs and archives; 0: without limit
} kdiag_load_limits;
/// The same with what may be unpacked. NULL: what the command kdiag sets, a quarter of the memory that the process may use.
KDIAG_C_API kdiag_status kdiag_context_set_load_limits(kdiag_context *context, const kdiag_load_limits *limits);
/// How many threads a call may use; 0: as many as the machine has, at most 8. Results do not depend on it.
KDIAG_C_API void kdiag_context_set_threads(kdiag_context *context, unsigned threads);

/// In a function of the host (kdiag_function): whether it is asked for a call of this context. So a host can stop, with
/// kdiag_context_cancel, the call that a failure belongs to and no other one that judges by the same rules.
KDIAG_C_API int kdiag_context_is_calling(const kdiag_context *context);

/// How far loading is: called about ten times a second from a thread of kdiag; `total` is 0 when unknown.
typedef void (*kdiag_progress_fn)(void *user, const char *name, uint64_t bytes, uint64_t total);
/// Sets who is told, with `user`; NULL: nobody. Both must stay valid while calls run.
KDIAG_C_API void kdiag_context_set_progress(kdiag_context *context, kdiag_progress_fn progress, void *user);
/// Notes of inputs and warnings of rules, told when a call that made them ends, from the caller's thread.
typedef void (*kdiag_log_fn)(void *user, int level, const char *id, const char *text);
/// Sets who is told, with `user`; NULL: nobody. Both must stay valid while calls run.
KDIAG_C_API void kdiag_context_set_log(kdiag_context *context, kdiag_log_fn log, void *user);

// --- Mappings of custom formats ---------------------------------------------------------------------------------

typedef struct kdiag_map kdiag_map;
/// Checks the text of a mapping (docs/custom-formats.md); `name` is for messages. KDIAG_ERROR_RULES: its mistakes.
KDIAG_C_API kdiag_status kdiag_map_load(kdiag_context *context, const char *name, const char *text, size_t size,
                                      kdiag_map **map);
/// The same of a file.
KDIAG_C_API kdiag_status kdiag_map_load_path(kdiag_context *context, const char *path, kdiag_map **map);
/// How reports call the format.
KDIAG_C_API const char *kdiag_map_name(const kdiag_map *map);
/// One more owner of the map; each owner calls kdiag_map_free. Returns its argument.
KDIAG_C_API kdiag_map *kdiag_map_retain(kdiag_map *map);
/// One owner less; the last one frees the map. NULL is fine.
KDIAG_C_API void kdiag_map_free(kdiag_map *map);

// --- Rows of facts, for hosts that have them without a trace ----------------------------------------------------

/// Rows by names of tables and columns (kdiag_catalogue). Mistakes leave a value out; kdiag_builder_build reports them,
/// and kdiag_rows_check those so far. One thread at a time.
typedef struct kdiag_rows kdiag_rows;
typedef struct kdiag_row {
  uint32_t table, index;
} kdiag_row;
/// Appends a row to "kernels", "samples", ...; rows of runs, ranks, devices, streams, threads and frames are found by
/// key: the same key gives the same row.
KDIAG_C_API kdiag_row kdiag_rows_add(kdiag_rows *rows, const char *table);
/// The one row of the run.
KDIAG_C_API kdiag_row kdiag_rows_run(kdiag_rows *rows);
/// The row of the process with a global rank.
KDIAG_C_API kdiag_row kdiag_rows_rank(kdiag_rows *rows, int64_t id);
/// The row of a device by its index in the input; it belongs to the rank of the run.
KDIAG_C_API kdiag_row kdiag_rows_device(kdiag_rows *rows, int64_t id);
/// The same of a device that belongs to a row of kdiag_rows_rank.
KDIAG_C_API kdiag_row kdiag_rows_device_of(kdiag_rows *rows, kdiag_row rank, int64_t id);
/// The row of a queue of a device.
KDIAG_C_API kdiag_row kdiag_rows_stream(kdiag_rows *rows, kdiag_row device, int64_t id);
/// The row of a host thread by the ids of its process and its own; it belongs to the rank of the run.
KDIAG_C_API kdiag_row kdiag_rows_thread(kdiag_rows *rows, int64_t process, int64_t id);
/// The same of a thread that belongs to a row of kdiag_rows_rank.
KDIAG_C_API kdiag_row kdiag_rows_thread_of(kdiag_rows *rows, kdiag_row rank, int64_t process, int64_t id);
/// A source position. line <= 0: unknown; texts may be NULL; `how` is line, function, range or module; `parent` is the
/// caller's frame, or NULL.
KDIAG_C_API kdiag_row kdiag_rows_frame(kdiag_rows *rows, const char *file, int64_t line, const char *function,
                                     const char *how, const kdiag_row *parent);
/// States that a table is recorded, though it may have no rows.
KDIAG_C_API void kdiag_rows_declare(kdiag_rows *rows, const char *table);
/// How many rows a table has so far.
KDIAG_C_API size_t kdiag_rows_count(const kdiag_rows *rows, const char *table);
/// Adds to every instant set so far, for inputs that state the origin of their times after the events.
KDIAG_C_API void kdiag_rows_shift_times(kdiag_rows *rows, int64_t ns);
/// The mistakes so far as diagnostics of the context: KDIAG_OK, or KDIAG_ERROR_INPUT when there are any. In a callback
/// the context is one that no call uses.
KDIAG_C_API kdiag_status kdiag_rows_check(kdiag_context *context, const kdiag_rows *rows);
/// Sets a whole number in base units: times in ns, sizes in bytes. Columns of real numbers take it as well.
KDIAG_C_API void kdiag_rows_set_integer(kdiag_rows *rows, kdiag_row row, const char *column, int64_t value);
/// Sets a number in base units: Hz, B/s, W, degC, ratios 0..1. NaN: absent.
KDIAG_C_API void kdiag_rows_set_real(kdiag_rows *rows, kdiag_row row, const char *column, double value);
/// Sets true (not 0) or false.
KDIAG_C_API void kdiag_rows_set_boolean(kdiag_rows *rows, kdiag_row row, const char *column, int value);
/// Sets a text, which is copied; NULL with size 0 is the empty one.
KDIAG_C_API void kdiag_rows_set_text(kdiag_rows *rows, kdiag_row row, const char *column, const char *text, size_t size);
/// Sets a reference to a row of these rows: the device of a kernel.
KDIAG_C_API void kdiag_rows_set_row(kdiag_rows *rows, kdiag_row row, const char *column, kdiag_row value);


/// One column of rows that are added at once.
typedef struct kdiag_column_values {
  size_t size;
  const char *column;
  /// KDIAG_COLUMN_*, of the values here: int64_t, int32_t, double; BOOLEAN: a byte, 0 or not; STRING: uint32_t, places in
  /// `texts`; REFERENCE: uint32_t, indexes of rows. What stands for an absent value is absent.
  int type;
  const void *data;            // the first value
  size_t count;                // of values: as many as rows, or 1 that all rows have
  size_t stride;               // bytes from one value to the next; 0: they follow one another
  const unsigned char *valid;  // a byte for each row, 0: its value is absent; NULL: all are there
  const kdiag_string *texts;
  size_t text_count;
} kdiag_column_values;
/// Appends `count` rows with the values of columns, an array of structs of the size that the first one states. Mistakes
/// name column and row, and are kept as those of kdiag_rows_set_integer. Rows that are found by key are asked for by the
/// columns of their key ("id", "rank", "device", "process"; of frames all). `made` has room for the index of each row
/// (KDIAG_ABSENT_INDEX: there is none); NULL: not asked for. Others follow those that kdiag_rows_count counted before.
/// KDIAG_ERROR_ARGUMENT: a NULL pointer, a size that cannot be; KDIAG_ERROR_UNSUPPORTED: an unknown type.
KDIAG_C_API kdiag_status kdiag_rows_add_columns(kdiag_rows *rows, const char *table, size_t count,
                                              const kdiag_column_values *columns, size_t column_count, uint32_t *made);

enum { KDIAG_CLOCK_NONE = 0, KDIAG_CLOCK_UNIX_NS = 1, KDIAG_CLOCK_LOCAL_NS = 2, KDIAG_CLOCK_DEVICE = 3 };
typedef struct kdiag_run_info {
  size_t size;
  const char *label, *producer, *host;
  int clock;              // KDIAG_CLOCK_*: what times count from
  int has_rank;           // whether the next two are stated
  int64_t rank;
  int64_t world_size;     // 0: not known
  int telemetry;          // only samples: joins another input's run
  int64_t has_world_size; // whether world_size is stated though has_rank is 0
} kdiag_run_info;

// --- Adapters of the host ---------------------------------------------------------------------------------------

/// An input, for the time of one read callback.
typedef struct kdiag_reader kdiag_reader;
/// Fills the buffer with unwrapped bytes as far as the input allows; 0 at the end, negative when reading failed.
KDIAG_C_API int64_t kdiag_reader_read(kdiag_reader *reader, char *buffer, size_t size);
/// Whether the host asked to stop, or the input brings more than it may: return as soon as possible. Nothing more is
/// read then.
KDIAG_C_API int kdiag_reader_cancelled(const kdiag_reader *reader);
/// How messages call the input. Lives as long as the reader.
KDIAG_C_API const char *kdiag_reader_name(const kdiag_reader *reader);
/// The path of a file that holds exactly the input's bytes: of every SQLite database, else "". Lives as the name does.
KDIAG_C_API const char *kdiag_reader_file(const kdiag_reader *reader);
/// Threads that the adapter may use in all. Of the functions here only _cancelled may be called from several at a time.
KDIAG_C_API unsigned kdiag_reader_threads(const kdiag_reader *reader);
/// Describes the run that the rows are of, in place of `info` of the callback; texts are copied. A second call ends
/// that run, and further rows are of another one of the same input: rows of the first are rows no more.
KDIAG_C_API kdiag_status kdiag_reader_run(kdiag_reader *reader, const kdiag_run_info *info);
/// Counts a record that could not be read, as a note of the input; `detail` may be NULL.
KDIAG_C_API void kdiag_reader_skip(kdiag_reader *reader, const char *detail);
/// Counts an oddity as a note of the input. `id` is one of docs/notes.md, else KDIAG_ERROR_ARGUMENT; equal ones with
/// equal details are counted together.
KDIAG_C_API kdiag_status kdiag_reader_note(kdiag_reader *reader, const char *id, const char *detail, uint64_t count);
/// Counts records read: `events` of kdiag_input_info.
KDIAG_C_API void kdiag_reader_count_events(kdiag_reader *reader, uint64_t events);
/// Says why nothing of the input can be used, which it then cannot, whatever the callback returns.
KDIAG_C_API void kdiag_reader_fail(kdiag_reader *reader, const char *why);

/// The beginning of an input, for the time of one callback: up to 1 MiB of unwrapped bytes.
typedef struct kdiag_head kdiag_head;
/// The head of the input that is read. Lives as long as the reader.
KDIAG_C_API const kdiag_head *kdiag_reader_head(const kdiag_reader *reader);
/// The bytes, without a byte-order mark; no NUL is behind them.
KDIAG_C_API const char *kdiag_head_bytes(const kdiag_head *head, size_t *size);
/// Whether the input ends within the bytes.
KDIAG_C_API int kdiag_head_complete(const kdiag_head *head);
/// '{' or '[' when the first character says JSON, else 0.
KDIAG_C_API char kdiag_head_json(const kdiag_head *head);
/// Whether the first JSON object has a top-level key within the bytes.
KDIAG_C_API int kdiag_head_has_key(const kdiag_head *head, const char *key);
/// Whether an SQLite database has a table, wherever in it that stands.
KDIAG_C_API int kdiag_head_has_table(const kdiag_head *head, const char *table);

typedef struct kdiag_adapter {
  size_t size;
  void *user;
  const char *id;  // how reports call the format
  /// How sure the first bytes are this format: 0 no .. 100 certain. NULL where sniff_head is given.
  int (*sniff)(void *user, const char *bytes, size_t size);
  /// Reads all of the input into rows; info may be filled in, with texts that live until the load returns (what the
  /// callback makes itself goes through kdiag_reader_run). Not 0: nothing of the input can be used.
  int (*read)(void *user, kdiag_reader *reader, kdiag_rows *rows, kdiag_run_info *info);
  /// As sniff, of JSON and databases as well; asked instead of it unless NULL.
  int (*sniff_head)(void *user, const kdiag_head *head);
} kdiag_adapter;

// --- Facts ------------------------------------------------------------------------------------------------------

enum {
  KDIAG_SCOPE_STEPS = 1,
  KDIAG_SCOPE_FROM = 2,
  KDIAG_SCOPE_TO = 4,
  KDIAG_SCOPE_RANK = 8,
  KDIAG_SCOPE_DEVICE = 16
};
typedef struct kdiag_load_options {
  size_t size;
  uint32_t scope;  // KDIAG_SCOPE_*: which of the next members choose a part of each run
  int64_t first_step, last_step;
  int64_t from_ns, to_ns;  // since the first instant of the run
  int64_t rank, device;
  const char *within;  // name of an annotation: its ranges; NULL: all
  const kdiag_map *const *maps;
  size_t map_count;
  const kdiag_adapter *const *adapters;  // must outlive the call
  size_t adapter_count;
  int release_memory;  // not 0: give free pages of the heap back meanwhile (malloc_trim), for which other threads wait
} kdiag_load_options;

/// Gives the next bytes of a trace: how many, 0 at the end, negative when it failed.
typedef int64_t (*kdiag_read_fn)(void *user, char *buffer, size_t size);
enum { KDIAG_INPUT_PATH = 0, KDIAG_INPUT_MEMORY = 1, KDIAG_INPUT_DESCRIPTOR = 2, KDIAG_INPUT_CALLBACK = 3 };
typedef struct kdiag_input {
  size_t size;
  int kind;             // KDIAG_INPUT_*
  int descriptor;       // an open file, read from where it stands; stays the caller's
  const char *name;     // the path (file, folder, archive, "-", FILE#2), or how messages call the input
  const char *bytes;    // must outlive the call only
  size_t byte_count;
  kdiag_read_fn read;
  void *user;
} kdiag_input;

typedef struct kdiag_facts kdiag_facts;
/// A trace from memory.
KDIAG_C_API kdiag_status kdiag_facts_load(kdiag_context *context, const char *name, const char *bytes, size_t size,
                                        kdiag_facts **facts);
/// A trace: the path of a file, of a folder or archive of traces, "-" for standard input, or FILE#2 for the second run
/// of any of them. `options` may be NULL. KDIAG_ERROR_INPUT: what could not be read, and why; KDIAG_ERROR_LIMIT.
KDIAG_C_API kdiag_status kdiag_facts_load_path(kdiag_context *context, const char *path,
                                             const kdiag_load_options *options, kdiag_facts **facts);
/// Several inputs at once, from anywhere: those that are one run are joined. `inputs` is an array of structs of the
/// size that the first one states.
KDIAG_C_API kdiag_status kdiag_facts_load_inputs(kdiag_context *context, const kdiag_input *inputs, size_t count,
                                               const kdiag_load_options *options, kdiag_facts **facts);
/// One more owner of the facts; each owner calls kdiag_facts_free. Returns its argument.
KDIAG_C_API kdiag_facts *kdiag_facts_retain(kdiag_facts *facts);
/// One owner less; the last one frees the facts, with columns and texts. NULL is fine.
KDIAG_C_API void kdiag_facts_free(kdiag_facts *facts);

/// Facts of a host, by rows.
typedef struct kdiag_builder kdiag_builder;
/// A builder without rows, to be freed with kdiag_builder_free. `name` is how reports call the input; `info` says what
/// the run is of, and may be NULL.
KDIAG_C_API kdiag_status kdiag_builder_new(kdiag_context *context, const char *name, const kdiag_run_info *info,
                                         kdiag_builder **builder);
/// The rows to fill: valid until the builder is built or freed; NULL once it is built.
KDIAG_C_API kdiag_rows *kdiag_builder_rows(kdiag_builder *builder);
/// Makes facts of the rows. Succeed or not, all that is left to do with the builder is to free it.
KDIAG_C_API kdiag_status kdiag_builder_build(kdiag_context *context, kdiag_builder *builder,
                                           const kdiag_load_options *options, kdiag_facts **facts);
/// Facts of the rows so far, which stay, for a host that goes on adding. When there are mistakes (KDIAG_ERROR_INPUT) they
/// are forgotten: the next one is of the rows without the values that were wrong.
KDIAG_C_API kdiag_status kdiag_builder_snapshot(kdiag_context *context, kdiag_builder *builder,
                                              const kdiag_load_options *options, kdiag_facts **facts);
/// Drops the rows that end before an instant (those with a duration by their end), so that a window can roll on; how many
/// were dropped. What has no instant stays: rows by key, totals, and all texts. Rows that were added before are others
/// afterwards, except rows by key, and references to dropped rows are absent.
KDIAG_C_API size_t kdiag_builder_drop_before(kdiag_builder *builder, int64_t time);
/// Frees a builder, built or not, with its rows. NULL is fine.
KDIAG_C_API void kdiag_builder_free(kdiag_builder *builder);

typedef struct kdiag_input_info {
  size_t size;
  kdiag_string path, adapter, producer, role;
  uint64_t events;
  size_t notes;  // how many: kdiag_facts_note
} kdiag_input_info;
typedef struct kdiag_note {
  size_t size;
  kdiag_string id, severity, text;
  uint64_t count;
} kdiag_note;
/// How many inputs were read; a builder is one.
KDIAG_C_API size_t kdiag_facts_input_count(const kdiag_facts *facts);
/// What was read of one. Its texts live as long as the facts.
KDIAG_C_API kdiag_status kdiag_facts_input(const kdiag_facts *facts, size_t input, kdiag_input_info *info);
/// What was odd in an input, and how often. Its texts live as long as the facts.
KDIAG_C_API kdiag_status kdiag_facts_note(const kdiag_facts *facts, size_t input, size_t note, kdiag_note *out);

/// Every table and column of the catalogue with what the facts have of it, for people.
KDIAG_C_API kdiag_status kdiag_facts_text(kdiag_context *context, const kdiag_facts *facts, kdiag_text **text);
/// The same as JSON.
KDIAG_C_API kdiag_status kdiag_facts_json(kdiag_context *context, const kdiag_facts *facts, kdiag_text **json);

/// Takes the next piece; returns 0 when it wants no more.
typedef int (*kdiag_write_fn)(void *user, const char *bytes, size_t size);
/// Writes what traces state as a facts file, an input like any other.
KDIAG_C_API kdiag_status kdiag_facts_export(kdiag_context *context, const char *const *paths, size_t count,
                                          kdiag_write_fn write, void *user);
/// The same by maps and adapters. Whole traces: a scope does not apply.
KDIAG_C_API kdiag_status kdiag_facts_export_with(kdiag_context *context, const char *const *paths, size_t count,
                                               const kdiag_load_options *options, kdiag_write_fn write, void *user);

/// Facts with all that was derived as bytes, for another process with the same kdiag: kdiag_text_data has them.
/// For others there are facts files (kdiag_facts_export).
KDIAG_C_API kdiag_status kdiag_facts_to_bytes(kdiag_context *context, const kdiag_facts *facts, kdiag_text **bytes);
/// The facts again, without reading or deriving anything. KDIAG_ERROR_INPUT: the bytes are damaged, or of another
/// version of kdiag (K710). They should come from where you would take a program from.
KDIAG_C_API kdiag_status kdiag_facts_from_bytes(kdiag_context *context, const char *bytes, size_t size,
                                              kdiag_facts **facts);

// --- Columns of facts, without a copy ---------------------------------------------------------------------------

enum {
  KDIAG_COLUMN_INTEGER = 0,        // int64_t
  KDIAG_COLUMN_SMALL_INTEGER = 1,  // int32_t
  KDIAG_COLUMN_REAL = 2,           // double
  KDIAG_COLUMN_BOOLEAN = 3,        // uint32_t: 0 or 1
  KDIAG_COLUMN_STRING = 4,         // uint32_t: kdiag_facts_string
  KDIAG_COLUMN_REFERENCE = 5       // uint32_t: row of `target`
};
typedef struct kdiag_table_info {
  size_t size;
  kdiag_string name, doc;
  size_t columns;
  kdiag_string since;  // first version that has it
  int entity;          // rows are found by key, not added
} kdiag_table_info;
typedef struct kdiag_column_info {
  size_t size;
  kdiag_string name, doc, target;
  kdiag_string unit;  // ns, bytes, Hz, B/s, W, degC, ratio, 1; empty for what is no number
  int type;           // KDIAG_COLUMN_*
  kdiag_string since;
  int transient;      // links rows while a trace is loaded, dropped afterwards
} kdiag_column_info;
/// How many tables the catalogue has, which says what facts can have; they are numbered from 0.
KDIAG_C_API size_t kdiag_table_count(void);
/// What a table is. Texts of the catalogue live as long as the library.
KDIAG_C_API kdiag_status kdiag_table(size_t table, kdiag_table_info *info);
/// What a column of a table is.
KDIAG_C_API kdiag_status kdiag_column(size_t table, size_t column, kdiag_column_info *info);
typedef struct kdiag_series_info {
  size_t size;
  kdiag_string name, doc, unit;
} kdiag_series_info;
/// How many series of `samples` are known; others have no unit.
KDIAG_C_API size_t kdiag_series_count(void);
/// What a series measures.
KDIAG_C_API kdiag_status kdiag_series(size_t series, kdiag_series_info *info);

typedef struct kdiag_column_data {
  size_t size;
  int type;          // KDIAG_COLUMN_*
  const void *data;  // one value per row, or NULL when no row has any; valid as long as the facts
  size_t rows;
  kdiag_string provider;  // who supplied it
} kdiag_column_data;
/// How many runs the facts have; they are numbered from 0 in the order of the report.
KDIAG_C_API size_t kdiag_facts_run_count(const kdiag_facts *facts);
/// Rows of a table (its number in the catalogue), or -1 when the input does not record it.
KDIAG_C_API int64_t kdiag_facts_rows(const kdiag_facts *facts, size_t run, size_t table);
/// The rows of a table in the part of the run that the load options chose (kdiag_load_options), ascending; all rows where
/// they chose none. `rows` has room for `room` of them, NULL for none; `count` gets how many there are: ask for it first.
/// KDIAG_ERROR_ARGUMENT: no such run or table.
KDIAG_C_API kdiag_status kdiag_facts_part(kdiag_context *context, const kdiag_facts *facts, size_t run, size_t table,
                                          uint32_t *rows, size_t room, size_t *count);
/// The values of a column of a run, where they are. KDIAG_ERROR_ARGUMENT: no such run, table or column.
KDIAG_C_API kdiag_status kdiag_facts_column(const kdiag_facts *facts, size_t run, size_t table, size_t column,
                                          kdiag_column_data *out);
/// How many texts a run has: the ids below that are values of its columns of texts.
KDIAG_C_API size_t kdiag_facts_string_count(const kdiag_facts *facts, size_t run);
/// The text of an id, which lives as long as the facts; empty for an absent one.
KDIAG_C_API kdiag_string kdiag_facts_string(const kdiag_facts *facts, size_t run, uint32_t id);

// --- Project files: what a team wants of kdiag, docs/project.md ------------------------------------------------

/// Which rules judge, with which parameters, what fails, which findings are accepted.
typedef struct kdiag_project kdiag_project;
/// The path of the `kdiag.yaml` of a folder or of the nearest folder above it that has one; empty when none has.
KDIAG_C_API kdiag_status kdiag_project_find(kdiag_context *context, const char *folder, kdiag_text **path);
/// Checks the text of a project file, whose paths are relative to the working directory; `name` is for messages.
/// KDIAG_ERROR_RULES: its mistakes. What it says of rules is checked where rules are loaded.
KDIAG_C_API kdiag_status kdiag_project_load(kdiag_context *context, const char *name, const char *text, size_t size,
                                          kdiag_project **project);
/// The same of a file, whose paths are relative to its folder.
KDIAG_C_API kdiag_status kdiag_project_load_path(kdiag_context *context, const char *path, kdiag_project **project);
/// One more owner of the project; each owner calls kdiag_project_free. Returns its argument.
KDIAG_C_API kdiag_project *kdiag_project_retain(kdiag_project *project);
/// One owner less; the last one frees the project. NULL is fine.
KDIAG_C_API void kdiag_project_free(kdiag_project *project);

enum { KDIAG_NOT_STATED = -1 };
typedef struct kdiag_project_info {
  size_t size;
  kdiag_string file, known;  // paths; `known`: of a report with known findings, empty when none is named
  kdiag_string format;       // of reports; empty: not stated
  int fail_on;               // KDIAG_SEVERITY_*, or KDIAG_NOT_STATED: nothing fails
  int strict, all;           // 0, 1 or KDIAG_NOT_STATED
} kdiag_project_info;
/// What it says, beside what kdiag_rule_options and kdiag_policy_options take from it. Its texts live as long as the
/// project.
KDIAG_C_API kdiag_status kdiag_project_get(const kdiag_project *project, kdiag_project_info *info);
enum { KDIAG_PROJECT_RULES = 0, KDIAG_PROJECT_MAPS = 1, KDIAG_PROJECT_BASELINE = 2, KDIAG_PROJECT_FAIL_ABOVE = 3 };
/// How many entries one of its lists (KDIAG_PROJECT_*) has: paths, but for limits as `--fail-above` takes them.
KDIAG_C_API size_t kdiag_project_count(const kdiag_project *project, int list);
/// One of them; empty when there is none of that index.
KDIAG_C_API kdiag_string kdiag_project_entry(const kdiag_project *project, int list, size_t index);

// --- Rules ------------------------------------------------------------------------------------------------------

enum { KDIAG_VALUE_NUMBER = 0, KDIAG_VALUE_BOOLEAN = 1, KDIAG_VALUE_TEXT = 2 };
typedef struct kdiag_value {
  int type;  // KDIAG_VALUE_*
  int boolean;
  double number;
  kdiag_string text;  // of a result: it must stay valid until the next call of the function from the same thread
} kdiag_value;
/// A function of the host for expressions; types are number, ratio, time, bytes, frequency, bandwidth, power,
/// temperature, bool, string.
typedef struct kdiag_function {
  size_t size;
  void *user;  // must outlive the rules, as `call` must
  const char *name;
  const char *const *parameters;  // their types
  size_t parameter_count;
  const char *result;  // its type
  const char *doc;     // may be NULL
  /// Sets the result and returns 1, or returns 0 when the value is unknown. Pure, from several threads at a time. C++
  /// code that throws all the same makes the value unknown.
  int (*call)(void *user, const kdiag_value *arguments, size_t count, kdiag_value *result);
} kdiag_function;

typedef struct kdiag_rule_options {
  size_t size;
  int without_builtin;  // not 0: leave the built-in packs out
  int incubating;       // not 0: judge rules of status incubating, too
  const char *const *set;  // "rule.param=value"
  size_t set_count;
  const kdiag_function *const *functions;
  size_t function_count;
  int without_lua;  // not 0: refuse files with Lua rules, leave built-in Lua rules out
  // What a Lua rule may use for one subject; 0: the default. docs/lua.md
  uint64_t lua_instructions, lua_memory_bytes, lua_output_bytes;
  uint64_t lua_wall_ms;
  int lua_no_wall;  // not 0: it may take any time, whatever lua_wall_ms says
  /// Reads the rule files that kdiag_rules_load_paths names, what they import and their scripts, from somewhere else
  /// than the file system: gives the text of `path` to `write`, in one piece or several, and returns 1, or 0 when there
  /// is no such file. Called by the thread that loads, while it loads. An imported path is joined to the folder of the
  /// file that names it. When `write` returns 0 the call fails, whatever is returned. NULL: the file system.
  int (*read_file)(void *user, const char *path, kdiag_write_fn write, void *sink);
  void *read_file_user;
  int imports_outside;  // not 0: imports and scripts may lie outside of the folders of the named rule files
  // Which rules are judged, by patterns of their ids ("host.sync-stall", "host", "*.sync-*"); none selected: all.
  const char *const *select;
  size_t select_count;
  const char *const *ignore;
  size_t ignore_count;
  // What a project file says of rules: which are judged, their parameters, and, of kdiag_rules_load_paths, further rule
  // files. NULL: nothing. What it says of some inputs or devices alone holds for `inputs` and, unless NULL, the devices
  // of `facts`.
  const kdiag_project *project;
  const char *const *inputs;
  size_t input_count;
  const kdiag_facts *facts;
} kdiag_rule_options;

typedef struct kdiag_rules kdiag_rules;
/// The text of one rule file with the built-in packs. Warnings: kdiag_diagnostic_get.
KDIAG_C_API kdiag_status kdiag_rules_load(kdiag_context *context, const char *name, const char *text, size_t size,
                                        kdiag_rules **rules);
/// The same with options, which may be NULL.
KDIAG_C_API kdiag_status kdiag_rules_load_text(kdiag_context *context, const char *name, const char *text, size_t size,
                                             const kdiag_rule_options *options, kdiag_rules **rules);
/// Rule files; none: the built-in packs alone.
KDIAG_C_API kdiag_status kdiag_rules_load_paths(kdiag_context *context, const char *const *paths, size_t count,
                                              const kdiag_rule_options *options, kdiag_rules **rules);
/// One more owner of the rules; each owner calls kdiag_rules_free. Returns its argument.
KDIAG_C_API kdiag_rules *kdiag_rules_retain(kdiag_rules *rules);
/// One owner less; the last one frees the rules, and functions of the host are called no more. NULL is fine.
KDIAG_C_API void kdiag_rules_free(kdiag_rules *rules);

typedef struct kdiag_rule_info {
  size_t size;
  kdiag_string id, status, role, subject, summary, pack, file;
  size_t line;
  kdiag_string tags;  // separated by commas
} kdiag_rule_info;
/// All rules that were loaded, in file order, the disabled ones included.
KDIAG_C_API size_t kdiag_rules_count(const kdiag_rules *rules);
/// One of them. Its texts live as long as the rules.
KDIAG_C_API kdiag_status kdiag_rules_get(const kdiag_rules *rules, size_t index, kdiag_rule_info *info);
/// How many of them are judged.
KDIAG_C_API size_t kdiag_rules_judged(const kdiag_rules *rules);
/// Makes the warnings and lints of loading the diagnostics of the context.
KDIAG_C_API kdiag_status kdiag_rules_warnings(kdiag_context *context, const kdiag_rules *rules);
/// The same of the notes for the rules' authors.
KDIAG_C_API kdiag_status kdiag_rules_style(kdiag_context *context, const kdiag_rules *rules);
/// What a rule is about, how it decides and what it needs, for people. KDIAG_ERROR_NOT_FOUND: there is no such rule.
KDIAG_C_API kdiag_status kdiag_rules_describe(kdiag_context *context, const kdiag_rules *rules, const char *rule,
                                            kdiag_text **text);
/// The same as a page of Markdown; pages link to each other as `clock.throttled.md`.
KDIAG_C_API kdiag_status kdiag_rules_page(kdiag_context *context, const kdiag_rules *rules, const char *rule,
                                        kdiag_text **markdown);
/// The page that lists the others, as Markdown.
KDIAG_C_API kdiag_status kdiag_rules_index(kdiag_context *context, const kdiag_rules *rules, kdiag_text **markdown);
/// The lines of a rule as they stand in its file; kdiag_rules_get says where.
KDIAG_C_API kdiag_status kdiag_rules_source(kdiag_context *context, const kdiag_rules *rules, const char *rule,
                                          kdiag_text **text);

// --- Policies: findings that are accepted or known --------------------------------------------------------------

typedef struct kdiag_policy kdiag_policy;
typedef struct kdiag_policy_options {
  size_t size;
  const kdiag_project *project;  // whose waivers hold; NULL: none
  const char *known;             // path of a report as JSON, whose findings are known; NULL: none
  const char *known_text;        // its text, where `known` is only a name for messages; NULL: it is read
  size_t known_size;
  const char *today;  // "2026-11-26": a waiver `until` an earlier day has expired; NULL: today in UTC
} kdiag_policy_options;
/// A policy for diagnoses by these rules, which its waivers speak of. KDIAG_ERROR_RULES: mistakes of waivers, or a file
/// that cannot be read; KDIAG_ERROR_INPUT: `known` is no report.
KDIAG_C_API kdiag_status kdiag_policy_new(kdiag_context *context, const kdiag_rules *rules,
                                        const kdiag_policy_options *options, kdiag_policy **policy);
/// One more owner of the policy; each owner calls kdiag_policy_free. Returns its argument.
KDIAG_C_API kdiag_policy *kdiag_policy_retain(kdiag_policy *policy);
/// One owner less; the last one frees the policy. NULL is fine.
KDIAG_C_API void kdiag_policy_free(kdiag_policy *policy);

// --- Diagnosis --------------------------------------------------------------------------------------------------

typedef struct kdiag_report kdiag_report;
typedef struct kdiag_diagnose_options {
  size_t size;
  int keep_partial;  // not 0: a call that was stopped while it judged gives what it has, beside the status that says so
  int timings;       // not 0: the JSON of the report has a key `timings`: what it cost, rule by rule
  const kdiag_policy *policy;  // marks findings that are accepted or known; NULL: none
} kdiag_diagnose_options;
/// Judges every run of the facts by every rule. `baseline`: a run of the same work when it was good, or several; NULL:
/// none. Its findings are not reported; where both sides are one run, the report says what kdiag_compare does.
KDIAG_C_API kdiag_status kdiag_diagnose(kdiag_context *context, const kdiag_facts *facts, const kdiag_facts *baseline,
                                      const kdiag_rules *rules, const kdiag_diagnose_options *options,
                                      kdiag_report **report);

typedef struct kdiag_compare_options {
  size_t size;
  const char *anchor;  // name of a range that is one cycle, in both runs; NULL: found
  size_t changes;      // longest list of changes and functions in the report; 0: 20
  int keep_partial;    // as in kdiag_diagnose_options
  // What a cycle of each run does, such as "tokens", 4096, 16384: times are for as many then. NULL: not said.
  const char *samples;
  double samples_normal, samples_abnormal;  // above 0
  int timings;                              // as in kdiag_diagnose_options: of judging the second run
  const kdiag_policy *policy;               // as in kdiag_diagnose_options: of the findings of the second run
} kdiag_compare_options;
/// Compares two runs and judges the second one: which is slower, by how much more than they vary, and where the
/// difference went. Each side holds one run (FILE#2 is the second run of a file). The report's key `comparison` has it.
KDIAG_C_API kdiag_status kdiag_compare(kdiag_context *context, const kdiag_facts *normal, const kdiag_facts *abnormal,
                                     const kdiag_rules *rules, const kdiag_compare_options *options,
                                     kdiag_report **report);
/// Loads the two sides of a comparison, each from files, folders, archives or FILE#2 that are one run, else
/// KDIAG_ERROR_INPUT. Both are made or none.
KDIAG_C_API kdiag_status kdiag_sides_load(kdiag_context *context, const char *const *normal_paths, size_t normal_count,
                                        const char *const *abnormal_paths, size_t abnormal_count,
                                        const kdiag_load_options *options, kdiag_facts **normal,
                                        kdiag_facts **abnormal);
/// Loads one input that holds both: two runs, the first of which is the normal one.
KDIAG_C_API kdiag_status kdiag_sides_load_both(kdiag_context *context, const char *path,
                                             const kdiag_load_options *options, kdiag_facts **normal,
                                             kdiag_facts **abnormal);
/// Frees a report with its findings and texts. NULL is fine.
KDIAG_C_API void kdiag_report_free(kdiag_report *report);

/// The whole report, schema kdiag.report/1. As the next three it is rendered at the first call, kept as long as the
/// report, and NULL when there is no memory for it. `size` may be NULL.
KDIAG_C_API const char *kdiag_report_json(const kdiag_report *report, size_t *size);
/// The report as Markdown.
KDIAG_C_API const char *kdiag_report_markdown(const kdiag_report *report, size_t *size);
/// The report as SARIF 2.1.0, for code scanners.
KDIAG_C_API const char *kdiag_report_sarif(const kdiag_report *report, size_t *size);
/// The report for people: 100 columns, without colours, at most five findings a run.
KDIAG_C_API const char *kdiag_report_text(const kdiag_report *report, size_t *size);
typedef struct kdiag_text_options {
  size_t size;
  int color;
  int all;       // every finding, every outcome
  size_t width;  // 0: 100
  int verdict_only;  // of a comparison its verdict alone
  size_t changes;    // longest list of changes and of functions of a comparison; 0: 5
} kdiag_text_options;
/// The report for people as the options say; NULL: as kdiag_report_text.
KDIAG_C_API kdiag_status kdiag_report_format(kdiag_context *context, const kdiag_report *report,
                                           const kdiag_text_options *options, kdiag_text **text);
/// The report as a page for a browser (<kdiag/html.hpp>). `facts`: those that were diagnosed, of a comparison the abnormal
/// side; `baseline`: what they were compared with. NULL: the page has what the report says alone.
KDIAG_C_API kdiag_status kdiag_report_html(kdiag_context *context, const kdiag_report *report, const kdiag_facts *facts,
                                         const kdiag_facts *baseline, kdiag_text **html);
/// What to record next, where rules could not tell: one JSON document, schema "kdiag.plan/1" (docs/plan.md).
KDIAG_C_API kdiag_status kdiag_report_plan(kdiag_context *context, const kdiag_report *report, kdiag_text **plan);

enum {
  KDIAG_VERDICT_NONE = 0,  // nothing was compared
  KDIAG_VERDICT_REGRESSION = 1,
  KDIAG_VERDICT_IMPROVEMENT = 2,
  KDIAG_VERDICT_NEUTRAL = 3,
  KDIAG_VERDICT_INCONCLUSIVE = 4
};
/// What was found of the cycle times.
KDIAG_C_API int kdiag_report_verdict(const kdiag_report *report);
/// "regression", ... as JSON has it; "" for what is none.
KDIAG_C_API const char *kdiag_verdict_name(int verdict);

typedef struct kdiag_tally {
  size_t size;
  int fired, clear, not_applicable, inconclusive, failed;
} kdiag_tally;
/// How many rules ended in which way, over all runs.
KDIAG_C_API kdiag_status kdiag_report_tally(const kdiag_report *report, kdiag_tally *tally);

enum {
  KDIAG_SEVERITY_INFO = 0,
  KDIAG_SEVERITY_LOW = 1,
  KDIAG_SEVERITY_MEDIUM = 2,
  KDIAG_SEVERITY_HIGH = 3,
  KDIAG_SEVERITY_CRITICAL = 4
};
/// "critical", ... as JSON has it; "" for what is none.
KDIAG_C_API const char *kdiag_severity_name(int severity);

typedef struct kdiag_device_info {
  size_t size;
  kdiag_string run;  // id of its run in the report
  int64_t id, rank;  // KDIAG_ABSENT_INTEGER: it has no rank
  kdiag_string name, vendor;
  kdiag_string kind;  // GPU, MLU, ...: how texts call it
} kdiag_device_info;
/// How many devices the runs have in all; they stand in the order of the runs.
KDIAG_C_API size_t kdiag_report_device_count(const kdiag_report *report);
/// One of them. Its texts live as long as the report.
KDIAG_C_API kdiag_status kdiag_report_device(const kdiag_report *report, size_t index, kdiag_device_info *info);

/// A finding lives as long as its report.
typedef struct kdiag_finding kdiag_finding;
typedef struct kdiag_finding_info {
  size_t size;
  int severity;  // KDIAG_SEVERITY_*: a larger number is worse
  int64_t rank;  // place in its run, from 1
  kdiag_string run, rule, title, message, fingerprint;
  kdiag_string subject_kind, subject_id, subject_label;
  int64_t impact_ns, impact_low_ns, gain_low_ns, gain_high_ns;  // KDIAG_ABSENT_INTEGER: cannot be stated
  double impact_share, confidence;
  kdiag_string file, function;
  int64_t line;
  size_t recommendations, symptoms, evidence;
} kdiag_finding_info;
typedef struct kdiag_recommendation {
  size_t size;
  kdiag_string text, where, risk, verify, url;
} kdiag_recommendation;
enum { KDIAG_EVIDENCE_UNKNOWN = -1, KDIAG_EVIDENCE_ROWS = 3 };
typedef struct kdiag_evidence {
  size_t size;
  kdiag_string name, unit;
  int type;  // KDIAG_VALUE_* or KDIAG_EVIDENCE_*; the rows of tables are in the JSON report
  int boolean;
  double number;
  int64_t integer;  // exact, or KDIAG_ABSENT_INTEGER when the number is no whole one
  kdiag_string text;  // of KDIAG_VALUE_TEXT
  int64_t since_start_ns;  // of an instant, since the start of the run; else KDIAG_ABSENT_INTEGER
} kdiag_evidence;
/// How many findings there are, without their symptoms; they stand by run in input order, then by rank.
KDIAG_C_API size_t kdiag_report_finding_count(const kdiag_report *report);
/// One of them; NULL when there is none of that index.
KDIAG_C_API const kdiag_finding *kdiag_report_finding(const kdiag_report *report, size_t index);
/// A finding that this one explains; NULL when there is none of that index.
KDIAG_C_API const kdiag_finding *kdiag_finding_symptom(const kdiag_finding *finding, size_t index);
/// What a finding says. Texts of findings live as long as their report.
KDIAG_C_API kdiag_status kdiag_finding_get(const kdiag_finding *finding, kdiag_finding_info *info);
enum { KDIAG_KNOWN_NOT_ASKED = 0, KDIAG_KNOWN = 1, KDIAG_KNOWN_NEW = 2, KDIAG_KNOWN_WORSE = 3 };
typedef struct kdiag_finding_marks {
  size_t size;
  int waived;  // not 0: a waiver accepts it, and the next four say why
  kdiag_string reason, owner, until, place;
  int known;           // KDIAG_KNOWN_*: whether an earlier report has it; worse: it has, and it was less severe
  int known_severity;  // KDIAG_SEVERITY_* of that report where it is worse now, else KDIAG_NOT_STATED
} kdiag_finding_marks;
/// What the policy of the diagnosis says of a finding.
KDIAG_C_API kdiag_status kdiag_finding_marked(const kdiag_finding *finding, kdiag_finding_marks *marks);
/// What to do about it, what that risks, and how to see that it worked.
KDIAG_C_API kdiag_status kdiag_finding_recommendation(const kdiag_finding *finding, size_t index,
                                                    kdiag_recommendation *out);
/// A value that the finding rests on.
KDIAG_C_API kdiag_status kdiag_finding_evidence(const kdiag_finding *finding, size_t index, kdiag_evidence *out);

enum {
  KDIAG_OUTCOME_FAILED = 0,
  KDIAG_OUTCOME_FIRED = 1,
  KDIAG_OUTCOME_INCONCLUSIVE = 2,
  KDIAG_OUTCOME_CLEAR = 3,
  KDIAG_OUTCOME_NOT_APPLICABLE = 4
};
/// "fired", ... as JSON has it; "" for what is none.
KDIAG_C_API const char *kdiag_outcome_name(int outcome);
typedef struct kdiag_outcome {
  size_t size;
  int outcome;  // KDIAG_OUTCOME_*
  kdiag_string run, rule, subject_kind, subject_id, subject_label, reason, nearest;
  size_t missing;  // how many facts
} kdiag_outcome;
/// How many outcomes there are: one for each rule and subject.
KDIAG_C_API size_t kdiag_report_outcome_count(const kdiag_report *report);
/// How a rule ended for a subject, and why. Its texts live as long as the report.
KDIAG_C_API kdiag_status kdiag_report_outcome(const kdiag_report *report, size_t index, kdiag_outcome *out);
/// A fact that an inconclusive rule misses, and how to record it.
KDIAG_C_API kdiag_status kdiag_report_missing(const kdiag_report *report, size_t outcome, size_t index,
                                            kdiag_string *fact, kdiag_string *how_to_record);

/// Why a rule fired or not on each run and subject: the tree of values behind its outcome. `baseline` as in
/// kdiag_diagnose.
KDIAG_C_API kdiag_status kdiag_explain(kdiag_context *context, const kdiag_facts *facts, const kdiag_facts *baseline,
                                     const kdiag_rules *rules, const char *rule, kdiag_text **text);

typedef struct kdiag_answer kdiag_answer;
/// Answers one expression on each run of the facts. `baseline` as in kdiag_diagnose; `rules` may be NULL: the built-in
/// defines.
KDIAG_C_API kdiag_status kdiag_query(kdiag_context *context, const kdiag_facts *facts, const kdiag_facts *baseline,
                                   const kdiag_rules *rules, const char *expression, kdiag_answer **answer);
enum { KDIAG_ANSWER_TEXT = 1, KDIAG_ANSWER_JSON = 2, KDIAG_ANSWER_CSV = 4 };
typedef struct kdiag_query_options {
  size_t size;
  size_t width;     // of tables as text, in columns; 0: any
  size_t max_rows;  // of tables as text, which say how many more there are; 0: all
  uint32_t texts;   // KDIAG_ANSWER_*: which texts of the answer are made, the others stay empty; 0: all
} kdiag_query_options;
/// The same with options; NULL: the defaults.
KDIAG_C_API kdiag_status kdiag_query_with(kdiag_context *context, const kdiag_facts *facts, const kdiag_facts *baseline,
                                        const kdiag_rules *rules, const char *expression,
                                        const kdiag_query_options *options, kdiag_answer **answer);
/// The answer for people; empty when the options left it out. The texts live as long as the answer; `size` may be NULL.
KDIAG_C_API const char *kdiag_answer_text(const kdiag_answer *answer, size_t *size);
/// The same as JSON, of each run.
KDIAG_C_API const char *kdiag_answer_json(const kdiag_answer *answer, size_t *size);
/// The same as CSV, with values in base units.
KDIAG_C_API const char *kdiag_answer_csv(const kdiag_answer *answer, size_t *size);
/// Whether a value was unknown.
KDIAG_C_API int kdiag_answer_unknown(const kdiag_answer *answer);
/// Frees an answer with its texts. NULL is fine.
KDIAG_C_API void kdiag_answer_free(kdiag_answer *answer);

// --- For tools that help to write rules -------------------------------------------------------------------------

enum {
  KDIAG_FORMAT_TEXT = 0,
  KDIAG_FORMAT_JSON = 1,
  KDIAG_FORMAT_JUNIT = 2,
  KDIAG_FORMAT_SARIF = 3,
  KDIAG_FORMAT_TEXT_COLOR = 4,
  KDIAG_FORMAT_GITHUB = 5  // workflow commands of GitHub Actions
};
/// The diagnostics of the last call as text, JSON, SARIF or for GitHub. The call itself leaves them as they are.
KDIAG_C_API kdiag_status kdiag_diagnostics_format(kdiag_context *context, int format, kdiag_text **text);
enum { KDIAG_FILE_RULES = 0, KDIAG_FILE_TESTS = 1, KDIAG_FILE_OTHER = 2 };
/// What a YAML file holds, by its first key. What cannot be read is of kind rules, so that reading it says why.
KDIAG_C_API kdiag_status kdiag_file_kind(kdiag_context *context, const char *path, int *kind);
/// Runs the tests of rule files, test files and folders; none: of the built-in rules. `failed` counts those that do not
/// hold. The diagnostics of the context are the warnings and lints of the rules.
KDIAG_C_API kdiag_status kdiag_rules_test(kdiag_context *context, const char *const *paths, size_t count, int format,
                                        size_t *failed, kdiag_text **text);
typedef struct kdiag_test_options {
  size_t size;
  int without_builtin;  // not 0: judge tests inside rules without the built-in packs
  int without_lua;      // not 0: as in kdiag_rule_options
  const char *filter;   // only tests whose rules or name contain it; NULL: all
  const char *pattern;  // only tests of whose rules or name this regular expression (RE2) finds a part
  int coverage;         // not 0: report what the tests covered
  int verbose;          // not 0: the text names the tests that passed, too
  int imports_outside;  // not 0: as in kdiag_rule_options
} kdiag_test_options;
/// The same with options; NULL: the defaults.
KDIAG_C_API kdiag_status kdiag_rules_test_with(kdiag_context *context, const char *const *paths, size_t count,
                                             const kdiag_test_options *options, int format, size_t *failed,
                                             kdiag_text **text);
/// Runs the tests inside the rules of a set.
KDIAG_C_API kdiag_status kdiag_rules_test_set(kdiag_context *context, const kdiag_rules *rules,
                                            const kdiag_test_options *options, int format, size_t *failed,
                                            kdiag_text **text);
/// Some rules of a set, by their indexes in kdiag_rules_get (NULL: all), in a line each as text or JSON.
KDIAG_C_API kdiag_status kdiag_rules_list(kdiag_context *context, const kdiag_rules *rules, const size_t *indexes,
                                        size_t count, int format, kdiag_text **text);
/// A rule file with its blanks as they should be.
KDIAG_C_API kdiag_status kdiag_rules_format(kdiag_context *context, const char *name, const char *text, size_t size,
                                          kdiag_text **formatted);
/// A rule file to start from.
KDIAG_C_API kdiag_status kdiag_rules_skeleton(kdiag_context *context, const char *id, kdiag_text **text);
/// A test for a rule, cut out of facts.
KDIAG_C_API kdiag_status kdiag_rules_cut_test(kdiag_context *context, const kdiag_facts *facts, const kdiag_rules *rules,
                                            const char *rule, kdiag_text **yaml);
/// The same out of facts and what they are compared with; `baseline` as in kdiag_diagnose.
KDIAG_C_API kdiag_status kdiag_rules_cut_test_with(kdiag_context *context, const kdiag_facts *facts,
                                                 const kdiag_facts *baseline, const kdiag_rules *rules,
                                                 const char *rule, kdiag_text **yaml);
/// Words that fit before the cursor of a query, one a line; they replace what begins at byte `begin`.
KDIAG_C_API kdiag_status kdiag_query_complete(kdiag_context *context, const kdiag_rules *rules, const char *text,
                                            size_t cursor, size_t *begin, kdiag_text **words);
/// What a table, column, function, series or define is; of NULL or "", what can be asked.
KDIAG_C_API kdiag_status kdiag_query_help(kdiag_context *context, const kdiag_rules *rules, const char *topic,
                                        kdiag_text **text);
/// The JSON Schema (2020-12) of rule files, test files and mappings.
KDIAG_C_API kdiag_status kdiag_rule_schema(kdiag_context *context, kdiag_text **json);
/// The catalogue of facts as Markdown.
KDIAG_C_API kdiag_status kdiag_catalogue(kdiag_context *context, kdiag_text **markdown);
/// The formats that are read, with examples and how to record them, for people.
KDIAG_C_API kdiag_status kdiag_formats(kdiag_context *context, kdiag_text **text);

// --- Quantities as reports show them, the same on every machine and locale ---------------------------------------

/// 4192 ns is "4.19 us". `unit` is ns, bytes, Hz, B/s, W, degC, ratio or 1.
KDIAG_C_API kdiag_status kdiag_value_format(kdiag_context *context, double value, const char *unit, kdiag_text **text);
/// A value of evidence, exact whole numbers, texts and instants too; "unknown" for none. Not of rows.
KDIAG_C_API kdiag_status kdiag_evidence_format(kdiag_context *context, const kdiag_evidence *evidence,
                                             kdiag_text **text);
/// Whether it reads as a quantity, so that a column of them is aligned to the right.
KDIAG_C_API int kdiag_evidence_is_quantity(const kdiag_evidence *evidence);
/// "9.24 ms", "12 min 5 s".
KDIAG_C_API kdiag_status kdiag_duration_format(kdiag_context *context, int64_t ns, kdiag_text **text);
/// "3.9 to 4.5 s", "up to 4.5 s"; one duration where both ends are shown alike.
KDIAG_C_API kdiag_status kdiag_duration_range_format(kdiag_context *context, int64_t low_ns, int64_t high_ns,
                                                   kdiag_text **text);
/// Of 0.72 "72 %".
KDIAG_C_API kdiag_status kdiag_share_format(kdiag_context *context, double share, kdiag_text **text);
/// "62-72 %", "up to 72 %"; one share where both ends are shown alike.
KDIAG_C_API kdiag_status kdiag_share_range_format(kdiag_context *context, double low, double high, kdiag_text **text);
/// A whole number: "11,791".
KDIAG_C_API kdiag_status kdiag_count_format(kdiag_context *context, int64_t count, kdiag_text **text);
/// A plain number: "0.7512".
KDIAG_C_API kdiag_status kdiag_number_format(kdiag_context *context, double number, kdiag_text **text);
/// A factor: "3.6x".
KDIAG_C_API kdiag_status kdiag_factor_format(kdiag_context *context, double factor, kdiag_text **text);
/// "did you mean 'sm_clock_max'?" when a misspelt word is close to one of the names, else empty.
KDIAG_C_API kdiag_status kdiag_did_you_mean(kdiag_context *context, const char *word, const char *const *names,
                                          size_t count, kdiag_text **text);

#ifdef __cplusplus
}
#endif

#endif
