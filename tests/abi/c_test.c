// SPDX-License-Identifier: Apache-2.0
// Uses the C interface as a C99 program does: c_test <folder of examples>. Prints what is not as it should be.
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <unistd.h>

#include "check.h"

int failures = 0;
kdiag_context *context;

int equals(kdiag_string text, const char *expected) {
  return text.size == strlen(expected) && memcmp(text.data, expected, text.size) == 0 && text.data[text.size] == 0;
}

int text_has(kdiag_text *text, const char *part) {
  const int found = text != NULL && strstr(kdiag_text_data(text, NULL), part) != NULL;
  kdiag_text_free(text);
  return found;
}

int holds(const kdiag_facts *facts, const kdiag_rules *rules, const char *expression) {
  kdiag_answer *answer = NULL;
  int yes = 0;
  if (kdiag_query(context, facts, NULL, rules, expression, &answer) == KDIAG_OK)
    yes = strstr(kdiag_answer_json(answer, NULL), "true") != NULL;
  if (!yes) fprintf(stderr, "%s: %s\n", expression, answer == NULL ? "" : kdiag_answer_json(answer, NULL));
  kdiag_answer_free(answer);
  return yes;
}

static char *read_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *bytes;
  if (file == NULL) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(*size + 1);
  *size = fread(bytes, 1, *size, file);
  bytes[*size] = 0;
  fclose(file);
  return bytes;
}

struct pieces {
  const char *bytes;
  size_t size, at;
};
static int64_t read_piece(void *user, char *buffer, size_t size) {
  struct pieces *pieces = user;
  size_t count = pieces->size - pieces->at;
  if (count > 1000) count = 1000;
  if (count > size) count = size;
  memcpy(buffer, pieces->bytes + pieces->at, count);
  pieces->at += count;
  return (int64_t)count;
}

static int64_t read_nothing(void *user, char *buffer, size_t size) {
  (void)user, (void)buffer, (void)size;
  return -1;
}

// --- Sources of traces ------------------------------------------------------------------------------------------

static kdiag_facts *load_input(kdiag_input input) {
  kdiag_facts *facts = NULL;
  input.size = sizeof input;
  CHECK(kdiag_facts_load_inputs(context, &input, 1, NULL, &facts) == KDIAG_OK);
  return facts;
}

static void same_report(const kdiag_facts *facts, const kdiag_rules *rules, const char *expected) {
  kdiag_report *report = NULL;
  CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_OK);
  CHECK(report != NULL && strcmp(kdiag_report_json(report, NULL), expected) == 0);
  kdiag_report_free(report);
}

static void test_sources(const char *path, const char *bytes, size_t size, const kdiag_rules *rules) {
  struct pieces pieces = {NULL, 0, 0};
  kdiag_input input = {0};
  kdiag_facts *facts = NULL;
  kdiag_report *report = NULL;
  size_t length = 0;
  char *expected;

  CHECK(kdiag_facts_load(context, path, bytes, size, &facts) == KDIAG_OK);
  CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_OK);
  expected = strdup(kdiag_report_json(report, &length));
  CHECK(strlen(expected) == length && length > 1000);
  kdiag_report_free(report);
  kdiag_facts_free(facts);

  input.name = path;
  input.kind = KDIAG_INPUT_PATH;
  facts = load_input(input);
  same_report(facts, rules, expected);
  kdiag_facts_free(facts);

  input.kind = KDIAG_INPUT_DESCRIPTOR;
  input.descriptor = open(path, O_RDONLY);
  facts = load_input(input);
  same_report(facts, rules, expected);
  kdiag_facts_free(facts);
  CHECK(close(input.descriptor) == 0);

  pieces.bytes = bytes;
  pieces.size = size;
  input.kind = KDIAG_INPUT_CALLBACK;
  input.read = read_piece;
  input.user = &pieces;
  facts = load_input(input);
  same_report(facts, rules, expected);
  kdiag_facts_free(facts);
  free(expected);

  input.size = sizeof input;
  input.read = read_nothing;
  CHECK(kdiag_facts_load_inputs(context, &input, 1, NULL, &facts) == KDIAG_ERROR_INPUT);
  CHECK(facts == NULL && strstr(kdiag_last_error(context), "K618") != NULL);
}

