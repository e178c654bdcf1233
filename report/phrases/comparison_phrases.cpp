// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/comparison_phrases.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include <kdiag/format.hpp>

#include "base/text.hpp"
#include "report/phrases/ledger_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/signature.hpp"

namespace kdiag::report {
namespace {

constexpr double slight =
    0.02;  // a mean or percentile that moves as the median does, within this, is no news (judgement)
constexpr std::size_t shown_outliers = 3, named_calls = 3;
constexpr std::size_t longest_cycle_name = 60;  // kernels of templates have names of hundreds of bytes
constexpr double telling_share =
    0.02;                        // by which the device's share of a cycle must move to be worth a line (judgement)
constexpr double much_more = 2;  // times the gain that was promised: something else changed, too (judgement)
// What a name must change by to be worth a line (judgement).
constexpr double least_of_difference = 0.01, least_of_cycle = 0.002;
constexpr double mostly_idle = 0.5;  // share of a cycle below which the device's work does not decide it (judgement)

std::string cycle_noun(const CycleEntry& cycle) {
  const std::string name = shorten_name(cycle.name, longest_cycle_name);
  if (cycle.basis == CycleBasis::steps) {
    if (cycle.name.empty()) return "step";
    if (cycle.name_normal.empty() || !cycle.work_ratio) return "call of " + name;
    return "call of " + (*cycle.work_ratio < 1 ? name : shorten_name(cycle.name_normal, longest_cycle_name));
  }
  if (cycle.basis == CycleBasis::range) return "range '" + name + "'";
  if (cycle.basis == CycleBasis::repetition) return "repetition of " + name;
  return "run";
}

/// How often the work of the smaller cycle the larger one does, where they are calls of different functions.
std::string ratio_words(const CycleEntry& cycle) {
  const double ratio = *cycle.work_ratio;
  if (cycle.basis == CycleBasis::run)
    return std::string(" (the ") + (ratio < 1 ? "normal" : "abnormal") + " run does the work " +
           format_number(std::round(10 * std::max(ratio, 1 / ratio)) / 10) + " times)";
  const std::string& larger = ratio < 1 ? cycle.name_normal : cycle.name;
  return " (a call of " + shorten_name(larger, longest_cycle_name) + " does the work of " +
         format_number(std::round(10 * std::max(ratio, 1 / ratio)) / 10) + ")";
}

/// "for 1,024 tokens (a step of the abnormal run has 4,096)": what the times of both runs are for.
std::string samples_words(const CycleEntry& cycle) {
  const auto& [unit, normal, abnormal] = *cycle.per;
  std::string words = " for " + format_number(std::min(normal, abnormal)) + " " + unit;
  if (normal == abnormal) return words;
  return words + " (a cycle of the " + (normal > abnormal ? "normal" : "abnormal") + " run has " +
         format_number(std::max(normal, abnormal)) + ")";
}

std::string outliers_phrase(const CycleSide& side, std::string_view name) {
  if (side.outliers.empty()) return {};
  std::vector<std::string> times;
  for (const OutlierCycle& cycle : side.outliers) {
    if (times.size() == shown_outliers) {
      times.push_back("...");
      break;
    }
    times.push_back(format_duration(cycle.ns) + (side.ordered ? " (" + std::to_string(cycle.index) + ")" : ""));
  }
  return std::to_string(side.outliers.size()) + " of " + format_count(side.count) + " " + std::string(name) +
         (side.outliers.size() == 1 ? " cycles stands out: " : " cycles stand out: ") + join(times, ", ");
}

std::string calls(double count) {
  const double whole = std::round(count);
  return std::abs(count - whole) < 0.005 ? format_count(static_cast<std::int64_t>(whole)) : format_number(count);
}

/// The device's share of a cycle in both runs: of the ledger, else of its functions. Zero: not known.
std::pair<double, double> device_share(const Comparison& comparison) {
  const DecompositionBasis& of = comparison.decomposed;
  const bool functions = of.basis == LedgerBasis::functions;  // all that the device did, where it is not known when
  double before = 0, after = 0;
  for (const DecompositionEntry& part : comparison.decomposition) {
    if (functions ? part.name == "other" : part.name != "compute") continue;
    before += static_cast<double>(part.normal_ns.value_or(0));
    after += static_cast<double>(part.abnormal_ns.value_or(0));
  }
  if (before > 0 && of.normal_ns > 0 && of.abnormal_ns > 0)
    return {before / static_cast<double>(of.normal_ns), after / static_cast<double>(of.abnormal_ns)};
  std::set<std::string_view> seen;  // a function has a row for each of its metrics
  std::pair<double, double> sum;
  for (const FunctionEntry& row : comparison.functions)
    if (row.device != "Host" && seen.insert(row.function).second) {
      sum.first += row.beta_normal.value_or(0);
      sum.second += row.beta_abnormal.value_or(0);
    }
  return sum;
}

/// "1 call", "2.5 calls"
std::string counted_calls(double count) { return calls(count) + (calls(count) == "1" ? " call" : " calls"); }

/// Whether it is the sum of kernels whose names a table cut, of which other ones are called now.
bool names_several(const ChangeEntry& change) {
  return change.kind == ChangeKind::kernel && change.name.ends_with("...") &&
         calls(change.calls_normal) != calls(change.calls_abnormal);
}

/// ", 43x cheaper" where the cost of a call changed by a tenth or more.
std::string factor_phrase(const ChangeEntry& change) {
  const double before = change.mean_normal_ns.value_or(0), after = change.mean_abnormal_ns.value_or(0);
  if (names_several(change)) return {};
  if (before <= 0 || after <= 0 || std::max(before, after) < 1.1 * std::min(before, after)) return {};
  return after < before ? ", " + format_factor(before / after) + " cheaper"
                        : ", " + format_factor(after / before) + " dearer";
}

/// What of a side is no idle line; below 0 where idle time is not known.
double busy_share(const Comparison& comparison, std::optional<std::int64_t> DecompositionEntry::*side,
                  std::int64_t whole) {
  if (comparison.decomposed.basis != LedgerBasis::timeline || whole <= 0) return -1;
  std::int64_t busy = 0;
  for (const DecompositionEntry& part : comparison.decomposition)
    if (!part.name.starts_with("idle.") && part.name != "unaccounted") busy += (part.*side).value_or(0);
  return static_cast<double>(busy) / static_cast<double>(whole);
}

std::string impact_phrase(const FindingChange& fate) {
  const bool timed = fate.before_ns.value_or(0) > 0 || fate.after_ns.value_or(0) > 0;
  if (!timed) return {};
  if (fate.before_ns && fate.after_ns) {
    if (fate.fate == Fate::appeared && *fate.before_ns == 0) return format_duration(*fate.after_ns);
    const std::string change = format_duration(*fate.before_ns) + " -> " + format_duration(*fate.after_ns);
    // The rule judges more than the time: what it measures may have been there before, unnoticed, or be left over.
    return fate.fate == Fate::appeared ? change + " by its own measure" : change;
  }
  if (fate.after_ns) return format_duration(*fate.after_ns);
  return "was " + format_duration(*fate.before_ns);
}

/// What came of the gain that a finding promised: never more than the cycle gained. Of what nobody mended nothing came.
std::string gain_phrase(const FindingChange& fate) {
  const bool less = fate.fate == Fate::gone || fate.fate == Fate::reduced || fate.fate == Fate::moved;
  if (!less || fate.predicted_high_ns.value_or(0) == 0 || fate.achieved_ns.value_or(-1) < 0 ||
      fate.before_ns.value_or(0) == 0)
    return {};
  const std::string promised =
      "promised a gain of " + format_duration_range(fate.predicted_low_ns.value_or(0), *fate.predicted_high_ns) + ", ";
  if (!fate.gained_ns) return promised + "its impact fell by " + format_duration(*fate.achieved_ns);
  const std::string fell = format_duration(*fate.achieved_ns), gained = format_duration(*fate.gained_ns);
  if (*fate.gained_ns == 0 && *fate.achieved_ns > 0)
    return promised + "its impact fell by " + fell + ", the cycle got no shorter";
  if (static_cast<double>(*fate.achieved_ns) > much_more * static_cast<double>(*fate.predicted_high_ns))
    return promised + "its impact fell by " + fell + ": more changed than its advice asks for";
  return promised + (gained == fell ? "got " + gained : "its impact fell by " + fell + ", the cycle by " + gained);
}

/// A check asks for less, or for more, than the rule does: that both differ is no contradiction, and said as it is.
std::string check_phrase(const FindingChange& fate) {
  if (fate.verify.empty() || fate.fate == Fate::not_comparable) return {};
  const bool gone = fate.fate == Fate::gone || fate.fate == Fate::moved;
  if (!fate.verified) return "its check cannot tell";
  const std::string& said = fate.verify_text.empty() ? fate.verify : fate.verify_text;
  if (gone) return *fate.verified ? "its check holds" : "its advice aims at more: " + said;
  const std::string_view still = fate.reason.empty() ? ", and the rule finds it still" : "";
  return *fate.verified ? "what its advice aims at holds" + std::string(still) : "its check does not hold yet: " + said;
}

/// In what the work differs.
std::vector<std::string> other_work(const ComparabilityEntry& comparability) {
  constexpr std::string_view of_work[] = {"kernels",       "operators", "functions",   "shapes",
                                          "launch shapes", "copies",    "bytes copied"};
  std::vector<std::string> other;
  for (const DifferenceEntry& difference : comparability.differences)
    if (std::any_of(std::begin(of_work), std::end(of_work),
                    [&](std::string_view what) { return difference.what.starts_with(what); }))
      other.push_back(difference.what);
  return other;
}

/// Whether what was called takes as long as before, so that most of the difference is when it runs: less than half of
/// it is time of the device's work by name and call, and less than a tenth is of calls on the host that became dearer
/// or cheaper, be it by what they wait for (judgement). Calls that wait for work which no longer runs side by side are
/// not dearer by themselves.
bool calls_take_as_long(const Comparison& comparison) {
  constexpr std::string_view of_device[] = {"compute", "copy", "memset", "communication"};
  const double all = std::abs(static_cast<double>(comparison.decomposed.delta_ns));
  double work = 0, overlap = 0, calls = 0;
  bool known = false;
  for (const DecompositionEntry& line : comparison.decomposition) {
    if (std::find(std::begin(of_device), std::end(of_device), line.name) == std::end(of_device)) continue;
    known = known || line.name == "compute";
    if (line.parts.empty()) work += std::abs(static_cast<double>(line.delta_ns));
    for (const DecompositionEntry& part : line.parts)
      (part.name == "overlap" ? overlap : work) += std::abs(static_cast<double>(part.delta_ns));
  }
  for (const ChangeEntry& change : comparison.changes)
    if (change.kind != ChangeKind::kernel && change.kind != ChangeKind::copy &&
        (change.change == ChangeWay::slower || change.change == ChangeWay::faster))
      calls += std::abs(static_cast<double>(change.delta_ns));
  return known && work < all / 2 && (overlap >= all / 2 || calls < all / 10);
}

std::string each(const std::optional<double>& mean) { return mean ? format_value({*mean, "ns", {}}) : "unknown"; }

/// Calls of the runtime that are new, of those that matter: the program is another one. What is gone may have come
/// before the recording; and kernels are loaded when they are first used, which runs of one program may do apart.
std::string new_runtime_calls(const Comparison& comparison) {
  std::vector<std::string> calls;
  for (const ChangeEntry& change : comparison.changes) {
    const bool loads =
        change.name.find("Module") != std::string::npos || change.name.find("Library") != std::string::npos;
    if (change.kind != ChangeKind::api || change.change != ChangeWay::appeared || loads) continue;
    if (calls.size() < named_calls && is_material(change, comparison))
      calls.push_back(shorten_name(change.name, longest_cycle_name));
  }
  return join(calls, ", ");
}

}  // namespace

std::string signed_duration(std::int64_t ns) { return (ns < 0 ? "-" : "+") + format_duration(ns < 0 ? -ns : ns); }

std::string signed_share(double share) {
  const std::string text = format_share(std::abs(share));
  const std::size_t bound = text.starts_with('<') || text.starts_with('>') ? 1 : 0;  // ">+99.9 %"
  return text.substr(0, bound) + (share < 0 ? "-" : "+") + text.substr(bound);
}

std::string verdict_word(Verdict verdict) { return upper(name_of(verdict)); }

bool told_by_means(const Comparison& comparison) {
  const CycleEntry& cycle = comparison.cycle;
  const bool differs = comparison.verdict == Verdict::regression || comparison.verdict == Verdict::improvement;
  return differs && cycle.floor_basis != FloorBasis::runs && cycle.change && cycle.mean_change && cycle.noise_floor &&
         cycle.normal.mean_ns && cycle.abnormal.mean_ns && std::abs(*cycle.change) <= *cycle.noise_floor;
}

std::string cycle_phrase(const Comparison& comparison) {
  const CycleEntry& cycle = comparison.cycle;
  if (!cycle.normal_ns || !cycle.abnormal_ns) return {};
  const bool means = told_by_means(comparison);
  const std::int64_t normal = means ? *cycle.normal.mean_ns : *cycle.normal_ns;
  const std::int64_t abnormal = means ? *cycle.abnormal.mean_ns : *cycle.abnormal_ns;
  const std::optional<double> change = means ? cycle.mean_change : cycle.change;
  std::string phrase = format_duration(normal) + " -> " + format_duration(abnormal);
  if (cycle.basis != CycleBasis::run) phrase += (means ? " in the mean per " : " per ") + cycle_noun(cycle);
  if (cycle.per) phrase += samples_words(cycle);
  else if (cycle.work_ratio) phrase += ratio_words(cycle);
  if (!change || !comparison.comparability.obstacle.empty()) return phrase;
  phrase += ", " + signed_share(*change);
  const double before = static_cast<double>(normal), after = static_cast<double>(abnormal);
  if (before <= 0 || after <= 0 || std::abs(*change) < 0.1) return phrase;
  return phrase + (after > before ? " (" + format_factor(after / before) + " slower)"
                                  : " (" + format_factor(before / after) + " faster)");
}

std::string reason_phrase(const Comparison& comparison) {
  const CycleEntry& cycle = comparison.cycle;
  std::string out = comparison.reason;
  if (!out.empty()) out.front() = upper(out.front());
  if (cycle.change && cycle.basis != CycleBasis::run)
    out += (told_by_means(comparison) ? "; means of " : "; medians of ") + format_count(cycle.normal.count) + " and " +
           format_count(cycle.abnormal.count) + " cycles";
  return out + ".";
}

std::string healthy_phrase(const HealthyRuns& healthy) {
  if (!healthy.low_ns) {
    const auto others = std::count_if(healthy.runs.begin(), healthy.runs.end(),
                                      [](const HealthyRun& run) { return !run.cycle_ns.has_value(); });
    std::string text = healthy.reason.empty() ? std::string() : "Unconfirmed: " + healthy.reason + ".";
    if (healthy.runs.size() < 2 || others == 0) return text;
    return text + (text.empty() ? "" : " ") + std::to_string(others) + " of " +
           counted(healthy.runs.size(), "recording") + " of the normal run cannot be compared and " +
           (others == 1 ? "is" : "are") + " left aside.";
  }
  std::vector<std::int64_t> medians;
  for (const HealthyRun& run : healthy.runs)
    if (run.cycle_ns) medians.push_back(*run.cycle_ns);
  const auto [least, most] = std::minmax_element(medians.begin(), medians.end());
  std::string text =
      counted(medians.size(), "healthy run") + " took " + format_duration(*least) + " to " + format_duration(*most);
  if (const std::size_t others = healthy.runs.size() - medians.size(); others > 0)
    text += " (" + counted(others, "more run") + " cannot be compared)";
  if (healthy.left_out == 0) return text + "; four would tell how often one of them is a false alarm.";
  return text + "; each judged by the others, " + std::to_string(healthy.alarms) + " of " +
         std::to_string(healthy.left_out) + " would be a false alarm.";
}

std::string edges_phrase(const CycleEntry& cycle) {
  if (cycle.normal.edges.empty()) return {};
  const auto times = [](const CycleSide& side) {
    std::vector<std::string> steps;
    for (const OutlierCycle& edge : side.edges)
      steps.push_back("step " + std::to_string(edge.index) + " " + format_duration(edge.ns));
    return join(steps, " and ");
  };
  return "Left out: the first and the last step of both runs, since one of them stands out (normal " +
         times(cycle.normal) + ", abnormal " + times(cycle.abnormal) + ").";
}

std::string tail_phrase(const CycleEntry& cycle) {
  std::vector<std::string> parts;
  const double change = cycle.change.value_or(0);
  const auto moves_otherwise = [&](const std::optional<double>& other) {
    return other && std::abs((1 + *other) / (1 + change) - 1) > slight;
  };
  if (moves_otherwise(cycle.mean_change)) parts.push_back("mean " + signed_share(*cycle.mean_change));
  if (moves_otherwise(cycle.tail_change)) parts.push_back("90th percentile " + signed_share(*cycle.tail_change));
  for (const auto& phrase : {outliers_phrase(cycle.normal, "normal"), outliers_phrase(cycle.abnormal, "abnormal")})
    if (!phrase.empty()) parts.push_back(phrase);
  return join(parts, "; ");
}

std::string regression_phrase(const Comparison& comparison) {
  const DecompositionEntry* most = nullptr;
  for (const DecompositionEntry& part : comparison.decomposition)
    if (part.delta_ns > 0 && (most == nullptr || part.delta_ns > most->delta_ns)) most = &part;
  return "Regression: " + cycle_phrase(comparison) + ". " + comparison.reason + "." +
         (most == nullptr ? ""
                          : " The largest part of it is " + most->name + ", " + signed_duration(most->delta_ns) +
                                (comparison.decomposed.of == DividedTime::cycle ? " per cycle." : "."));
}

bool is_material(const ChangeEntry& change, const Comparison& comparison) {
  const DecompositionBasis& of = comparison.decomposed;
  const bool divided = of.basis != LedgerBasis::none;
  const std::int64_t before = divided ? of.normal_ns : comparison.cycle.normal_ns.value_or(0);
  const std::int64_t after = divided ? of.abnormal_ns : comparison.cycle.abnormal_ns.value_or(0);
  const double limit = std::max(least_of_difference * std::abs(static_cast<double>(after - before)),
                                least_of_cycle * static_cast<double>(std::min(before, after)));
  return std::abs(static_cast<double>(change.delta_ns)) >= limit;
}

std::string decomposed_phrase(const DecompositionBasis& basis) {
  return (basis.of == DividedTime::cycle ? "per cycle (mean), " : "") + ledger_basis(basis.basis);
}

std::string change_phrase(const ChangeEntry& change) {
  if (change.change == ChangeWay::appeared)
    return "new: " + counted_calls(change.calls_abnormal) + ", " + each(change.mean_abnormal_ns) + " each";
  if (change.change == ChangeWay::gone)
    return "gone: " + counted_calls(change.calls_normal) + ", " + each(change.mean_normal_ns) + " each";
  const std::string before = calls(change.calls_normal), after = counted_calls(change.calls_abnormal);
  return (calls(change.calls_abnormal) == before ? after : before + " -> " + after) + ", " +
         each(change.mean_normal_ns) + " -> " + each(change.mean_abnormal_ns) + " each" + factor_phrase(change);
}

std::string comparability_phrase(const ComparabilityEntry& comparability) {
  const std::string score = format_number(std::round(comparability.score * 100) / 100) + " of 1";
  const auto& differences = comparability.differences;
  if (differences.empty()) return score + ": nothing else that is recorded differs";
  const bool counts = std::any_of(differences.begin(), differences.end(), [](const auto& d) { return d.weight > 0; });
  return score + (counts ? ", lowered by what differs or is not known:" : "; what differs is no reason against it:");
}

std::string difference_phrase(const DifferenceEntry& difference) {
  const bool unknown = difference.normal == "unknown" && difference.abnormal == "unknown";
  const std::string how = unknown ? "not recorded" : difference.normal + " -> " + difference.abnormal;
  return difference.what + ": " + how +
         (difference.weight > 0 ? " (weight " + format_share(difference.weight) + ")" : "");
}

std::string nature_phrase(const Comparison& comparison) {
  if (comparison.nature == Nature::cost) {
    std::vector<std::string> others;
    for (const DifferenceEntry& difference : comparison.comparability.differences)
      if (difference.kind == DifferenceKind::calls)
        others.push_back(difference.what + " (" + difference.normal + " -> " + difference.abnormal + ")");
    const std::string same = "The work is the same, " + (others.empty() ? "name by name and call by call"
                                                                        : "but for few " + join(others, " and "));
    if (calls_take_as_long(comparison))
      return same +
             "; calls take as long as before, too. What changed is when they run: look at what the host does "
             "between them, at streams and at what they wait for.";
    const std::string calls = new_runtime_calls(comparison);
    return same + "; each call costs another time. Look at data, machine, clocks and drivers before the program" +
           (calls.empty() ? "." : ", and at calls that it makes now (" + calls + ").");
  }
  if (comparison.nature == Nature::work) {
    const std::vector<std::string> other = other_work(comparison.comparability);
    const auto& differences = comparison.comparability.differences;
    const bool calls_differ =
        std::any_of(differences.begin(), differences.end(),
                    [](const DifferenceEntry& difference) { return difference.kind == DifferenceKind::calls; });
    if (calls_differ)
      return "The work is not the same (" + join(other, ", ") + "): the program, its settings or its input changed.";
    return "About as many calls of the same kinds, but not the same work: other " +
           (other.empty() ? "kernels or copies ran" : join(other, ", ")) + ".";
  }
  return {};
}

std::string hidden_phrase(const Comparison& comparison) {
  const auto got_worse = [](const FindingChange& fate) {
    return (fate.fate == Fate::appeared || fate.fate == Fate::worse) && !fate.within_noise.value_or(false);
  };
  if (comparison.verdict != Verdict::neutral ||
      std::none_of(comparison.finding_changes.begin(), comparison.finding_changes.end(), got_worse))
    return {};
  const auto [before, after] = device_share(comparison);
  if (before <= 0 || before >= mostly_idle) return {};
  return "The device works in " + format_share(before) + " of a cycle (" + format_share(after) +
         " in the abnormal run): what slows it hardly shows in the cycle.";
}

std::string utilization_phrase(const Comparison& comparison) {
  const double before = busy_share(comparison, &DecompositionEntry::normal_ns, comparison.decomposed.normal_ns);
  const double after = busy_share(comparison, &DecompositionEntry::abnormal_ns, comparison.decomposed.abnormal_ns);
  if (before < 0 || after < 0) return {};
  const std::string busy = "The device is busy for " + format_share(after) + " of a " +
                           (comparison.decomposed.of == DividedTime::cycle ? "cycle" : "run") + ", " +
                           format_share(before) + " in the normal run: ";
  if (comparison.verdict == Verdict::improvement && after < before - telling_share)
    return busy + "faster although utilization falls, since there is less for it to do.";
  const auto normal = static_cast<double>(comparison.decomposed.normal_ns);
  const auto abnormal = static_cast<double>(comparison.decomposed.abnormal_ns);
  const bool by_work = after * abnormal - before * normal >= (abnormal - normal) / 2;  // else by its idle time
  if (comparison.verdict == Verdict::regression && after > before + telling_share && by_work)
    return busy + "slower although utilization rises, since its work takes longer.";
  return {};
}

std::string fate_phrase(const FindingChange& fate) {
  std::vector<std::string> parts;
  if (const std::string impact = impact_phrase(fate); !impact.empty()) parts.push_back(impact);
  if (!fate.to.empty()) parts.push_back("see " + fate.to);
  if (!fate.reason.empty()) parts.push_back(fate.reason);
  if (const std::string gain = gain_phrase(fate); !gain.empty()) parts.push_back(gain);
  if (fate.within_noise.value_or(false)) parts.push_back("within the noise");
  if (const std::string check = check_phrase(fate); !check.empty()) parts.push_back(check);
  return join(parts, "; ");
}

}  // namespace kdiag::report
