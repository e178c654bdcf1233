// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/compare.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>

#include <kdiag/format.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/comparability.hpp"
#include "engine/compare/cycles/cycle_scope.hpp"
#include "engine/compare/cycles/cycles.hpp"
#include "engine/compare/cycles/pair.hpp"
#include "engine/compare/cycles/part_times.hpp"
#include "engine/compare/decomposition.hpp"
#include "engine/compare/equal_cycles.hpp"
#include "engine/compare/function_decomposition.hpp"
#include "engine/compare/function_rows.hpp"
#include "engine/compare/healthy_runs.hpp"
#include "engine/compare/messages.hpp"
#include "engine/compare/part_verdicts.hpp"
#include "engine/compare/separated_calls.hpp"
#include "engine/compare/side_by_side.hpp"
#include "engine/compare/unchanged.hpp"
#include "engine/compare/verdict.hpp"
#include "engine/compare/work.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/judge/baselines.hpp"
#include "engine/judge/diagnose.hpp"
#include "engine/judge/finding_changes.hpp"
#include "engine/recording/telemetry_alone.hpp"

namespace kdiag {
namespace {

constexpr double same_kernels = 0.95;  // of kernels, where the operators are known to be the same (judgement)

/// The work is the same when all that is known of it is: operators and kernels by name; copies; how kernels were
/// launched. The same operators may choose a few other kernels, by a search or for another device. One name alone, such
/// as that of an inference in a summary, says nothing of what it did.
Nature nature_of(const ComparedPair& pair, const Work& work, const CycleCounts& counts, const Comparison& comparison,
                 CancelFlag cancel) {
  const auto operators = similarity_by_name(work.operators, counts), kernels = similarity_by_name(work.kernels, counts);
  const auto functions = similarity_by_name(work.device_functions, work.device_cycles);
  if (!operators && !kernels && !functions) return Nature::unknown;
  if (functions.value_or(1) < same_functions) return Nature::work;
  if (operators.value_or(1) < same_work || kernels.value_or(1) < (operators ? same_kernels : same_work))
    return Nature::work;
  for (const std::optional<double>& alike : {similarity(work.copies, counts), launch_shape_similarity(pair, cancel)})
    if (alike && *alike < same_work) return Nature::work;
  // Where nothing was decided, a change that is no larger than noise is none.
  const bool slight =
      comparison.verdict == Verdict::inconclusive && std::abs(comparison.cycle.change.value_or(1)) <= least_noise_floor;
  if (comparison.verdict == Verdict::neutral || slight) return Nature::none;
  const bool one_name = !operators && !functions && work.kernels.size() == 1 && work.copies.empty();
  return one_name ? Nature::unknown : Nature::cost;
}

/// Whether a run says when its devices were idle, and never why: its input holds nothing of the host.
bool hides_causes(const RunFacts& run) {
  const auto causes = run.store->indices(column("idle.cause"));
  return run.store->rows(table("idle")) > 0 &&
         std::all_of(causes.begin(), causes.end(), [](std::uint32_t cause) { return cause == absent_index; });
}

/// Whether a run holds work of devices: without it nothing is known of what they did wrong.
bool records_devices(const RunFacts& run) {
  for (const TableId work : {table("kernel_stats"), table("copy_stats"), table("functions"), table("phases")})
    if (run.store->rows(work) > 0) return true;
  return run.store->has(column("op_stats.device_self")) || run.store->has(column("op_stats.device_total"));
}

/// The place of the run that is compared in detail: of three and more that can be compared the one of the middle
/// median, else the first.
std::size_t place_of_reference(const std::deque<SideBySide>& sides) {
  std::vector<std::pair<std::int64_t, std::size_t>> medians;
  for (std::size_t i = 0; i < sides.size(); ++i)
    if (sides[i].same_program() && sides[i].cycle.change) medians.emplace_back(*sides[i].cycle.normal_ns, i);
  if (medians.empty()) return 0;
  const bool first = medians.size() < least_healthy_runs;
  if (!first) std::sort(medians.begin(), medians.end());
  return medians[first ? 0 : (medians.size() - 1) / 2].second;
}

/// Whether both are measured by the same cycles of the abnormal run, but for edge cycles, which are set apart pair by
/// pair.
bool of_same_cycles(const CycleEntry& a, const CycleEntry& b) {
  const auto all = [](const CycleSide& side) { return side.count + static_cast<std::int64_t>(side.edges.size()); };
  return a.basis == b.basis && a.name == b.name && a.work_ratio == b.work_ratio && all(a.abnormal) == all(b.abnormal);
}

/// The medians of the runs that do the work of the reference's cycle, in its order of the normal side.
HealthyRuns healthy_runs(const std::vector<const RunFacts*>& normal, const std::deque<SideBySide>& sides,
                         std::size_t reference) {
  HealthyRuns healthy;
  const CycleEntry& of = sides[reference].cycle;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    const CycleEntry& own = sides[i].cycle;
    const bool same = sides[i].same_program() && of_same_cycles(own, of);
    healthy.runs.push_back(
        {.id = {}, .label = normal[i]->label, .cycle_ns = same ? own.normal_ns : std::nullopt, .alarm = {}});
  }
  measure_spread(healthy);
  return healthy;
}

bool share_an_input(const LoadedFacts& normal, const RunFacts& run, const LoadedFacts& abnormal) {
  return std::any_of(run.inputs.begin(), run.inputs.end(), [&](std::size_t input) {
    return std::any_of(abnormal.inputs.begin(), abnormal.inputs.end(),
                       [&](const InputEntry& other) { return other.path == normal.inputs[input].path; });
  });
}

/// The runs that have most of the ranks of the abnormal one, in their order.
std::vector<const RunFacts*> with_most_ranks(const std::vector<RunFacts>& normal, const RunFacts& after) {
  std::vector<const FactStore*> stores;
  for (const RunFacts& run : normal) stores.push_back(run.store.get());
  const FactStore* const judged[] = {after.store.get()};
  const FactStore* const best = stores[pair_runs(judged, stores).front()];
  std::vector<const RunFacts*> runs;
  for (const RunFacts& run : normal) {
    const FactStore* const both[] = {run.store.get(), best};
    if (pair_runs(judged, both).front() == 0) runs.push_back(&run);
  }
  return runs;
}

Decomposition decomposition_of(const SideBySide& side) {
  Decomposition found = decompose(side.scope.pair(), side.work, side.counts);
  return found.of.basis == LedgerBasis::none ? decompose_functions(side.pair, side.equal.cycles) : found;
}

/// What each part of the cycle takes in the recordings that are in the healthy range, one of which is the reference's.
PartsOfRuns parts_of_healthy(const HealthyRuns& healthy, const std::deque<SideBySide>& sides, CancelFlag cancel) {
  PartsOfRuns parts;
  if (!healthy.low_ns) return parts;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (!healthy.runs[i].cycle_ns) continue;
    stop_if(cancel);
    for (const DecompositionEntry& part : decomposition_of(sides[i]).parts)
      if (part.normal_ns) parts[part.name].push_back(static_cast<double>(*part.normal_ns));
  }
  return parts;
}

