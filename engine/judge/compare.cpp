// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/compare.hpp"
#include "engine/facts/loaded_facts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include <kdiag/format.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/comparability.hpp"
#include "engine/compare/cycle_scope.hpp"
#include "engine/compare/cycles.hpp"
#include "engine/compare/decomposition.hpp"
#include "engine/compare/equal_cycles.hpp"
#include "engine/compare/function_decomposition.hpp"
#include "engine/compare/function_rows.hpp"
#include "engine/compare/pair.hpp"
#include "engine/compare/unchanged.hpp"
#include "engine/compare/verdict.hpp"
#include "engine/compare/work.hpp"
#include "engine/judge/diagnose.hpp"
#include "engine/judge/finding_changes.hpp"

namespace kdiag {
namespace {

constexpr double same_kernels = 0.95;  // of kernels, where the operators are known to be the same (judgement)

/// The work is the same when all that is known of it is: operators and kernels by name; copies; how kernels were
/// launched. The same operators may choose a few other kernels, by a search or for another device.
Nature nature_of(const ComparedPair& pair, const Work& work, const CycleCounts& counts, Verdict verdict,
                 CancelFlag cancel) {
  const auto operators = similarity_by_name(work.operators, counts), kernels = similarity_by_name(work.kernels, counts);
  const auto functions = similarity_by_name(work.device_functions, work.device_cycles);
  if (!operators && !kernels && !functions) return Nature::unknown;
  if (functions.value_or(1) < same_functions) return Nature::work;
  if (operators.value_or(1) < same_work || kernels.value_or(1) < (operators ? same_kernels : same_work))
    return Nature::work;
  for (const std::optional<double>& alike : {similarity(work.copies, counts), launch_shape_similarity(pair, cancel)})
    if (alike && *alike < same_work) return Nature::work;
  return verdict == Verdict::neutral ? Nature::none : Nature::cost;
}

/// Whether a run says when its devices were idle, and never why: its input holds nothing of the host.
bool hides_causes(const RunFacts& run) {
  const auto causes = run.store->indices(column("idle.cause"));
  return run.store->rows(table("idle")) > 0 &&
         std::all_of(causes.begin(), causes.end(), [](std::uint32_t cause) { return cause == absent_index; });
}

/// As compare_runs; throws Interrupted.
std::optional<Report> compare_both(const Facts& normal, const Facts& abnormal, const LoadedRules& loaded,
                                   const CompareOptions& options) {
  const LoadedRules& rules = loaded.comparing();  // for both runs: what is promised of one is asked of the other
  const RunFacts &before = normal.loaded().runs.front(), &after = abnormal.loaded().runs.front();
  stop_if(options.cancel);
  const RunMatch match(*after.store, *before.store, options.cancel);
  const ComparedPair pair = pair_of(before, after, match);
  const EqualCycles equal = equal_cycles(pair, options.anchor, options.cancel);
  const Cycles& cycles = equal.cycles;
  stop_if(options.cancel);
  if (!options.anchor.empty() && cycles.basis == CycleBasis::none) return std::nullopt;
  const CycleCounts counts = counts_of(cycles);
  const CycleScope scope(pair, cycles, options.cancel);
  const ComparedPair& inside = scope.pair();
  const Work work = work_of(inside, cycles, options.cancel);
  stop_if(options.cancel);

  auto comparison = std::make_shared<Comparison>();
  comparison->cycle = compare_cycles(cycles, options.cancel);
  comparison->comparability = comparability_of(inside, work, counts, options.cancel);
  stop_if(options.cancel);
  Judged judged = judge_cycles(comparison->cycle, comparison->comparability.score,
                               largest_difference(comparison->comparability), equal.obstacle);
  comparison->verdict = judged.verdict;
  comparison->reason = std::move(judged.reason);
  comparison->comparability.obstacle = equal.obstacle.reason;
  comparison->comparability.record = std::move(judged.record);
  comparison->nature = nature_of(inside, work, counts, comparison->verdict, options.cancel);
  Decomposition decomposition = decompose(inside, work, counts);
  stop_if(options.cancel);
  if (decomposition.of.basis == LedgerBasis::none) decomposition = decompose_functions(pair, cycles);
  comparison->decomposed = std::move(decomposition.of);
  comparison->decomposed.of =
      cycles.basis == CycleBasis::run || cycles.basis == CycleBasis::none ? DividedTime::run : DividedTime::cycle;
  comparison->decomposition = std::move(decomposition.parts);
  judge_parts(*comparison);
  comparison->changes = largest_changes(work, counts, options.changes, options.cancel);
  comparison->unchanged = unchanged(inside, work, counts, *comparison);

  const std::shared_ptr<const FactStore> facts = with_comparisons(pair, equal, options.cancel);
  comparison->functions = function_rows(*facts);
  LoadedFacts judged_facts = abnormal.loaded();
  judged_facts.runs.front().store = facts;

  Verification verification;
  const DiagnoseOptions alone{.threads = options.threads, .cancel = options.cancel};
  DiagnoseOptions compared = alone;
  compared.baseline = normal;
  const Report was = diagnose_runs(normal.loaded(), rules, alone, verification.before());
  Report report = diagnose_runs(judged_facts, rules, compared, verification.after());
  const bool same_program = !equal.obstacle && comparison->comparability.score > least_comparability;
  const bool same_causes = hides_causes(before) == hides_causes(after);
  comparison->finding_changes = finding_changes_of(
      was, report, {whole_counts(pair, cycles), comparison->cycle, comparison->verdict, same_program, same_causes},
      rules, verification);
  comparison->abnormal = report.runs.front().id;
  comparison->normal = report.runs.front().baseline;
  for (LedgerEntry entry : was.ledger) {
    entry.run = comparison->normal;
    report.ledger.push_back(std::move(entry));
  }
  report.comparison = std::shared_ptr<const Comparison>(std::move(comparison));
  return report;
}

}  // namespace

std::optional<Report> compare_runs(const Facts& normal, const Facts& abnormal, const LoadedRules& rules,
                                   const CompareOptions& options) {
  try {
    return compare_both(normal, abnormal, rules, options);
  } catch (const Interrupted&) {
    return diagnose_runs(abnormal.loaded(), rules, {.threads = options.threads, .cancel = options.cancel});
  }
}

}  // namespace kdiag