// --- What a report says -----------------------------------------------------------------------------------------

static void test_report(const kdiag_facts *facts, const kdiag_rules *rules) {
  kdiag_report *report = NULL;
  const kdiag_finding *finding;
  kdiag_finding_info info = {sizeof info};
  kdiag_recommendation advice = {sizeof advice};
  kdiag_evidence evidence = {sizeof evidence};
  kdiag_outcome outcome = {sizeof outcome};
  kdiag_tally tally = {sizeof tally};
  kdiag_device_info device = {sizeof device};
  kdiag_text_options options = {sizeof options};
  kdiag_text *text = NULL;
  size_t i, size;

  CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_OK);
  CHECK(kdiag_report_tally(report, &tally) == KDIAG_OK);
  CHECK(tally.fired > 0 && tally.failed == 0);
  CHECK(kdiag_report_finding_count(report) > 0);
  finding = kdiag_report_finding(report, 0);
  CHECK(kdiag_finding_get(finding, &info) == KDIAG_OK);
  CHECK(equals(info.run, "A") && info.rank == 1 && info.impact_ns > 0);
  CHECK(info.severity >= KDIAG_SEVERITY_INFO && info.severity <= KDIAG_SEVERITY_CRITICAL);
  for (i = 1; info.evidence == 0 && i < kdiag_report_finding_count(report); ++i) {
    finding = kdiag_report_finding(report, i);
    CHECK(kdiag_finding_get(finding, &info) == KDIAG_OK);
  }
  CHECK(info.recommendations > 0 && info.evidence > 0);
  CHECK(kdiag_finding_recommendation(finding, 0, &advice) == KDIAG_OK && advice.text.size > 0);
  CHECK(kdiag_finding_recommendation(finding, info.recommendations, &advice) == KDIAG_ERROR_ARGUMENT);
  for (i = 0; i < info.evidence; ++i) {
    CHECK(kdiag_finding_evidence(finding, i, &evidence) == KDIAG_OK);
    CHECK(evidence.name.size > 0);
  }
  CHECK(kdiag_report_finding(report, 1000) == NULL);
  CHECK(kdiag_finding_symptom(finding, 1000) == NULL);

  CHECK(kdiag_report_device_count(report) == 1 && kdiag_report_device_count(NULL) == 0);
  CHECK(kdiag_report_device(report, 0, &device) == KDIAG_OK && equals(device.kind, "GPU") && equals(device.run, "A"));
  CHECK(equals(device.name, "NVIDIA A100-SXM4-80GB") && device.id == 0 && device.rank == KDIAG_ABSENT_INTEGER);
  CHECK(kdiag_report_device(report, 1, &device) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_report_outcome_count(report) >= (size_t)tally.fired);
  CHECK(kdiag_report_outcome(report, 0, &outcome) == KDIAG_OK && outcome.rule.size > 0);
  CHECK(strstr(kdiag_report_text(report, &size), "Verdict") == kdiag_report_text(report, NULL));
  CHECK(strstr(kdiag_report_sarif(report, &size), "2.1.0") != NULL);
  CHECK(kdiag_report_markdown(report, &size)[0] == '#');
  options.width = 60;
  options.all = 1;
  CHECK(kdiag_report_format(context, report, &options, &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "kdiag ") != NULL);
  kdiag_text_free(text);
  CHECK(kdiag_report_html(context, report, facts, NULL, &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "<!doctype html>") == kdiag_text_data(text, NULL));
  CHECK(strstr(kdiag_text_data(text, NULL), "\"drawn\": ") != NULL);
  kdiag_text_free(text);
  CHECK(kdiag_report_html(context, report, NULL, NULL, &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "\"drawn\": ") == NULL);
  kdiag_text_free(text);
  CHECK(kdiag_report_html(context, NULL, facts, NULL, &text) == KDIAG_ERROR_ARGUMENT && text == NULL);
  CHECK(kdiag_report_plan(context, report, &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "\"kdiag.plan/1\"") != NULL);
  kdiag_text_free(text);
  CHECK(kdiag_report_plan(context, NULL, &text) == KDIAG_ERROR_ARGUMENT && text == NULL);
  kdiag_report_free(report);
}

