// SPDX-License-Identifier: Apache-2.0
// kdiag fleet: the ranks of a job judged as one.
#include <kdiag/fleet.hpp>
#include <kdiag/note_ids.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cli/command.hpp"
#include "cli/gates.hpp"
#include "cli/policy.hpp"
#include "cli/read_traces.hpp"
#include "cli/render_report.hpp"
#include "cli/verbs.hpp"
#include "cli/verbs/slurm_jobs.hpp"

namespace kdiag::cli {
namespace {

constexpr const char* rules_of_fleets = "fleet.*";

/// Which files have no part in what is judged.
void warn_of_left_out(const Options& options, const Fleet& fleet) {
  if (!fleet.copies.empty())
    warn(options, std::to_string(fleet.copies.size()) + " of the summaries are copies of others and count once, " +
                      fleet.copies.front() + " for one");
  for (const std::string& why : fleet.unreadable) warn(options, "left out: " + why);
  for (const std::string& what : fleet.skipped) warn(options, "not looked at in " + what);
}

/// The report names them, too: whoever reads it alone should know why it is of fewer ranks.
void list_unreadable(const Fleet& fleet, Report& report) {
  for (const std::string& why : fleet.unreadable) {
    InputEntry& input = report.inputs.emplace_back();
    input.path = why.substr(0, why.find(": "));
    input.notes.push_back({std::string(note_id::input_unreadable), NoteSeverity::error, why, 1});
  }
}

}  // namespace

int judge_fleet(Options& options) {
  if (!options.slurm.empty()) return write_slurm_jobs(options);
  if (options.rule_options.select.empty() && options.rules.empty()) options.rule_options.select = {rules_of_fleets};
  options.rule_options.incubating = true;                                      // as the rules of fleets are
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // before any trace is read
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Policy> policy = load_policy(options, *rules, code);
  if (!policy) return code;
  if (!load_maps(options)) return exit_code::rules;
  std::unique_ptr<Progress> progress = show_progress(options);
  const Result<Fleet> fleet = load_fleet(options.files, {.load = options.load, .jobs = options.jobs});
  progress.reset();
  if (interrupted) return exit_code::interrupted;
  if (!fleet) {
    complain(options, fleet.error());
    return exit_code::usage;
  }
  warn_of_left_out(options, *fleet);
  Report report = diagnose(
      fleet->facts, *rules,
      {.threads = options.load.threads, .cancel = &interrupted, .timings = options.timings, .policy = &*policy});
  if (report.runs.size() > 1)
    warn(options, "these files are " + std::to_string(report.runs.size()) +
                      " runs, each judged alone: ranks were recorded twice, or the jobs are several");
  list_unreadable(*fleet, report);
  const int gates = interrupted ? exit_code::interrupted : apply_gates(options, GateScope::findings, report);
  const int missing = unreadable(options, report.inputs);
  return print(options, interrupted ? std::string() : render_report(options, report, {.facts = fleet->facts}),
               worst({missing, gates}));
}

}  // namespace kdiag::cli
