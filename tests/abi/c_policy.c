/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface: project files, waivers, known findings. */
#include "check.h"

static const char text[] =
    "kdiag_project: 1\n"
    "select: [host, kernel.fp32-matmul]\n"
    "params: {kernel.fp32-matmul: {share: 90%}}\n"
    "for: [{input: '*storm*', baseline: good.json}]\n"
    "fail_on: high\n"
    "strict: true\n"
    "waivers:\n"
    "- {rule: host.sync-stall, reason: on purpose, owner: us, until: 2026-12-31}\n";

/* The marks of the finding of a rule; found is 0 where there is none. */
static kdiag_finding_marks marks_of(const kdiag_report *report, const char *rule, int *found) {
  kdiag_finding_marks marks = {sizeof marks};
  kdiag_finding_info info = {sizeof info};
  size_t i;
  *found = 0;
  for (i = 0; i < kdiag_report_finding_count(report); ++i) {
    const kdiag_finding *finding = kdiag_report_finding(report, i);
    if (kdiag_finding_get(finding, &info) != KDIAG_OK || !equals(info.rule, rule)) continue;
    CHECK(kdiag_finding_marked(finding, &marks) == KDIAG_OK);
    *found = 1;
  }
  return marks;
}

static kdiag_report *judged(const kdiag_facts *facts, const kdiag_rules *rules, const kdiag_policy *policy) {
  kdiag_diagnose_options options = {sizeof options};
  kdiag_report *report = NULL;
  options.policy = policy;
  CHECK(kdiag_diagnose(context, facts, NULL, rules, &options, &report) == KDIAG_OK);
  return report;
}

static void test_project(const kdiag_facts *facts) {
  const char *inputs[] = {"item_storm.json"};
  kdiag_project *project = NULL;
  kdiag_project_info info = {sizeof info};
  kdiag_rule_options options = {sizeof options};
  kdiag_rules *rules = NULL;
  kdiag_report *report;
  kdiag_finding_marks marks;
  int found;
  CHECK(kdiag_project_load(context, "kdiag.yaml", text, sizeof text - 1, &project) == KDIAG_OK);
  CHECK(kdiag_project_get(project, &info) == KDIAG_OK);
  CHECK(info.fail_on == KDIAG_SEVERITY_HIGH && info.strict == 1 && info.all == KDIAG_NOT_STATED);
  CHECK(equals(info.file, "kdiag.yaml") && equals(info.known, "") && equals(info.format, ""));
  CHECK(kdiag_project_count(project, KDIAG_PROJECT_RULES) == 0 && kdiag_project_count(project, 77) == 0);
  CHECK(equals(kdiag_project_entry(project, KDIAG_PROJECT_MAPS, 3), "") && kdiag_project_count(NULL, 0) == 0);
  options.project = project;
  options.inputs = inputs;
  options.input_count = 1;
  CHECK(kdiag_rules_load_paths(context, NULL, 0, &options, &rules) == KDIAG_OK);
  CHECK(kdiag_rules_judged(rules) < 20);
  report = judged(facts, rules, NULL);
  marks = marks_of(report, "kernel.fp32-matmul", &found);
  CHECK(!found); /* a parameter of the project keeps it silent */
  marks = marks_of(report, "host.sync-stall", &found);
  CHECK(found && !marks.waived && marks.known == KDIAG_KNOWN_NOT_ASKED && marks.known_severity == KDIAG_NOT_STATED);
  kdiag_report_free(report);
  kdiag_rules_free(rules);
  kdiag_project_free(kdiag_project_retain(project));
  kdiag_project_free(project);
  CHECK(kdiag_project_load(context, "kdiag.yaml", "kdiag_project: 1\nselct: []\n", 27, &project) == KDIAG_ERROR_RULES);
  CHECK(project == NULL && strstr(kdiag_last_error(context), "did you mean 'select'") != NULL);
}

