/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface: calls that are cancelled while they run, from a callback at a known moment. */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

#include "check.h"

static int calls, slow, calls_of_context, calls_of_other;
static kdiag_status reentered;
static kdiag_context *other;

/* A function of rules that cancels the call which evaluates it, or takes its time. */
static int cancel_now(void *user, const kdiag_value *arguments, size_t count, kdiag_value *result) {
  static const struct timespec pause = {0, 50000000};
  kdiag_text *text = NULL;
  (void)arguments, (void)count;
  ++calls;
  calls_of_context += kdiag_context_is_calling(context);
  calls_of_other += kdiag_context_is_calling(other);
  if (calls_of_other > 0) reentered = kdiag_formats(other, &text);
  if (user != NULL) kdiag_context_cancel(user);
  if (slow) nanosleep(&pause, NULL);
  result->type = KDIAG_VALUE_NUMBER;
  result->number = 2;
  return 1;
}

static kdiag_rules *stopping_rules(void *user) {
  static const char text[] =
      "kdiag: 1\nrules:\n"
      "- {rule: t.first, title: t, when: count(kernels) > 0}\n"
      "- {rule: t.stops, title: t, when: count(kernels) > cancel_now()}\n"
      "- {rule: t.third, title: t, when: count(kernels) > 2}\n";
  static kdiag_function function = {sizeof function};
  const kdiag_function *functions[1];
  kdiag_rule_options options = {sizeof options};
  kdiag_rules *rules = NULL;
  function.name = "cancel_now";
  function.result = "number";
  function.call = cancel_now;
  function.user = user;
  functions[0] = &function;
  options.functions = functions;
  options.function_count = 1;
  options.without_builtin = 1;
  CHECK(kdiag_rules_load_text(context, "t.yaml", text, sizeof text - 1, &options, &rules) == KDIAG_OK);
  return rules;
}

static void test_partial(const kdiag_facts *facts) {
  kdiag_diagnose_options keep = {sizeof keep};
  kdiag_compare_options keep_comparison = {sizeof keep_comparison};
  kdiag_report *report = NULL;
  kdiag_rules *rules = stopping_rules(context);
  kdiag_context_set_threads(context, 1);
  CHECK(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_ERROR_CANCELLED && report == NULL);
  kdiag_context_reset(context);
  keep.keep_partial = 1;
  CHECK(kdiag_diagnose(context, facts, NULL, rules, &keep, &report) == KDIAG_ERROR_CANCELLED);
  CHECK(report != NULL && kdiag_report_outcome_count(report) == 2); /* not of the third rule */
  kdiag_report_free(report);
  CHECK(kdiag_diagnose(context, facts, NULL, rules, &keep, &report) == KDIAG_ERROR_CANCELLED);
  CHECK(report == NULL); /* nothing was judged */
  kdiag_context_reset(context);
  keep_comparison.keep_partial = 1;
  CHECK(kdiag_compare(context, facts, facts, rules, &keep_comparison, &report) == KDIAG_ERROR_CANCELLED);
  CHECK(report != NULL);
  kdiag_report_free(report);
  kdiag_context_reset(context);
  kdiag_context_set_threads(context, 0);
  kdiag_rules_free(rules);
}

static void test_cutting(const kdiag_facts *facts) {
  kdiag_text *text = NULL;
  kdiag_rules *rules = stopping_rules(NULL);
  CHECK(kdiag_rules_cut_test(context, facts, rules, "t.stops", &text) == KDIAG_OK);
  CHECK(text_has(text, "expect: fired"));
  CHECK(kdiag_rules_cut_test_with(context, facts, facts, rules, "t.stops", &text) == KDIAG_OK);
  CHECK(text_has(text, " against "));
  CHECK(kdiag_rules_cut_test(context, NULL, rules, "t.stops", &text) == KDIAG_ERROR_ARGUMENT);
  kdiag_rules_free(rules);

  rules = stopping_rules(context);
  calls = 0;
  CHECK(kdiag_rules_cut_test(context, facts, rules, "t.stops", &text) == KDIAG_ERROR_CANCELLED);
  CHECK(text == NULL && calls == 1);
  kdiag_context_reset(context);
  kdiag_rules_free(rules);

  rules = stopping_rules(NULL);
  kdiag_context_set_deadline(context, 20);
  slow = 1;
  CHECK(kdiag_rules_cut_test(context, facts, rules, "t.stops", &text) == KDIAG_ERROR_DEADLINE && text == NULL);
  slow = 0;
  kdiag_context_set_deadline(context, -5); /* what a host computes when it is late */
  CHECK(kdiag_rules_cut_test(context, facts, rules, "t.stops", &text) == KDIAG_ERROR_DEADLINE && text == NULL);
  kdiag_context_set_deadline(context, 0);
  kdiag_rules_free(rules);
}

/* A function knows whose call it is in, on each thread of the library. */
static void test_whose_call(const kdiag_facts *facts) {
  kdiag_report *report = NULL;
  kdiag_answer *answer = NULL;
  kdiag_rules *rules = stopping_rules(NULL);
  CHECK(kdiag_context_new(&other) == KDIAG_OK);
  calls = calls_of_context = calls_of_other = 0;
  CHECK(kdiag_diagnose(other, facts, NULL, rules, NULL, &report) == KDIAG_OK);
  kdiag_report_free(report);
  CHECK(calls > 0 && calls_of_other == calls && calls_of_context == 0);
  CHECK(reentered == KDIAG_ERROR_ARGUMENT); /* the context is in use */
  calls = calls_of_other = 0;
  CHECK(kdiag_query(context, facts, NULL, rules, "cancel_now()", &answer) == KDIAG_OK);
  kdiag_answer_free(answer);
  CHECK(calls > 0 && calls_of_context == calls && calls_of_other == 0);
  CHECK(kdiag_context_is_calling(context) == 0 && kdiag_context_is_calling(NULL) == 0); /* no function runs */
  kdiag_context_free(other);
  other = NULL;
  kdiag_rules_free(rules);
}

static int cancel_at_second(void *user, const char *bytes, size_t size) {
  (void)user, (void)bytes, (void)size;
  if (++calls == 2) kdiag_context_cancel(context);
  return 1;
}

void test_stopping(const char *trace, const kdiag_facts *facts) {
  test_partial(facts);
  test_cutting(facts);
  test_whose_call(facts);
  calls = 0;
  CHECK(kdiag_facts_export(context, &trace, 1, cancel_at_second, NULL) == KDIAG_ERROR_CANCELLED);
  CHECK(calls == 2);
  kdiag_context_reset(context);
}
