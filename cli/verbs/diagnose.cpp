// SPDX-License-Identifier: Apache-2.0
// kdiag TRACE...: judges traces by rules.
#include "cli/verbs.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <kdiag/refusal_ids.hpp>

#include "cli/command.hpp"
#include "cli/gates.hpp"
#include "cli/option_values.hpp"
#include "cli/policy.hpp"
#include "cli/read_traces.hpp"
#include "cli/render_report.hpp"
#include "cli/timeline.hpp"

namespace kdiag::cli {
namespace {

/// What was said of the model's operations, where it is of no use or cannot be: nobody should look for it in the report
/// or believe it.
void warn_of_operations(const Options& options, double model_flops, const Report& report) {
  if (model_flops <= 0 || options.quiet) return;
  std::optional<double> most;
  for (const WorkEntry& entry : report.work)
    if (entry.stated_share) most = std::max(most.value_or(0), *entry.stated_share);
  if (most && *most <= 1) return;
  const bool of_operations = options.model_flops > 0;
  Diagnostic warning;
  warning.id = refusal_id::usage;
  warning.level = Level::warning;
  warning.title = of_operations ? "--model-flops " : "--parameters and --tokens ";
  if (most) {
    warning.title += std::string(of_operations ? "says" : "say") + " more than the device can compute in that time";
    warning.help = of_operations ? "They are the operations of one step on the devices that the trace has."
                                 : "Tokens are those of one step on the devices that the trace has.";
  } else {
    warning.title += std::string(of_operations ? "is" : "are") +
                     " of no use here: this needs steps, and a device whose peak is known";
    warning.help = "`kdiag query TRACE 'count(steps)'` and `'max(devices, peak_bf16)'` show which is missing.";
  }
  complain(options, Diagnostics{warning});
}

}  // namespace

int diagnose_traces(Options& options) {
  const bool timeline = options.format == Format::perfetto;
  if (timeline && refuses_terminal(options, "a Perfetto trace")) return exit_code::usage;
  ReadAhead<Facts> traces(options, options.files,
                          [&options](const LoadOptions& load) { return load_traces(options.files, load); });
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // whose mistakes are said first
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Policy> policy = load_policy(options, *rules, code);
  if (!policy) return code;
  const std::optional<Facts> facts = traces.take(code);
  std::optional<Facts> baseline;
  if (!facts || !load_baseline(options, baseline, code)) return code;
  const std::optional<RuleSet> chosen = rules_for_devices(options, *rules, *facts, options.files);
  if (!chosen) return exit_code::rules;
  const double model_flops =
      options.model_flops > 0 ? options.model_flops : operations_of_token * options.parameters * options.tokens;
  Report report = diagnose(*facts, *chosen,
                           {.threads = options.load.threads,
                            .cancel = &interrupted,
                            .baseline = baseline,
                            .timings = options.timings,
                            .policy = &*policy,
                            .model_flops = model_flops});
  warn_of_operations(options, model_flops, report);
  const int gates = interrupted ? exit_code::interrupted : apply_gates(options, GateScope::findings, report);
  const int code_of_report = worst({unreadable(options, *facts), gates});
  if (timeline && !interrupted) return write_timeline(options, *facts, report, code_of_report);
  return print(options,
               interrupted ? std::string() : render_report(options, report, {.facts = facts, .baseline = baseline}),
               code_of_report);
}

}  // namespace kdiag::cli