static void test_names(void) {
  CHECK(strcmp(kdiag_severity_name(KDIAG_SEVERITY_CRITICAL), "critical") == 0);
  CHECK(strcmp(kdiag_severity_name(KDIAG_SEVERITY_INFO), "info") == 0);
  CHECK(strcmp(kdiag_outcome_name(KDIAG_OUTCOME_NOT_APPLICABLE), "not_applicable") == 0);
  CHECK(strcmp(kdiag_verdict_name(KDIAG_VERDICT_REGRESSION), "regression") == 0);
  CHECK(strcmp(kdiag_verdict_name(KDIAG_VERDICT_INCONCLUSIVE), "inconclusive") == 0);
  CHECK(kdiag_verdict_name(KDIAG_VERDICT_NONE)[0] == 0 && kdiag_severity_name(5)[0] == 0);
  CHECK(kdiag_outcome_name(-1)[0] == 0 && kdiag_outcome_name(5)[0] == 0 && kdiag_verdict_name(5)[0] == 0);
}

/* Evidence that is an instant is told since the start of the run, too. */
static void test_instants(const kdiag_facts *facts) {
  static const char text[] =
      "kdiag: 1\nrules:\n- rule: t.last\n  title: t\n  when: count(kernels) > 0\n"
      "  evidence:\n    last: max(kernels, start)\n    n: count(kernels)\n";
  kdiag_evidence evidence = {sizeof evidence};
  kdiag_rule_options options = {sizeof options};
  kdiag_rules *rules = NULL;
  kdiag_report *report = NULL;
  const kdiag_finding *finding;
  options.without_builtin = 1;
  CHECK(kdiag_rules_load_text(context, "t.yaml", text, sizeof text - 1, &options, &rules) == KDIAG_OK);
  CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_OK);
  finding = kdiag_report_finding(report, 0);
  CHECK(kdiag_finding_evidence(finding, 0, &evidence) == KDIAG_OK && equals(evidence.name, "last"));
  CHECK(evidence.since_start_ns > 0 && evidence.since_start_ns < evidence.integer);
  CHECK(kdiag_finding_evidence(finding, 1, &evidence) == KDIAG_OK);
  CHECK(evidence.since_start_ns == KDIAG_ABSENT_INTEGER && evidence.integer > 0);
  kdiag_report_free(report);
  kdiag_rules_free(rules);
}

static size_t lines_of(const char *text, size_t *widest) {
  size_t lines = 0, width = 0;
  *widest = 0;
  for (; *text != 0; ++text) {
    width = *text == '\n' ? 0 : width + ((*text & 0xC0) != 0x80); /* code points */
    if (*text == '\n') ++lines;
    if (width > *widest) *widest = width;
  }
  return lines;
}

static void test_questions(const kdiag_facts *facts, const kdiag_rules *rules) {
  kdiag_query_options query = {sizeof query};
  size_t all, widest, narrow;
  kdiag_answer *answer = NULL;
  kdiag_text *text = NULL;
  CHECK(kdiag_query(context, facts, NULL, rules, "count(kernels) > 0", &answer) == KDIAG_OK);
  CHECK(strstr(kdiag_answer_json(answer, NULL), "true") != NULL && kdiag_answer_unknown(answer) == 0);
  kdiag_answer_free(answer);
  CHECK(kdiag_query_with(context, facts, NULL, rules, "kernels", &query, &answer) == KDIAG_OK);
  all = lines_of(kdiag_answer_text(answer, NULL), &widest);
  CHECK(all > 10);
  kdiag_answer_free(answer);
  query.max_rows = 2;
  query.width = 60;
  CHECK(kdiag_query_with(context, facts, NULL, rules, "kernels", &query, &answer) == KDIAG_OK);
  CHECK(lines_of(kdiag_answer_text(answer, NULL), &narrow) < all && narrow <= 60 && widest > 60);
  kdiag_answer_free(answer);
  CHECK(kdiag_query(context, facts, NULL, NULL, "count(kernls)", &answer) == KDIAG_ERROR_RULES);
  CHECK(answer == NULL && strstr(kdiag_last_error(context), "did you mean 'kernels'?") != NULL);
  CHECK(kdiag_explain(context, facts, NULL, rules, "host.sync-stall", &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "host.sync-stall") != NULL);
  kdiag_text_free(text);
  CHECK(kdiag_explain(context, facts, NULL, rules, "no.such-rule", &text) == KDIAG_ERROR_NOT_FOUND);
}

