/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface: rules at hand, their warnings and tests, diagnostics with all their places. */
#include "check.h"

static const char bare[] =
    "kdiag: 1\n"
    "rules:\n"
    "- rule: my.bare\n"
    "  title: t\n"
    "  status: incubating\n"
    "  tags: [alpha, beta]\n"
    "  when: count(kernels) > 20 and count(kernels) > 10\n"
    "  tests:\n"
    "    - {name: many, facts: {kernels: [{name: k, start: 0us+1us*30, dur: 1us}]}, expect: fired}\n"
    "    - {name: few, facts: {kernels: [{name: k, start: 0us, dur: 1us}]}, expect: fired}\n"
    "- rule: my.other\n"
    "  title: t\n"
    "  let: {unused: count(ops)}\n"
    "  when: count(kernels) > 20\n";

static kdiag_rules *load_bare(int without_builtin, int incubating) {
  kdiag_rule_options options = {sizeof options};
  kdiag_rules *rules = NULL;
  options.without_builtin = without_builtin;
  options.incubating = incubating;
  CHECK(kdiag_rules_load_text(context, "bare.yaml", bare, sizeof bare - 1, &options, &rules) == KDIAG_OK);
  return rules;
}

static void test_lists(void) {
  const size_t second[] = {1}, none[] = {7};
  kdiag_rules *rules = load_bare(1, 0);
  kdiag_rule_info info = {sizeof info};
  kdiag_text *text = NULL;
  CHECK(kdiag_rules_count(rules) == 2 && kdiag_rules_judged(rules) == 1 && kdiag_rules_judged(NULL) == 0);
  CHECK(kdiag_rules_get(rules, 0, &info) == KDIAG_OK && equals(info.tags, "alpha,beta"));
  CHECK(kdiag_rules_get(rules, 1, &info) == KDIAG_OK && equals(info.tags, "") && info.line == 11);
  CHECK(kdiag_rules_list(context, rules, NULL, 0, KDIAG_FORMAT_TEXT, &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "my.bare") != NULL && text_has(text, "my.other"));
  CHECK(kdiag_rules_list(context, rules, second, 1, KDIAG_FORMAT_JSON, &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "my.bare") == NULL && text_has(text, "\"my.other\""));
  CHECK(kdiag_rules_list(context, rules, none, 1, KDIAG_FORMAT_JSON, &text) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_rules_list(context, rules, NULL, 0, KDIAG_FORMAT_JUNIT, &text) == KDIAG_ERROR_UNSUPPORTED);
  CHECK(kdiag_rules_source(context, rules, "my.other", &text) == KDIAG_OK);
  CHECK(strstr(kdiag_text_data(text, NULL), "- rule: my.other\n") == kdiag_text_data(text, NULL));
  kdiag_text_free(text);
  CHECK(kdiag_rules_source(context, rules, "my.othr", &text) == KDIAG_ERROR_NOT_FOUND && text == NULL);
  CHECK(kdiag_rules_index(context, rules, &text) == KDIAG_OK && text_has(text, "my.other"));
  kdiag_rules_free(rules);
  rules = load_bare(1, 1);
  CHECK(kdiag_rules_judged(rules) == 2);
  kdiag_rules_free(rules);
}

static const char importer[] = "kdiag: 1\nimport: [lib/names.yaml]\nrules:\n- {rule: my.far, title: t, when: many}\n";
static const char imported[] = "kdiag: 1\ndefine:\n- {name: many, type: bool, expr: count(kernels) > 20}\n";

static int read_from_memory(void *user, const char *path, kdiag_write_fn write, void *sink) {
  ++*(int *)user;
  if (strcmp(path, "site/all.yaml") == 0) return write(sink, importer, 30) && write(sink, importer + 30, sizeof importer - 31);
  if (strcmp(path, "site/lib/names.yaml") == 0) return write(sink, imported, sizeof imported - 1);
  return 0;
}

static void test_files_of_the_host(void) {
  const char *paths[] = {"site/all.yaml"}, *missing[] = {"site/other.yaml"};
  kdiag_rule_options options = {sizeof options};
  kdiag_rules *rules = NULL;
  int calls = 0;
  options.without_builtin = 1;
  options.read_file = read_from_memory;
  options.read_file_user = &calls;
  CHECK(kdiag_rules_load_paths(context, paths, 1, &options, &rules) == KDIAG_OK);
  CHECK(calls == 2 && kdiag_rules_count(rules) == 1);
  kdiag_rules_free(rules);
  CHECK(kdiag_rules_load_paths(context, missing, 1, &options, &rules) != KDIAG_OK && rules == NULL);
  CHECK(strstr(kdiag_last_error(context), "the host has none of that name") != NULL);
}

