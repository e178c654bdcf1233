// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/check_test.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"

namespace kdiag {
namespace {

class TestChecker {
 public:
  TestChecker(const RuleTest& test, const LoadedRules& rules, Diagnostics& diagnostics)
      : test_(test), rules_(rules), diagnostics_(diagnostics) {}

  void check() {
    for (const ExpectedFinding& finding : test_.expect.findings) {
      find(finding.rule);
      if (finding.symptom_of) find(*finding.symptom_of);
    }
    for (const ExpectedOutcome& expected : test_.expect.outcomes) {
      find(expected.rule);
      for (const Reference& fact : expected.missing) check_fact(fact);
    }
    for (const ValueTest& value : test_.eval)
      if (!value.rule.rule.empty()) find(value.rule);
    for (const TestSetting& setting : test_.set) check_setting(setting);
  }

 private:
  void error(std::string_view id, const Span& span, std::string title, std::string label, std::string help = {}) {
    Diagnostic out = make_error(id, span, std::move(title), std::move(label), std::move(help));
    out.context = test_.name;
    diagnostics_.push_back(std::move(out));
  }

  const Rule* find(const Reference& wanted) {
    if (wanted.rule.empty()) return nullptr;  // the reader refused it
    std::vector<std::string_view> names;
    for (const auto& file : rules_.files)
      for (const Rule& rule : file->rules) {
        if (rule.id == wanted.rule) return &rule;
        names.push_back(rule.id);
      }
    error(error_id::unknown_rule, wanted.span, "no rule '" + wanted.rule + "'", did_you_mean(wanted.rule, names),
          test_.rule.rule.empty() ? "`rules:` of the test file names the files whose rules are tested" : "");
    return nullptr;
  }

  void check_setting(const TestSetting& setting) {
    const Rule* rule = find(setting.rule);
    if (rule == nullptr) return;
    if (!has_param(*rule, setting.param))
      error(error_id::unknown_param, setting.rule.span,
            "rule '" + rule->id + "' has no parameter '" + setting.param + "'",
            did_you_mean(setting.param, param_names(*rule)));
  }

  /// A fact as outcomes name it: kernels, devices.sm_clock_avg, samples:sm_clock.
  void check_fact(const Reference& fact) {
    const std::string_view text = fact.rule;
    const std::size_t cut = text.find_first_of(".:");
    const std::string_view name = text.substr(0, cut);
    const TableId table = find_table(name);
    std::vector<std::string_view> names;
    if (!table.valid()) {
      if (text == "baseline") return;
      for (const TableInfo& known : catalogue_tables) names.push_back(known.name);
      error(error_id::unknown_name, fact.span, "unknown fact '" + fact.rule + "'", did_you_mean(name, names),
            "facts are tables, columns (devices.sm_clock_avg) and series (samples:sm_clock)");
    } else if (cut != std::string_view::npos && text[cut] == ':') {
      if (find_series(text.substr(cut + 1)) != nullptr) return;
      for (const SeriesInfo& known : catalogue_series) names.push_back(known.name);
      error(error_id::unknown_series, fact.span, "unknown series '" + fact.rule.substr(cut + 1) + "'",
            did_you_mean(text.substr(cut + 1), names));
    } else if (cut != std::string_view::npos && !find_column(name, text.substr(cut + 1)).valid()) {
      const ColumnRange range = columns_of(table);
      for (const ColumnInfo& known : catalogue_columns.subspan(range.first, range.count)) names.push_back(known.name);
      error(error_id::unknown_column, fact.span, "unknown column '" + fact.rule + "'",
            did_you_mean(text.substr(cut + 1), names));
    }
  }

  const RuleTest& test_;
  const LoadedRules& rules_;
  Diagnostics& diagnostics_;
};

}  // namespace

void check_test(const RuleTest& test, const LoadedRules& rules, Diagnostics& diagnostics) {
  TestChecker(test, rules, diagnostics).check();
}

}  // namespace kdiag