static void test_choice(const kdiag_facts *facts) {
  const char *select[] = {"host"}, *ignore[] = {"host.sync-stall"}, *wrong[] = {"hsot"};
  kdiag_rule_options options = {sizeof options};
  kdiag_rules *rules = NULL;
  kdiag_report *report;
  int found;
  options.select = select;
  options.ignore = ignore;
  options.select_count = options.ignore_count = 1;
  CHECK(kdiag_rules_load_paths(context, NULL, 0, &options, &rules) == KDIAG_OK);
  report = judged(facts, rules, NULL);
  marks_of(report, "host.sync-stall", &found);
  CHECK(!found);
  kdiag_report_free(report);
  kdiag_rules_free(rules);
  options.select = wrong;
  CHECK(kdiag_rules_load_paths(context, NULL, 0, &options, &rules) == KDIAG_ERROR_NOT_FOUND && rules == NULL);
}

static void test_waivers(const kdiag_facts *facts, const kdiag_rules *rules) {
  kdiag_policy_options options = {sizeof options};
  kdiag_project *project = NULL;
  kdiag_policy *policy = NULL;
  kdiag_report *report;
  kdiag_finding_marks marks;
  int found;
  CHECK(kdiag_project_load(context, "kdiag.yaml", text, sizeof text - 1, &project) == KDIAG_OK);
  options.project = project;
  options.today = "2026-11-26";
  CHECK(kdiag_policy_new(context, rules, &options, &policy) == KDIAG_OK);
  report = judged(facts, rules, policy);
  marks = marks_of(report, "host.sync-stall", &found);
  CHECK(found && marks.waived && equals(marks.reason, "on purpose") && equals(marks.owner, "us"));
  CHECK(equals(marks.until, "2026-12-31") && equals(marks.place, "kdiag.yaml:8"));
  kdiag_report_free(report);
  kdiag_policy_free(kdiag_policy_retain(policy));
  kdiag_policy_free(policy);
  options.today = "2027-01-01";
  CHECK(kdiag_policy_new(context, rules, &options, &policy) == KDIAG_OK);
  kdiag_project_free(project); /* a policy outlives its project */
  report = judged(facts, rules, policy);
  CHECK(!marks_of(report, "host.sync-stall", &found).waived && found);
  CHECK(strstr(kdiag_report_json(report, NULL), "\"expired\"") != NULL);
  kdiag_report_free(report);
  kdiag_policy_free(policy);
  options.project = NULL;
  options.today = "tomorrow";
  CHECK(kdiag_policy_new(context, rules, &options, &policy) == KDIAG_ERROR_ARGUMENT && policy == NULL);
  CHECK(kdiag_policy_new(context, NULL, NULL, &policy) == KDIAG_ERROR_ARGUMENT);
}

static void test_known(const kdiag_facts *facts, const kdiag_rules *rules) {
  kdiag_policy_options options = {sizeof options};
  kdiag_policy *policy = NULL;
  kdiag_report *report = judged(facts, rules, NULL), *again;
  kdiag_compare_options comparing = {sizeof comparing};
  int found;
  options.known = "before.json";
  options.known_text = kdiag_report_json(report, &options.known_size);
  CHECK(kdiag_policy_new(context, rules, &options, &policy) == KDIAG_OK);
  again = judged(facts, rules, policy);
  CHECK(marks_of(again, "host.sync-stall", &found).known == KDIAG_KNOWN && found);
  kdiag_report_free(again);
  comparing.policy = policy;
  CHECK(kdiag_compare(context, facts, facts, rules, &comparing, &again) == KDIAG_OK);
  CHECK(marks_of(again, "host.sync-stall", &found).known == KDIAG_KNOWN && found);
  kdiag_report_free(again);
  kdiag_policy_free(policy);
  kdiag_report_free(report);
  options.known_text = "{}";
  options.known_size = 2;
  CHECK(kdiag_policy_new(context, rules, &options, &policy) == KDIAG_ERROR_INPUT && policy == NULL);
  options.known_text = NULL;
  options.known = "missing/report.json";
  CHECK(kdiag_policy_new(context, rules, &options, &policy) == KDIAG_ERROR_RULES);
  CHECK(kdiag_finding_marked(NULL, NULL) == KDIAG_ERROR_ARGUMENT);
}

void test_policies(const kdiag_facts *facts, const kdiag_rules *rules) {
  test_project(facts);
  test_choice(facts);
  test_waivers(facts, rules);
  test_known(facts, rules);
}
