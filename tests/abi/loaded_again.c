/* SPDX-License-Identifier: Apache-2.0 */
/* A host that opens the library, judges, and closes it, a hundred times: its memory must not grow by that.
   Usage: loaded_again LIBRARY TRACE RULES */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <kdiag/kdiag.h>

/* Of this process, in KiB; 0 where the system does not say. */
static long resident(void) {
  char line[256];
  long size = 0;
  FILE *status = fopen("/proc/self/status", "r");
  if (status == NULL) return 0;
  while (fgets(line, sizeof line, status) != NULL)
    if (strncmp(line, "VmRSS:", 6) == 0) size = atol(line + 6);
  fclose(status);
  return size;
}

/* A function of the library by its own name and type, whose addresses ISO C does not turn into one another. */
#define FIND(name)                                                         \
  do {                                                                     \
    *(void **)&name##_found = dlsym(library, #name);                        \
    if (name##_found == NULL) return fprintf(stderr, "no %s\n", #name), 1; \
  } while (0)

static int judge(const char *path, const char *trace, const char *rules_file) {
  kdiag_status (*kdiag_context_new_found)(kdiag_context **);
  kdiag_status (*kdiag_rules_load_paths_found)(kdiag_context *, const char *const *, size_t, const kdiag_rule_options *,
                                               kdiag_rules **);
  kdiag_status (*kdiag_facts_load_path_found)(kdiag_context *, const char *, const kdiag_load_options *, kdiag_facts **);
  kdiag_status (*kdiag_diagnose_found)(kdiag_context *, const kdiag_facts *, const kdiag_facts *, const kdiag_rules *,
                                       const kdiag_diagnose_options *, kdiag_report **);
  size_t (*kdiag_report_finding_count_found)(const kdiag_report *);
  void (*kdiag_report_free_found)(kdiag_report *);
  void (*kdiag_facts_free_found)(kdiag_facts *);
  void (*kdiag_rules_free_found)(kdiag_rules *);
  void (*kdiag_context_free_found)(kdiag_context *);
  kdiag_context *context = NULL;
  kdiag_facts *facts = NULL;
  kdiag_rules *rules = NULL;
  kdiag_report *report = NULL;
  const char *files[1];
  int judged = 0;
  void *library = dlopen(path, RTLD_NOW);
  if (library == NULL) return fprintf(stderr, "%s\n", dlerror()), 1;
  FIND(kdiag_context_new);
  FIND(kdiag_rules_load_paths);
  FIND(kdiag_facts_load_path);
  FIND(kdiag_diagnose);
  FIND(kdiag_report_finding_count);
  FIND(kdiag_report_free);
  FIND(kdiag_facts_free);
  FIND(kdiag_rules_free);
  FIND(kdiag_context_free);
  files[0] = rules_file;
  judged = kdiag_context_new_found(&context) == KDIAG_OK &&
           kdiag_rules_load_paths_found(context, files, 1, NULL, &rules) == KDIAG_OK &&
           kdiag_facts_load_path_found(context, trace, NULL, &facts) == KDIAG_OK &&
           kdiag_diagnose_found(context, facts, NULL, rules, NULL, &report) == KDIAG_OK &&
           kdiag_report_finding_count_found(report) > 0;
  kdiag_report_free_found(report);
  kdiag_facts_free_found(facts);
  kdiag_rules_free_found(rules);
  kdiag_context_free_found(context);
  return dlclose(library) == 0 && judged ? 0 : 1;
}

int main(int argc, char **argv) {
  enum { times = 100, settled = 20, most_growth = 8192 /* KiB: what an allocator may keep in pieces */ };
  long before = 0;
  int i;
  if (argc != 4) return fputs("usage: loaded_again LIBRARY TRACE RULES\n", stderr), 2;
  for (i = 0; i < times; ++i) {
    if (judge(argv[1], argv[2], argv[3]) != 0) return fputs("it did not judge\n", stderr), 1;
    if (i == settled) before = resident();
  }
  printf("%ld KiB after %d times, %ld KiB after %d\n", before, settled + 1, resident(), times);
  return resident() - before < most_growth ? 0 : 1;
}
