/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface: quantities as reports show them, and the texts of an answer. */
#include <math.h>

#include "check.h"

static kdiag_text *text; /* of the last call */

/* Whether a call gave this text; frees it. */
static int is(kdiag_status status, const char *expected) {
  size_t size = 0;
  const int same = status == KDIAG_OK && strcmp(kdiag_text_data(text, &size), expected) == 0 && size == strlen(expected);
  if (!same) fprintf(stderr, "'%s' is not '%s'\n", kdiag_text_data(text, NULL), expected);
  kdiag_text_free(text);
  text = NULL;
  return same;
}

static void test_quantities(void) {
  static const char *const names[] = {"sm_clock", "mem_clock"};
  CHECK(is(kdiag_value_format(context, 4192, "ns", &text), "4.19 us"));
  CHECK(is(kdiag_value_format(context, 0.5, "ratio", &text), "50 %"));
  CHECK(kdiag_value_format(context, 1, "furlong", &text) == KDIAG_ERROR_ARGUMENT && text == NULL);
  CHECK(is(kdiag_duration_format(context, 725000000000, &text), "12 min 5 s"));
  CHECK(is(kdiag_duration_range_format(context, 0, 4500000000, &text), "up to 4.5 s"));
  CHECK(is(kdiag_share_format(context, 0.72, &text), "72 %"));
  CHECK(is(kdiag_share_range_format(context, 0.62, 0.72, &text), "62-72 %"));
  CHECK(is(kdiag_count_format(context, 11791, &text), "11,791"));
  CHECK(is(kdiag_number_format(context, 0.75124, &text), "0.7512"));
  CHECK(is(kdiag_factor_format(context, 3.61, &text), "3.6x"));
  CHECK(is(kdiag_did_you_mean(context, "sm_clok", names, 2, &text), "did you mean 'sm_clock'?"));
  CHECK(is(kdiag_did_you_mean(context, "power", names, 2, &text), ""));
  CHECK(kdiag_did_you_mean(context, NULL, names, 2, &text) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_did_you_mean(context, "power", NULL, 2, &text) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_count_format(context, 1, NULL) == KDIAG_ERROR_ARGUMENT);
}

static void test_evidence(void) {
  kdiag_evidence evidence = {sizeof evidence};
  evidence.type = KDIAG_VALUE_NUMBER;
  evidence.integer = 9007199254740993; /* no double holds it */
  evidence.number = 9007199254740992.0;
  evidence.since_start_ns = KDIAG_ABSENT_INTEGER;
  CHECK(kdiag_evidence_format(context, &evidence, &text) == KDIAG_OK && text_has(text, "9,007,199,254,740,993"));
  CHECK(kdiag_evidence_is_quantity(&evidence) == 1);
  evidence.unit.data = "ns";
  evidence.unit.size = 2;
  evidence.since_start_ns = 1400000000;
  CHECK(is(kdiag_evidence_format(context, &evidence, &text), "+1.4 s"));
  evidence.since_start_ns = KDIAG_ABSENT_INTEGER;
  evidence.integer = KDIAG_ABSENT_INTEGER;
  evidence.number = 12.6;
  CHECK(is(kdiag_evidence_format(context, &evidence, &text), "13 ns"));
  evidence.type = KDIAG_VALUE_TEXT;
  evidence.text.data = "aten::item, and more";
  evidence.text.size = 10;
  CHECK(is(kdiag_evidence_format(context, &evidence, &text), "aten::item"));
  CHECK(kdiag_evidence_is_quantity(&evidence) == 0);
  evidence.type = KDIAG_EVIDENCE_UNKNOWN;
  CHECK(is(kdiag_evidence_format(context, &evidence, &text), "unknown"));
  evidence.type = KDIAG_EVIDENCE_ROWS;
  CHECK(kdiag_evidence_format(context, &evidence, &text) == KDIAG_ERROR_UNSUPPORTED && text == NULL);
  CHECK(kdiag_evidence_is_quantity(&evidence) == 0 && kdiag_evidence_is_quantity(NULL) == 0);
  CHECK(kdiag_evidence_format(context, NULL, &text) == KDIAG_ERROR_ARGUMENT);
}

static void test_answers(const kdiag_facts *facts) {
  kdiag_query_options options = {sizeof options};
  kdiag_answer *answer = NULL;
  options.texts = KDIAG_ANSWER_JSON;
  CHECK(kdiag_query_with(context, facts, NULL, NULL, "count(kernels)", &options, &answer) == KDIAG_OK);
  CHECK(strstr(kdiag_answer_json(answer, NULL), "\"value\"") != NULL);
  CHECK(kdiag_answer_text(answer, NULL)[0] == 0 && kdiag_answer_csv(answer, NULL)[0] == 0);
  kdiag_answer_free(answer);
  options.texts = 8;
  CHECK(kdiag_query_with(context, facts, NULL, NULL, "1", &options, &answer) == KDIAG_ERROR_UNSUPPORTED);
  CHECK(answer == NULL);
}

void test_format(const kdiag_facts *facts) {
  test_quantities();
  test_evidence();
  test_answers(facts);
}