// --- Two runs ---------------------------------------------------------------------------------------------------

static void test_comparing(const kdiag_facts *facts, const kdiag_rules *rules) {
  kdiag_compare_options options = {sizeof options};
  kdiag_text_options style = {sizeof style};
  kdiag_report *report = NULL;
  kdiag_answer *answer = NULL;
  kdiag_text *text = NULL;
  CHECK(kdiag_compare(context, facts, facts, rules, NULL, &report) == KDIAG_OK);
  CHECK(kdiag_report_verdict(report) == KDIAG_VERDICT_NEUTRAL);
  CHECK(strstr(kdiag_report_json(report, NULL), "\"comparison\"") != NULL);
  style.verdict_only = 1;
  CHECK(kdiag_report_format(context, report, &style, &text) == KDIAG_OK);
  CHECK(strlen(kdiag_text_data(text, NULL)) < strlen(kdiag_report_text(report, NULL)));
  kdiag_text_free(text);
  kdiag_report_free(report);
  options.samples = "tokens";
  options.samples_normal = 1024;
  CHECK(kdiag_compare(context, facts, facts, rules, &options, &report) == KDIAG_ERROR_INPUT);
  CHECK(report == NULL && strstr(kdiag_last_error(context), "K697") != NULL);
  options.samples_abnormal = 4096;
  CHECK(kdiag_compare(context, facts, facts, rules, &options, &report) == KDIAG_OK);
  CHECK(kdiag_report_verdict(report) == KDIAG_VERDICT_IMPROVEMENT);
  kdiag_report_free(report);
  options.samples = NULL;
  options.anchor = "no such range";
  CHECK(kdiag_compare(context, facts, facts, rules, &options, &report) == KDIAG_ERROR_INPUT);
  CHECK(report == NULL && strstr(kdiag_last_error(context), "K694") != NULL);
  CHECK(kdiag_compare(context, facts, NULL, rules, NULL, &report) == KDIAG_ERROR_ARGUMENT);

  CHECK(kdiag_diagnose(context, facts, facts, rules, NULL, &report) == KDIAG_OK);
  CHECK(kdiag_report_verdict(report) == KDIAG_VERDICT_NEUTRAL && kdiag_report_verdict(NULL) == KDIAG_VERDICT_NONE);
  CHECK(strstr(kdiag_report_json(report, NULL), "\"baseline\"") != NULL);
  kdiag_report_free(report);
  CHECK(kdiag_query(context, facts, facts, rules, "delta(count(kernels)) == 0", &answer) == KDIAG_OK);
  CHECK(strstr(kdiag_answer_json(answer, NULL), "true") != NULL && kdiag_answer_unknown(answer) == 0);
  kdiag_answer_free(answer);
  CHECK(kdiag_explain(context, facts, facts, rules, "host.sync-stall", &text) == KDIAG_OK);
  kdiag_text_free(text);
}

// --- Columns ----------------------------------------------------------------------------------------------------