/// What the normal run's own report says of its time and samples, which those who compare want of both.
void add_accounts(Report& report, const Report& of_normal, const std::string& id) {
  const auto add = [&id](auto& entries, auto added) {
    for (auto& entry : added) {
      entry.run = id;
      entries.push_back(std::move(entry));
    }
  };
  add(report.ledger, of_normal.ledger);
  add(report.telemetry, of_normal.telemetry);
}

/// As compare_runs; throws Interrupted.
std::optional<Report> compare_both(const Facts& normal, const Facts& abnormal, const LoadedRules& loaded,
                                   const CompareOptions& options) {
  const LoadedRules& rules = loaded.comparing();  // for both runs: what is promised of one is asked of the other
  const RunFacts& after = abnormal.loaded().runs.front();
  stop_if(options.cancel);
  std::deque<SideBySide> sides;
  const std::vector<const RunFacts*> recordings = with_most_ranks(normal.loaded().runs, after);
  const CycleRequest request{options.anchor, options.per ? &*options.per : nullptr};
  for (const RunFacts* run : recordings) sides.emplace_back(*run, after, request, options.cancel);
  const std::size_t reference = place_of_reference(sides);
  const RunFacts& before = *recordings[reference];
  const SideBySide& side = sides[reference];
  const Cycles& cycles = side.equal.cycles;
  if (!options.anchor.empty() && cycles.basis == CycleBasis::none) return std::nullopt;
  const ComparedPair& inside = side.scope.pair();
  const Work& work = side.work;
  stop_if(options.cancel);

  auto comparison = std::make_shared<Comparison>();
  comparison->cycle = side.cycle;
  if (cycles.basis != CycleBasis::run) comparison->cycle.per = options.per;
  comparison->comparability = side.comparability;
  comparison->healthy = healthy_runs(recordings, sides, reference);
  Judged judged = judge_cycles(comparison->cycle, comparison->comparability.score,
                               largest_difference(comparison->comparability), side.equal.obstacle);
  if (comparison->healthy.low_ns && side.same_program() && comparison->cycle.change)
    judged = judge_beside(comparison->healthy, comparison->cycle);
  if (judged.verdict == Verdict::inconclusive && side.same_program())
    if (auto told = judge_separated_calls(comparison->cycle, work, side.counts)) judged = *std::move(told);
  bool by_messages = false;
  if (cycles.basis == CycleBasis::none)
    if (auto told = judge_messages(*before.store, *after.store, options.cancel)) {
      judged = *std::move(told);
      by_messages = true;
    }
  if (of_telemetry_alone(*before.store) && of_telemetry_alone(*after.store)) judged = judge_samples();
  comparison->verdict = judged.verdict;
  comparison->reason = std::move(judged.reason);
  comparison->nature = nature_of(inside, work, side.counts, *comparison, options.cancel);
  comparison->comparability.obstacle = side.equal.obstacle.reason;
  comparison->comparability.record = std::move(judged.record);
  Decomposition decomposition = decomposition_of(side);
  stop_if(options.cancel);
  comparison->decomposed = decomposition.of;
  comparison->decomposed.of =
      cycles.basis == CycleBasis::run || cycles.basis == CycleBasis::none ? DividedTime::run : DividedTime::cycle;
  comparison->decomposition = std::move(decomposition.parts);
  const bool of_ledger = comparison->decomposed.basis == LedgerBasis::timeline;
  judge_parts(*comparison,
              of_ledger ? part_times(inside, cycles, comparison->decomposition, options.cancel) : decomposition.times,
              parts_of_healthy(comparison->healthy, sides, options.cancel), options.cancel);
  // Last: parts are compared within the recordings, whatever these differ by. Messages are means of many already.
  if (!by_messages)
    comparison->verdict =
        confirm(comparison->healthy, comparison->verdict, comparison->cycle,
                share_an_input(normal.loaded(), before, abnormal.loaded()), comparison->nature == Nature::work);
  comparison->changes = largest_changes(work, side.counts, options.changes, options.cancel);
  comparison->unchanged = unchanged(inside, work, side.counts, *comparison);

  const std::shared_ptr<const FactStore> facts = with_comparisons(side.pair, side.equal, options.cancel);
  comparison->functions = function_rows(*facts);
  LoadedFacts judged_facts = abnormal.loaded();
  judged_facts.runs.front().store = facts;

  Verification verification;
  const DiagnoseOptions alone{.threads = options.threads, .cancel = options.cancel};
  DiagnoseOptions compared = alone;
  compared.timings = options.timings;
  compared.policy = options.policy;
  auto reference_alone = std::make_shared<LoadedFacts>(normal.loaded());  // with the inputs of all
  reference_alone->runs = {before};
  compared.baseline = Facts(std::shared_ptr<const LoadedFacts>(reference_alone));
  const Report was = diagnose_runs(*reference_alone, rules, alone, verification.before());
  Report report = diagnose_runs(judged_facts, rules, compared, verification.after());
  const bool same_causes = hides_causes(before) == hides_causes(after);
  comparison->finding_changes = finding_changes_of(was, report,
                                                   {.counts = whole_counts(side.pair, cycles),
                                                    .cycle = comparison->cycle,
                                                    .verdict = comparison->verdict,
                                                    .same_program = side.same_program(),
                                                    .same_causes = same_causes,
                                                    .lost_devices = records_devices(before) && !records_devices(after)},
                                                   rules, verification);
  comparison->abnormal = report.runs.front().id;
  comparison->normal = report.runs.front().baseline;
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    std::string id = comparison->normal;
    if (i != reference) {
      id = run_id(report.runs.size());
      report.runs.push_back(run_entry(*recordings[i], RunRole::baseline));
      report.runs.back().id = id;
    }
    comparison->healthy.runs[i].id = std::move(id);
  }
  add_accounts(report, was, comparison->normal);
  report.comparison = std::shared_ptr<const Comparison>(std::move(comparison));
  return report;
}

}  // namespace

std::optional<Report> compare_runs(const Facts& normal, const Facts& abnormal, const LoadedRules& rules,
                                   const CompareOptions& options) {
  try {
    return compare_both(normal, abnormal, rules, options);
  } catch (const Interrupted&) {
    return diagnose_runs(
        abnormal.loaded(), rules,
        {.threads = options.threads, .cancel = options.cancel, .timings = options.timings, .policy = options.policy});
  }
}

}  // namespace kdiag
