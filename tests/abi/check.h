/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of c_test share. */
#ifndef KDIAG_TESTS_CHECK_H
#define KDIAG_TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kdiag/kdiag.h>

extern int failures;
extern kdiag_context *context;

#define CHECK(condition)                                                                  \
  do {                                                                                    \
    if (!(condition)) {                                                                   \
      fprintf(stderr, "%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__, #condition,    \
              kdiag_last_error(context));                                                 \
      ++failures;                                                                         \
    }                                                                                     \
  } while (0)

/* Whether a text is as expected, with NUL behind it. */
int equals(kdiag_string text, const char *expected);
/* Whether a text has a part; frees it. */
int text_has(kdiag_text *text, const char *part);
/* Whether an expression is true of facts. */
int holds(const kdiag_facts *facts, const kdiag_rules *rules, const char *expression);

/* c_rows.c: rows, and adapters of the host. */
void test_rows(const kdiag_rules *rules);
void test_adapters(const char *folder, const kdiag_rules *rules);
/* c_rules.c: rules at hand, their tests, diagnostics. */
void test_rules(const char *folder, const kdiag_facts *facts);
/* c_format.c: quantities, texts of an answer. */
void test_format(const kdiag_facts *facts);
/* c_policy.c: project files, waivers, known findings. */
void test_policies(const kdiag_facts *facts, const kdiag_rules *rules);
/* c_stop.c: calls that are stopped while they run. */
void test_stopping(const char *trace, const kdiag_facts *facts);

#endif
