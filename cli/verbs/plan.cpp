// SPDX-License-Identifier: Apache-2.0
// kdiag plan TRACE...: what to record next.
#include <kdiag/plan.hpp>
#include <kdiag/refusal_ids.hpp>
#include <kdiag/tools.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "cli/command.hpp"
#include "cli/policy.hpp"
#include "cli/read_traces.hpp"
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

/// Says so when a rule stands where a trace belongs.
bool names_a_rule(const Options& options, const RuleSet& rules) {
  for (const std::string& file : options.files) {
    std::error_code error;
    if (std::filesystem::exists(file, error) || !rule_source(rules, file)) continue;
    Diagnostic mistaken;
    mistaken.id = refusal_id::usage;
    mistaken.title = "'" + file + "' is a rule and no trace";
    mistaken.help = "kdiag plan --for " + file + " TRACE says what to record for it; kdiag explain " + file +
                    " what it decides by.";
    complain(options, Diagnostics{mistaken});
    return true;
  }
  return false;
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
  if (names_a_rule(options, *rules)) return exit_code::usage;
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
