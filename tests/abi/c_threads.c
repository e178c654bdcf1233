/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface in several threads: facts, rules and reports are shared, each thread has a context of its own. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include <kdiag/kdiag.h>

enum { THREADS = 4, ROUNDS = 3 };

static kdiag_facts *facts;
static kdiag_rules *rules;
static kdiag_report *expected;

/* What a thread of the test does not find as it should be. */
#define REQUIRE(condition)                                                                                       \
  do {                                                                                                           \
    if (!(condition)) {                                                                                          \
      fprintf(stderr, "%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__, #condition, kdiag_last_error(context)); \
      ++failures;                                                                                                \
    }                                                                                                            \
  } while (0)

static long diagnose_once(kdiag_context *context) {
  long failures = 0;
  kdiag_report *report = NULL;
  REQUIRE(kdiag_diagnose(context, facts, NULL, rules, NULL, &report) == KDIAG_OK);
  /* The one report of all threads is rendered when the first of them asks. */
  REQUIRE(strcmp(kdiag_report_json(report, NULL), kdiag_report_json(expected, NULL)) == 0);
  REQUIRE(strcmp(kdiag_report_text(report, NULL), kdiag_report_text(expected, NULL)) == 0);
  kdiag_report_free(report);
  return failures;
}

static long ask_once(kdiag_context *context) {
  long failures = 0;
  kdiag_answer *answer = NULL;
  kdiag_text *text = NULL;
  kdiag_column_data data = {sizeof data};
  kdiag_rule_info info = {sizeof info};
  kdiag_facts *own = kdiag_facts_retain(facts);
  REQUIRE(kdiag_query(context, own, NULL, rules, "busy(kernels) / run.wall", &answer) == KDIAG_OK);
  kdiag_answer_free(answer);
  REQUIRE(kdiag_explain(context, own, NULL, rules, "host.sync-stall", &text) == KDIAG_OK);
  kdiag_text_free(text);
  REQUIRE(kdiag_rules_get(rules, 0, &info) == KDIAG_OK && info.id.size > 0);
  REQUIRE(kdiag_facts_column(own, 0, 0, 0, &data) == KDIAG_OK);
  REQUIRE(kdiag_query(context, own, NULL, NULL, "no such thing", &answer) == KDIAG_ERROR_RULES);
  REQUIRE(kdiag_diagnostic_count(context) > 0); /* its own, not those of another thread */
  kdiag_facts_free(own);
  return failures;
}

static void *work(void *unused) {
  kdiag_context *context = NULL;
  long failures = 0;
  int round;
  (void)unused;
  if (kdiag_context_new(&context) != KDIAG_OK) return (void *)1;
  kdiag_context_set_threads(context, 2);
  for (round = 0; round < ROUNDS; ++round) failures += diagnose_once(context) + ask_once(context);
  kdiag_context_free(context);
  return (void *)failures;
}

/* Judges until it is cancelled from the thread that started it. */
static void *work_until_cancelled(void *shared) {
  kdiag_context *context = shared;
  kdiag_status status = KDIAG_OK;
  while (status == KDIAG_OK) {
    kdiag_report *report = NULL;
    status = kdiag_diagnose(context, facts, NULL, rules, NULL, &report);
    kdiag_report_free(report);
  }
  return (void *)(long)(status != KDIAG_ERROR_CANCELLED);
}

static long cancel_another(void) {
  kdiag_context *context = NULL;
  pthread_t thread;
  void *failed = NULL;
  if (kdiag_context_new(&context) != KDIAG_OK) return 1;
  if (pthread_create(&thread, NULL, work_until_cancelled, context) != 0) return 1;
  kdiag_context_cancel(context);
  pthread_join(thread, &failed);
  kdiag_context_free(context);
  return (long)failed;
}

int main(int argc, char **argv) {
  kdiag_context *context = NULL;
  pthread_t threads[THREADS];
  long failures = 0;
  int i, started = 0;
  if (argc != 2 || kdiag_context_new(&context) != KDIAG_OK) return 2;
  REQUIRE(kdiag_rules_load_paths(context, NULL, 0, NULL, &rules) == KDIAG_OK);
  REQUIRE(kdiag_facts_load_path(context, argv[1], NULL, &facts) == KDIAG_OK);
  REQUIRE(kdiag_diagnose(context, facts, NULL, rules, NULL, &expected) == KDIAG_OK);
  if (failures != 0) return 1;
  kdiag_context_free(context); /* what was made with it does not need it */
  for (i = 0; i < THREADS; ++i)
    if (pthread_create(&threads[i], NULL, work, NULL) == 0) ++started;
    else break;
  failures += cancel_another() + (THREADS - started);
  for (i = 0; i < started; ++i) {
    void *failed = NULL;
    pthread_join(threads[i], &failed);
    failures += (long)failed;
  }
  kdiag_report_free(expected);
  kdiag_facts_free(facts);
  kdiag_rules_free(rules);
  return failures == 0 ? 0 : 1;
}