static int has_diagnostic(const char *id, int level) {
  kdiag_diagnostic diagnostic = {sizeof diagnostic};
  size_t i;
  for (i = 0; i < kdiag_diagnostic_count(context); ++i)
    if (kdiag_diagnostic_get(context, i, &diagnostic) == KDIAG_OK && equals(diagnostic.id, id))
      return diagnostic.level == level;
  return 0;
}

static void test_warnings(void) {
  kdiag_rules *rules = load_bare(1, 0);
  kdiag_text *text = NULL;
  size_t warnings;
  CHECK(kdiag_rules_skeleton(context, "a.b", &text) == KDIAG_OK); /* the warnings of loading are gone */
  kdiag_text_free(text);
  CHECK(kdiag_diagnostic_count(context) == 0);
  CHECK(kdiag_rules_warnings(context, rules) == KDIAG_OK);
  warnings = kdiag_diagnostic_count(context);
  CHECK(warnings > 0 && has_diagnostic("K401", KDIAG_LEVEL_WARNING) && kdiag_last_error(context)[0] == 0);
  CHECK(kdiag_diagnostics_format(context, KDIAG_FORMAT_GITHUB, &text) == KDIAG_OK && text_has(text, "::warning "));
  CHECK(kdiag_diagnostics_format(context, KDIAG_FORMAT_TEXT_COLOR, &text) == KDIAG_OK && text_has(text, "\x1b["));
  CHECK(kdiag_diagnostics_format(context, KDIAG_FORMAT_JUNIT, &text) == KDIAG_ERROR_UNSUPPORTED && text == NULL);
  CHECK(kdiag_rules_style(context, rules) == KDIAG_OK);
  CHECK(has_diagnostic("K423", KDIAG_LEVEL_NOTE) && !has_diagnostic("K401", KDIAG_LEVEL_WARNING));
  CHECK(kdiag_rules_warnings(context, NULL) == KDIAG_ERROR_ARGUMENT);
  kdiag_rules_free(rules);
}

static void count_warnings(void *user, int level, const char *id, const char *text) {
  size_t *count = user;
  if (level == KDIAG_LEVEL_WARNING && id[0] == 'K' && text[0] != 0) ++*count;
}

static void test_tests(const char *folder) {
  const char *paths[1];
  char path[4096];
  kdiag_test_options options = {sizeof options};
  kdiag_rules *rules = load_bare(1, 1);
  kdiag_text *text = NULL;
  size_t failed = 9, logged = 0;
  FILE *file;
  int kind = 9;
  CHECK(kdiag_rules_test_set(context, rules, NULL, KDIAG_FORMAT_TEXT, &failed, &text) == KDIAG_OK);
  CHECK(failed == 1 && text_has(text, "few"));
  options.filter = "many";
  CHECK(kdiag_rules_test_set(context, rules, &options, KDIAG_FORMAT_TEXT, &failed, &text) == KDIAG_OK);
  CHECK(failed == 0 && strstr(kdiag_text_data(text, NULL), "many") == NULL && !text_has(text, "few"));
  options.verbose = 1;
  CHECK(kdiag_rules_test_set(context, rules, &options, KDIAG_FORMAT_TEXT, &failed, &text) == KDIAG_OK);
  CHECK(text_has(text, "many"));
  options.filter = NULL;
  options.pattern = "^f.w$";
  options.coverage = 1;
  CHECK(kdiag_rules_test_set(context, rules, &options, KDIAG_FORMAT_JSON, &failed, &text) == KDIAG_OK);
  CHECK(failed == 1 && strstr(kdiag_text_data(text, NULL), "\"coverage\": {") != NULL && !text_has(text, "\"many\""));
  options.pattern = "(";
  CHECK(kdiag_rules_test_set(context, rules, &options, KDIAG_FORMAT_JSON, &failed, &text) != KDIAG_OK);
  CHECK(strstr(kdiag_last_error(context), "K697") != NULL && text == NULL);
  kdiag_rules_free(rules);

  file = fopen("bare_rules.yaml", "wb");
  if (file == NULL) return;
  fputs(bare, file);
  fclose(file);
  paths[0] = "bare_rules.yaml";
  options.pattern = NULL;
  options.coverage = 0;
  options.without_builtin = 1;
  kdiag_context_set_log(context, count_warnings, &logged);
  CHECK(kdiag_rules_test_with(context, paths, 1, &options, KDIAG_FORMAT_JUNIT, &failed, &text) == KDIAG_OK);
  kdiag_context_set_log(context, NULL, NULL);
  CHECK(logged > 0 && logged == kdiag_diagnostic_count(context));
  CHECK(failed == 1 && has_diagnostic("K401", KDIAG_LEVEL_WARNING) && text_has(text, "<testsuite"));
  CHECK(kdiag_rules_test(context, paths, 1, KDIAG_FORMAT_SARIF, &failed, &text) == KDIAG_ERROR_UNSUPPORTED);
  remove(paths[0]);

  snprintf(path, sizeof path, "%s/rules/loss_reads_test.yaml", folder);
  CHECK(kdiag_file_kind(context, path, &kind) == KDIAG_OK && kind == KDIAG_FILE_TESTS);
  snprintf(path, sizeof path, "%s/rules/loss_reads.yaml", folder);
  CHECK(kdiag_file_kind(context, path, &kind) == KDIAG_OK && kind == KDIAG_FILE_RULES);
  snprintf(path, sizeof path, "%s/maps/trainer_log.yaml", folder);
  CHECK(kdiag_file_kind(context, path, &kind) == KDIAG_OK && kind == KDIAG_FILE_OTHER);
  CHECK(kdiag_file_kind(context, path, NULL) == KDIAG_ERROR_ARGUMENT);
}