static void test_columns(const kdiag_facts *facts) {
  kdiag_table_info table = {sizeof table};
  kdiag_column_info column = {sizeof column};
  kdiag_column_data data = {sizeof data};
  kdiag_series_info series = {sizeof series};
  size_t t, c;
  int64_t rows;
  int names = 0, entities = 0, transient = 0;
  for (t = 0; t < kdiag_table_count(); ++t) {
    CHECK(kdiag_table(t, &table) == KDIAG_OK && equals(table.since, "0.1"));
    if (table.entity) entities += equals(table.name, "devices") || equals(table.name, "frames");
    for (c = 0; c < table.columns; ++c)
      transient += kdiag_column(t, c, &column) == KDIAG_OK && column.since.size > 0 && column.transient;
    if (!equals(table.name, "kernels")) continue;
    CHECK(!table.entity);
    rows = kdiag_facts_rows(facts, 0, t);
    CHECK(rows > 0);
    for (c = 0; c < table.columns; ++c) {
      CHECK(kdiag_column(t, c, &column) == KDIAG_OK);
      CHECK(kdiag_facts_column(facts, 0, t, c, &data) == KDIAG_OK);
      CHECK(data.data == NULL || data.rows == (size_t)rows);
      if (equals(column.name, "dur")) {
        CHECK(data.type == KDIAG_COLUMN_INTEGER && ((const int64_t *)data.data)[0] > 0);
        CHECK(equals(column.unit, "ns"));
      }
      if (equals(column.name, "name")) {
        const kdiag_string name = kdiag_facts_string(facts, 0, ((const uint32_t *)data.data)[0]);
        CHECK(name.size > 0);
        ++names;
      }
    }
  }
  CHECK(names == 1 && entities == 2 && transient > 0);
  CHECK(kdiag_series_count() > 10 && kdiag_series(0, &series) == KDIAG_OK);
  CHECK(equals(series.name, "sm_clock") && equals(series.unit, "Hz") && series.doc.size > 0);
  CHECK(kdiag_series(kdiag_series_count(), &series) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_facts_rows(facts, 7, 0) == -1);
  CHECK(kdiag_facts_string(facts, 0, KDIAG_ABSENT_INDEX).size == 0);
}

// --- Facts of the host ------------------------------------------------------------------------------------------

static void test_builder(const kdiag_rules *rules) {
  kdiag_builder *builder = NULL;
  kdiag_facts *facts = NULL;
  kdiag_answer *answer = NULL;
  kdiag_rows *rows;
  kdiag_row kernel;
  int i;
  CHECK(kdiag_builder_new(context, "simulator", NULL, &builder) == KDIAG_OK);
  rows = kdiag_builder_rows(builder);
  for (i = 0; i < 3; ++i) {
    kernel = kdiag_rows_add(rows, "kernels");
    kdiag_rows_set_text(rows, kernel, "name", "gemm", 4);
    kdiag_rows_set_integer(rows, kernel, "start", 1000 * i);
    kdiag_rows_set_integer(rows, kernel, "dur", 500);
    kdiag_rows_set_row(rows, kernel, "device", kdiag_rows_device(rows, 0));
  }
  CHECK(kdiag_builder_build(context, builder, NULL, &facts) == KDIAG_OK);
  CHECK(kdiag_builder_rows(builder) == NULL);
  kdiag_builder_free(builder);
  CHECK(kdiag_query(context, facts, NULL, rules, "sum(kernels, dur)", &answer) == KDIAG_OK);
  CHECK(strstr(kdiag_answer_json(answer, NULL), "1500") != NULL);
  kdiag_answer_free(answer);
  kdiag_facts_free(facts);

  CHECK(kdiag_builder_new(context, "simulator", NULL, &builder) == KDIAG_OK);
  rows = kdiag_builder_rows(builder);
  kernel = kdiag_rows_add(rows, "kernels");
  kdiag_rows_set_integer(rows, kernel, "druation", 1);
  kdiag_rows_set_text(rows, kernel, "dur", "long", 4);
  kdiag_rows_set_text(rows, kernel, "name", NULL, 5);
  CHECK(kdiag_builder_build(context, builder, NULL, &facts) != KDIAG_OK);
  CHECK(facts == NULL && kdiag_diagnostic_count(context) == 3);
  kdiag_builder_free(builder);
}

static int acme_sniff(void *user, const char *bytes, size_t size) {
  (void)user;
  return size > 4 && memcmp(bytes, "ACME", 4) == 0 ? 90 : 0;
}
static int acme_read(void *user, kdiag_reader *reader, kdiag_rows *rows, kdiag_run_info *info) {
  char buffer[256];
  int64_t got = kdiag_reader_read(reader, buffer, sizeof buffer);
  kdiag_row kernel = kdiag_rows_add(rows, "kernels");
  kdiag_rows_set_text(rows, kernel, "name", "acme", 4);
  kdiag_rows_set_integer(rows, kernel, "dur", got);
  kdiag_reader_skip(reader, "line 7");
  info->producer = user;
  return kdiag_reader_cancelled(reader);
}

