// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/baselines.hpp"

#include <kdiag/format.hpp>
#include <kdiag/note_ids.hpp>

#include <limits>
#include <utility>

#include "engine/compare/changes/changes.hpp"
#include "engine/compare/cycles/cycle_facts.hpp"
#include "engine/compare/cycles/pair.hpp"
#include "engine/compare/equal_cycles.hpp"
#include "engine/compare/function_rows.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/facts/note_table.hpp"

namespace kdiag {
namespace {

/// "95 % of the kernel time by name, 3 % by family, 2 % not at all"
std::string shares_of(const MatchedTime& time) {
  const std::int64_t all = time.by_name + time.by_family + time.unmatched;
  const auto share = [&](std::int64_t part) {
    return format_share(static_cast<double>(part) / static_cast<double>(all));
  };
  std::string out = share(time.by_name) + " of the kernel time by name";
  if (time.by_family > 0) out += ", " + share(time.by_family) + " by family";
  if (time.unmatched > 0) out += ", " + share(time.unmatched) + " not at all";
  return out;
}

/// The ranks, else the devices, without a counterpart: "rank 3, rank 4".
std::vector<std::string> unmatched(const RunContext& run) {
  std::vector<std::string> out;
  for (const SubjectKind kind : {SubjectKind::rank, SubjectKind::device}) {
    for (const Subject& subject : run.subjects(kind).subjects)
      if (!run.counterpart(subject)) out.push_back(run.label(subject));
    if (!out.empty()) break;
  }
  return out;
}

std::shared_ptr<const FactStore> compared_facts(const RunFacts& run, const RunFacts& baseline, CancelFlag cancel) {
  const RunMatch match(*run.store, *baseline.store, cancel);
  std::shared_ptr<const FactStore> facts = run.store;
  if (!facts->present(table("comparisons")) && !has_cycles(*facts)) {
    const ComparedPair pair = pair_of(baseline, run, match);
    facts = with_comparisons(pair, equal_cycles(pair, {}, cancel), cancel);
  }
  return with_changes(std::move(facts), run, baseline, match, cancel);
}

/// "step 3", "steps 3 to 5"; the limits of the type stand for an end that was left open.
std::string describe(const Interval& steps) {
  const bool from_first = steps.start == std::numeric_limits<std::int64_t>::min();
  const bool to_last = steps.end == std::numeric_limits<std::int64_t>::max();
  if (from_first && to_last) return "all steps";
  if (to_last) return "steps from " + std::to_string(steps.start) + " on";
  const std::string last = std::to_string(steps.end - 1);
  if (from_first) return "steps up to " + last;
  if (steps.start == steps.end - 1) return "step " + last;
  return "steps " + std::to_string(steps.start) + " to " + last;
}

/// What scope options chose, in words; empty when they chose nothing.
std::string describe(const Scope& scope) {
  std::string out;
  const auto add = [&out](const std::string& part) { out += (out.empty() ? "" : ", ") + part; };
  if (scope.rank) add("rank " + std::to_string(*scope.rank));
  if (scope.device) add("device " + std::to_string(*scope.device));
  if (scope.steps) add(describe(*scope.steps));
  if (!scope.within.empty()) add("within " + scope.within);
  if (scope.from) add("from " + format_duration(*scope.from));
  if (scope.to) add((scope.from ? "to " : "up to ") + format_duration(*scope.to));
  return out;
}

}  // namespace

RunEntry run_entry(const RunFacts& facts, RunRole role) {
  const FactStore& store = *facts.store;
  RunEntry out{.id = facts.id,
               .label = facts.label,
               .input = {},
               .role = role,
               .wall_ns = {},
               .wall_basis = {},
               .steps = 0,
               .devices = {},
               .baseline = {},
               .scope = describe(store.scope)};
  const Wall& wall = store.wall();
  if (wall.basis != WallBasis::none) out.wall_ns = wall.length;
  out.wall_basis = wall.basis;
  out.steps = count_judged_steps(store);
  for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row) {
    DeviceEntry device;
    const std::int64_t id = store.integer(column("devices.id"), row);
    device.id = id == absent_integer ? 0 : id;
    if (const std::uint32_t rank = store.index(column("devices.rank"), row); rank != absent_index)
      device.rank = store.small(column("ranks.id"), rank);
    device.name = store.text(column("devices.name"), row);
    device.vendor = store.text(column("devices.vendor"), row);
    device.kind = store.text(column("devices.kind"), row);
    device.address = store.text(column("devices.address"), row);
    out.devices.push_back(std::move(device));
  }
  return out;
}

Baselines::Baselines(const LoadedFacts& facts, const LoadedFacts* baseline, CancelFlag cancel)
    : facts_(facts), baseline_(baseline) {
  for (const RunFacts& run : facts.runs) {
    const bool reports = run.store->rows(table("comparisons")) > 0;
    judged_.push_back(reports && baseline == nullptr ? with_reported_changes(run.store, cancel) : run.store);
  }
  if (baseline == nullptr || baseline->runs.empty()) return;
  std::vector<const FactStore*> runs, others;
  for (const RunFacts& run : facts.runs) runs.push_back(run.store.get());
  for (const RunFacts& run : baseline->runs) {
    others.push_back(run.store.get());
    contexts_.emplace_back(*run.store, nullptr, cancel);
  }
  chosen_ = pair_runs(runs, others);
  for (std::size_t run = 0; run < facts.runs.size(); ++run)
    judged_[run] = compared_facts(facts.runs[run], baseline->runs[chosen_[run]], cancel);
}

const RunContext* Baselines::of(std::size_t run) const {
  return contexts_.empty() ? nullptr : &contexts_[chosen_[run]];
}

std::string Baselines::id_of(std::size_t run) const { return contexts_.empty() ? std::string() : id(chosen_[run]); }

void Baselines::add_to(Report& report) const {
  if (baseline_ == nullptr) return;
  for (InputEntry input : baseline_->inputs) {
    input.role = RunRole::baseline;
    report.inputs.push_back(std::move(input));
  }
  for (std::size_t i = 0; i < baseline_->runs.size(); ++i) {
    RunEntry& entry = report.runs.emplace_back(run_entry(baseline_->runs[i], RunRole::baseline));
    entry.id = id(i);
  }
}

void Baselines::note_match(Report& report, std::size_t run, const RunContext& context) const {
  if (contexts_.empty()) return;
  const RunFacts& baseline = baseline_->runs[chosen_[run]];
  if (baseline.inputs.empty()) return;  // facts of a test
  const std::size_t input = report.inputs.size() - baseline_->inputs.size() + baseline.inputs.front();
  const auto note = [&](std::string_view id, const std::string& detail, std::size_t count = 1) {
    report.inputs[input].notes.push_back(make_note(id, "run " + facts_.runs[run].id + ": " + detail, count));
  };
  const MatchedTime& time = context.match().matched_time();
  if (time.by_name + time.by_family + time.unmatched > 0) note(note_id::matched_by_name, shares_of(time));
  if (const std::vector<std::string> lonely = unmatched(context); !lonely.empty())
    note(note_id::no_counterpart, lonely.front() + (lonely.size() > 1 ? ", ..." : ""), lonely.size());
  if (contexts_.size() > 1) note(note_id::several_baselines, "with " + id_of(run) + ", " + baseline.label);
}

}  // namespace kdiag