static void test_labels(void) {
  static const char twice[] =
      "kdiag: 1\nrules:\n"
      "- {rule: a.b, title: t, when: cuont(kernels) > 1}\n"
      "- {rule: a.c, title: t, when: count(kernels) > 1}\n"
      "- {rule: a.c, title: t, when: count(kernels) > 2}\n";
  kdiag_diagnostic diagnostic = {sizeof diagnostic};
  kdiag_label label = {sizeof label};
  kdiag_rules *rules = NULL;
  size_t i;
  int two_places = 0, of_rule = 0;
  CHECK(kdiag_rules_load(context, "twice.yaml", twice, sizeof twice - 1, &rules) == KDIAG_ERROR_RULES);
  for (i = 0; i < kdiag_diagnostic_count(context); ++i) {
    CHECK(kdiag_diagnostic_get(context, i, &diagnostic) == KDIAG_OK);
    of_rule += equals(diagnostic.context, "rule a.b");
    CHECK(kdiag_diagnostic_label(context, i, 0, &label) == KDIAG_OK);
    CHECK(label.line == diagnostic.line && label.column == diagnostic.column && label.offset == diagnostic.offset);
    CHECK(kdiag_diagnostic_label(context, i, diagnostic.labels, &label) == KDIAG_ERROR_ARGUMENT);
    if (diagnostic.labels < 2) continue;
    ++two_places;
    CHECK(kdiag_diagnostic_label(context, i, 1, &label) == KDIAG_OK && label.text.size > 0);
    CHECK(equals(label.source, "twice.yaml") && label.line == 4 && diagnostic.line == 5 && label.length > 0);
  }
  CHECK(of_rule == 1 && two_places == 1);
  CHECK(kdiag_diagnostic_label(context, 100, 0, &label) == KDIAG_ERROR_ARGUMENT);
}

/* A script that takes more than a millisecond, and few of its instructions. */
static void test_lua_wall(const kdiag_facts *facts) {
  static const char script[] =
      "return { id = 'my.loop', title = 't', detect = function(kd)\n"
      "  local sum = 0\n"
      "  for i = 1, 3000000 do sum = sum + i end\n"
      "  kd.finding{}\n"
      "end }\n";
  kdiag_rule_options options = {sizeof options};
  kdiag_rules *rules = NULL;
  kdiag_report *report = NULL;
  kdiag_tally tally = {sizeof tally};
  int no_wall;
  options.without_builtin = 1;
  options.lua_wall_ms = 1;
  for (no_wall = 0; no_wall < 2; ++no_wall) {
    options.lua_no_wall = no_wall;
    if (kdiag_rules_load_text(context, "loop.lua", script, sizeof script - 1, &options, &rules) != KDIAG_OK) {
      CHECK(strstr(kdiag_last_error(context), "K741") != NULL); /* a build without Lua */
      return;
    }
    CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_OK);
    CHECK(kdiag_report_tally(report, &tally) == KDIAG_OK);
    CHECK(tally.failed == 1 - no_wall && tally.fired == no_wall);
    kdiag_report_free(report);
    kdiag_rules_free(rules);
  }
}

void test_rules(const char *folder, const kdiag_facts *facts) {
  test_lists();
  test_files_of_the_host();
  test_warnings();
  test_tests(folder);
  test_labels();
  test_lua_wall(facts);
}