static void test_adapter(const kdiag_rules *rules) {
  static char producer[] = "Acme 3";
  kdiag_adapter adapter = {sizeof adapter};
  const kdiag_adapter *adapters[1];
  kdiag_load_options options = {sizeof options};
  kdiag_input input = {sizeof input};
  kdiag_input_info info = {sizeof info};
  kdiag_note note = {sizeof note};
  kdiag_facts *facts = NULL;
  kdiag_answer *answer = NULL;
  adapter.id = "acme";
  adapter.user = producer;
  adapter.sniff = acme_sniff;
  adapter.read = acme_read;
  adapters[0] = &adapter;
  options.adapters = adapters;
  options.adapter_count = 1;
  input.kind = KDIAG_INPUT_MEMORY;
  input.name = "run.acme";
  input.bytes = "ACME trace";
  input.byte_count = strlen(input.bytes);
  CHECK(kdiag_facts_load_inputs(context, &input, 1, &options, &facts) == KDIAG_OK);
  CHECK(kdiag_facts_input(facts, 0, &info) == KDIAG_OK);
  CHECK(equals(info.adapter, "acme") && equals(info.producer, "Acme 3") && info.notes == 1);
  CHECK(kdiag_facts_note(facts, 0, 0, &note) == KDIAG_OK && equals(note.id, "K602") && note.count == 1);
  CHECK(kdiag_query(context, facts, NULL, rules, "max(kernels, dur) == 10ns", &answer) == KDIAG_OK);
  CHECK(strstr(kdiag_answer_json(answer, NULL), "true") != NULL);
  kdiag_answer_free(answer);
  kdiag_facts_free(facts);
}

static int twice(void *user, const kdiag_value *arguments, size_t count, kdiag_value *result) {
  (void)user;
  if (count != 1) return 0;
  result->type = KDIAG_VALUE_NUMBER;
  result->number = 2 * arguments[0].number;
  return 1;
}

static void test_function(const kdiag_facts *facts) {
  static const char *const parameters[] = {"time"};
  kdiag_function function = {sizeof function};
  const kdiag_function *functions[1];
  kdiag_rule_options options = {sizeof options};
  kdiag_rules *rules = NULL;
  kdiag_answer *answer = NULL;
  function.name = "twice";
  function.parameters = parameters;
  function.parameter_count = 1;
  function.result = "time";
  function.call = twice;
  functions[0] = &function;
  options.functions = functions;
  options.function_count = 1;
  CHECK(kdiag_rules_load_paths(context, NULL, 0, &options, &rules) == KDIAG_OK);
  CHECK(kdiag_query(context, facts, NULL, rules, "sum(kernels, twice(dur)) == 2 * sum(kernels, dur)", &answer) == KDIAG_OK);
  CHECK(strstr(kdiag_answer_json(answer, NULL), "true") != NULL);
  kdiag_answer_free(answer);
  CHECK(kdiag_query(context, facts, NULL, rules, "twice(3)", &answer) == KDIAG_ERROR_RULES);
  CHECK(strstr(kdiag_last_error(context), "twice(time) -> time") != NULL);
  kdiag_rules_free(rules);
}

// --- Limits, errors, options ------------------------------------------------------------------------------------

static void count_log(void *user, int level, const char *id, const char *text) {
  int *count = user;
  if (level >= 0 && id[0] == 'K' && text[0] != 0) ++*count;
}

static void test_limits(const char *path, const kdiag_rules *rules) {
  kdiag_facts *facts = NULL;
  kdiag_report *report = NULL;
  kdiag_context_set_limits(context, 5, 0);
  CHECK(kdiag_facts_load_path(context, path, NULL, &facts) == KDIAG_ERROR_LIMIT);
  kdiag_context_set_limits(context, 0, 100);
  CHECK(kdiag_facts_load_path(context, path, NULL, &facts) == KDIAG_ERROR_LIMIT);
  kdiag_context_set_limits(context, 1000000, 1000000000);
  kdiag_context_set_deadline(context, 60000);
  CHECK(kdiag_facts_load_path(context, path, NULL, &facts) == KDIAG_OK);
  kdiag_context_set_limits(context, 0, 0);
  kdiag_load_limits limits = {0};
  limits.size = sizeof limits;
  limits.rows = 5;
  CHECK(kdiag_context_set_load_limits(context, &limits) == KDIAG_OK);
  CHECK(kdiag_context_set_load_limits(context, NULL) == KDIAG_OK);
  limits.size = 0;
  CHECK(kdiag_context_set_load_limits(context, &limits) == KDIAG_ERROR_ARGUMENT);
  kdiag_context_set_limits(context, 0, 0);
  kdiag_context_set_deadline(context, 0);
  kdiag_context_cancel(context);
  CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_ERROR_CANCELLED);
  CHECK(report == NULL);
  CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_ERROR_CANCELLED);
  kdiag_context_reset(context);
  CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_OK);
  kdiag_report_free(report);
  CHECK(kdiag_facts_retain(facts) == facts);
  kdiag_facts_free(facts);
  CHECK(kdiag_facts_run_count(facts) == 1);
  kdiag_facts_free(facts);
}

