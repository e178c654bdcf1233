// SPDX-License-Identifier: Apache-2.0
// kdiag plan TRACE...: what to record next.
#include <kdiag/plan.hpp>
#include <kdiag/tools.hpp>

#include <optional>
#include <string>

#include "cli/command.hpp"
#include "cli/policy.hpp"
#include "cli/terminal.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

/// Says so when there is no such rule.
bool all_rules_known(const Options& options, const RuleSet& rules) {
  for (const std::string& rule : options.plan_for) {
    if (const Result<RuleSource> found = rule_source(rules, rule); !found) {
      complain(options, found.error());
      return false;
    }
  }
  return true;
}

std::string render_plan(const Options& options, const Report& report) {
  switch (options.format) {
    case Format::json: return plan_json(report, &interrupted);
    case Format::html: return plan_html(report, &interrupted);
    case Format::markdown: return plan_markdown(report, &interrupted);
    default: return plan_text(report, text_options(options));
  }
}

}  // namespace

int plan_recordings(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // before any trace is read
  if (!rules || !all_rules_known(options, *rules)) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  if (!facts) return code;
  const std::optional<RuleSet> chosen = rules_for_devices(options, *rules, *facts, options.files);
  if (!chosen) return exit_code::rules;
  const Report report = diagnose(
      *facts, *chosen, {.threads = options.load.threads, .cancel = &interrupted, .plan_for = options.plan_for});
  return print(options, interrupted ? std::string() : render_plan(options, report), unreadable(options, *facts));
}

}  // namespace kdiag::cli
