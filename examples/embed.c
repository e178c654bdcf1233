// SPDX-License-Identifier: Apache-2.0
// Embeds kdiag by its C interface: judges a trace by the built-in rules and one's own, and walks the findings.
//     embed_c trace.json rules.yaml
#include <stdio.h>

#include <kdiag/kdiag.h>

static void print_findings(const kdiag_report *report) {
  size_t i, j;
  for (i = 0; i < kdiag_report_finding_count(report); ++i) {
    const kdiag_finding *finding = kdiag_report_finding(report, i);
    kdiag_finding_info info = {sizeof info};
    kdiag_recommendation advice = {sizeof advice};
    kdiag_finding_get(finding, &info);
    printf("%s: %s\n", info.rule.data, info.title.data);
    if (info.impact_ns != KDIAG_ABSENT_INTEGER) printf("  explains %g ms\n", (double)info.impact_ns / 1e6);
    for (j = 0; j < info.recommendations; ++j)
      if (kdiag_finding_recommendation(finding, j, &advice) == KDIAG_OK) printf("  do: %s\n", advice.text.data);
  }
}

int main(int argc, char **argv) {
  kdiag_context *context = NULL;
  kdiag_facts *facts = NULL;
  kdiag_rules *rules = NULL;
  kdiag_report *report = NULL;
  const char *rule_files[1];
  kdiag_status status;
  if (argc != 3) {
    fputs("usage: embed_c TRACE RULES\n", stderr);
    return 2;
  }
  rule_files[0] = argv[2];
  status = kdiag_context_new(&context);
  if (status == KDIAG_OK) status = kdiag_rules_load_paths(context, rule_files, 1, NULL, &rules);
  if (status == KDIAG_OK) status = kdiag_facts_load_path(context, argv[1], NULL, &facts);
  if (status == KDIAG_OK) status = kdiag_diagnose(context, facts, NULL, rules, NULL, &report);
  if (status == KDIAG_OK) print_findings(report);
  else fputs(kdiag_last_error(context), stderr);
  kdiag_report_free(report);
  kdiag_facts_free(facts);
  kdiag_rules_free(rules);
  kdiag_context_free(context);
  return status == KDIAG_OK ? 0 : 2;
}
