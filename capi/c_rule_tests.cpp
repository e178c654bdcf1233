// SPDX-License-Identifier: Apache-2.0
// The C interface: tests of rules.
#include <kdiag/refusal_ids.hpp>
#include <kdiag/rule_tests.hpp>

#include "api/log_notes.hpp"
#include "capi/c_handles.hpp"
#include "ingest/reading.hpp"

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

std::string test_report_text(const RuleTestReport& report, int format, bool verbose) {
  switch (format) {
    case KDIAG_FORMAT_TEXT: return to_text(report, {.verbose = verbose});
    case KDIAG_FORMAT_JSON: return to_json(report);
    case KDIAG_FORMAT_JUNIT: return to_junit(report);
    default: throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "tests have no such format"};
  }
}

/// Runs tests and makes a text of what became of them; `run` is given the options.
template <class Run>
kdiag_status report_tests(kdiag_context* context, const kdiag_test_options* options, int format, size_t* failed,
                          kdiag_text** text, Run run) {
  return make_handle(context, text, [&]() -> Result<std::string> {
    const kdiag_test_options given = read_options(options);
    RuleTestOptions chosen;
    chosen.builtin = given.without_builtin == 0;
    chosen.lua = given.without_lua == 0;
    chosen.imports_outside = given.imports_outside != 0;
    chosen.filter = text_or_none(given.filter);
    chosen.pattern = text_or_none(given.pattern);
    chosen.coverage = given.coverage != 0;
    chosen.cancel = &context->stop;
    Result<RuleTestReport> report = run(chosen);
    if (!report) return std::move(report.error());
    if (context->stop) return load_error(refusal_id::interrupted, "the tests were interrupted");
    if (failed != nullptr) *failed = report->count(TestStatus::failed) + report->count(TestStatus::todo_passed);
    std::string out = test_report_text(*report, format, given.verbose != 0);
    context->diagnostics = report->warnings;
    ContextLog log(*context);
    log_warnings(context->log == nullptr ? nullptr : &log, report->warnings);
    return out;
  });
}

}  // namespace

kdiag_status kdiag_rules_test(kdiag_context* context, const char* const* paths, size_t count, int format,
                              size_t* failed, kdiag_text** text) {
  return kdiag_rules_test_with(context, paths, count, nullptr, format, failed, text);
}
kdiag_status kdiag_rules_test_with(kdiag_context* context, const char* const* paths, size_t count,
                                   const kdiag_test_options* options, int format, size_t* failed, kdiag_text** text) {
  return report_tests(context, options, format, failed, text,
                      [&](const RuleTestOptions& chosen) { return test_rules(read_names(paths, count), chosen); });
}
kdiag_status kdiag_rules_test_set(kdiag_context* context, const kdiag_rules* rules, const kdiag_test_options* options,
                                  int format, size_t* failed, kdiag_text** text) {
  return report_tests(context, options, format, failed, text,
                      [&](const RuleTestOptions& chosen) { return test_rules(rules_in(rules), chosen); });
}