static void test_errors(void) {
  static const char bad[] = "kdiag: 1\nrules:\n- rule: a.b\n  title: t\n  when: cuont(kernels) > 1\n";
  struct {
    kdiag_load_options known;
    int newer;
  } options = {{sizeof options}, 1};
  kdiag_diagnostic diagnostic = {sizeof diagnostic};
  kdiag_rules *rules = NULL;
  kdiag_facts *facts = NULL;
  kdiag_text *text = NULL;
  int logged = 0;
  CHECK(kdiag_rules_load(context, "bad.yaml", bad, sizeof bad - 1, &rules) == KDIAG_ERROR_RULES);
  CHECK(rules == NULL && kdiag_diagnostic_count(context) == 1);
  CHECK(kdiag_diagnostic_get(context, 0, &diagnostic) == KDIAG_OK);
  CHECK(equals(diagnostic.id, "K303") && equals(diagnostic.source, "bad.yaml"));
  CHECK(diagnostic.line == 5 && diagnostic.column == 9 && diagnostic.length == 5);
  CHECK(kdiag_diagnostics_format(context, KDIAG_FORMAT_JSON, &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "kdiag.diagnostics/1") != NULL);
  kdiag_text_free(text);

  CHECK(kdiag_facts_load_path(context, "no/such/file", NULL, &facts) == KDIAG_ERROR_INPUT);
  CHECK(kdiag_facts_load_path(context, NULL, NULL, &facts) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_facts_load_path(context, "x", NULL, NULL) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_facts_load_path(NULL, "x", NULL, &facts) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_facts_load_path(context, "x", &options.known, &facts) == KDIAG_ERROR_UNSUPPORTED);
  options.newer = 0;
  CHECK(kdiag_facts_load_path(context, "x", &options.known, &facts) == KDIAG_ERROR_INPUT);
  options.known.size = 0;
  CHECK(kdiag_facts_load_path(context, "x", &options.known, &facts) == KDIAG_ERROR_ARGUMENT);

  kdiag_context_set_log(context, count_log, &logged);
  CHECK(kdiag_facts_load(context, "table", "Kernel Latency Tensor DRAM\ngemm | 5 0.1 7\n", 42, &facts) == KDIAG_OK);
  CHECK(logged > 0);
  kdiag_context_set_log(context, NULL, NULL);
  kdiag_facts_free(facts);
}

/* A program that was compiled before members were appended. */
static void test_older_structs(const kdiag_facts *facts, const kdiag_rules *rules) {
  struct {
    size_t size, behind;
  } options;
  kdiag_rule_info rule;
  kdiag_report *report = NULL;
  options.size = sizeof options.size;
  options.behind = (size_t)-1;
  CHECK(kdiag_diagnose(context, facts, NULL, rules, (const kdiag_diagnose_options *)&options, &report) == KDIAG_OK);
  kdiag_report_free(report);
  memset(&rule, 0x55, sizeof rule);
  rule.size = offsetof(kdiag_rule_info, tags);
  CHECK(kdiag_rules_get(rules, 0, &rule) == KDIAG_OK && rule.id.size > 0);
  CHECK(rule.tags.size != 0 && ((const unsigned char *)&rule.tags)[0] == 0x55);
}

/* A program that was compiled with members that this library does not have yet, and one that never set a size. */
static void test_newer_structs(const kdiag_facts *facts, const kdiag_rules *rules) {
  struct {
    kdiag_rule_info known;
    kdiag_string newer;
  } rule;
  struct {
    kdiag_diagnose_options known;
    int newer;
  } options;
  kdiag_report *report = NULL;
  memset(&rule, 0x55, sizeof rule);
  rule.known.size = sizeof rule;
  CHECK(kdiag_rules_get(rules, 0, &rule.known) == KDIAG_OK && rule.known.id.size > 0);
  CHECK(rule.known.size == sizeof rule && rule.newer.data == NULL && rule.newer.size == 0);
  memset(&rule, 0x55, sizeof rule); /* a size that nothing has */
  CHECK(kdiag_rules_get(rules, 0, &rule.known) == KDIAG_ERROR_ARGUMENT && rule.newer.size != 0);
  memset(&options, 0x55, sizeof options);
  CHECK(kdiag_diagnose(context, facts, NULL, rules, &options.known, &report) == KDIAG_ERROR_ARGUMENT);
  memset(&options, 0, sizeof options);
  options.known.size = sizeof options;
  CHECK(kdiag_diagnose(context, facts, NULL, rules, &options.known, &report) == KDIAG_OK);
  kdiag_report_free(report);
  options.newer = 1;
  CHECK(kdiag_diagnose(context, facts, NULL, rules, &options.known, &report) == KDIAG_ERROR_UNSUPPORTED);
}

static void test_tools(const kdiag_rules *rules) {
  kdiag_text *text = NULL;
  kdiag_rule_info rule = {sizeof rule};
  size_t begin = 0;
  CHECK(kdiag_rules_count(rules) > 10 && kdiag_rules_get(rules, 0, &rule) == KDIAG_OK && rule.id.size > 0);
  CHECK(kdiag_rules_describe(context, rules, rule.id.data, &text) == KDIAG_OK);
  kdiag_text_free(text);
  CHECK(kdiag_rules_skeleton(context, "my.rule", &text) == KDIAG_OK);
  kdiag_text_free(text);
  CHECK(kdiag_query_complete(context, rules, "count(kern", 10, &begin, &text) == KDIAG_OK);
  CHECK(begin == 6 && strstr(kdiag_text_data(text, NULL), "kernels\n") != NULL);
  kdiag_text_free(text);
  CHECK(kdiag_formats(context, &text) == KDIAG_OK);
  kdiag_text_free(text);
}

int main(int argc, char **argv) {
  char path[4096], rule_path[4096];
  const char *paths[1];
  size_t size = 0;
  char *bytes;
  kdiag_rules *rules = NULL;
  kdiag_facts *facts = NULL;
  if (argc != 2 || kdiag_context_new(&context) != KDIAG_OK) return 2;
  snprintf(path, sizeof path, "%s/traces/item_storm.json", argv[1]);
  snprintf(rule_path, sizeof rule_path, "%s/rules/loss_reads.yaml", argv[1]);
  paths[0] = rule_path;
  bytes = read_file(path, &size);
  if (bytes == NULL) return 2;
  CHECK(strchr(kdiag_version(), '.') != NULL);
  CHECK(kdiag_rules_load_paths(context, paths, 1, NULL, &rules) == KDIAG_OK);
  CHECK(kdiag_facts_load_path(context, path, NULL, &facts) == KDIAG_OK);
  if (rules != NULL && facts != NULL) {
    test_sources(path, bytes, size, rules);
    test_report(facts, rules);
    test_questions(facts, rules);
    test_comparing(facts, rules);
    test_columns(facts);
    test_builder(rules);
    test_adapter(rules);
    test_function(facts);
    test_limits(path, rules);
    test_errors();
    test_tools(rules);
    test_names();
    test_instants(facts);
    test_older_structs(facts, rules);
    test_newer_structs(facts, rules);
    test_rows(rules);
    test_adapters(argv[1], rules);
    test_rules(argv[1], facts);
    test_policies(facts, rules);
    test_format(facts);
    test_stopping(path, facts);
  }
  kdiag_facts_free(facts);
  kdiag_rules_free(rules);
  kdiag_rules_free(NULL);
  kdiag_context_free(context);
  free(bytes);
  return failures == 0 ? 0 : 1;
}
