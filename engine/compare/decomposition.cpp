// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/decomposition.hpp"
#include "base/number.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kdiag {
namespace {

constexpr double least_divided = 1e-3;  // of the cycle; shares of a smaller difference say nothing (judgement)

struct Line {
  std::string name;
  std::int64_t ns = 0;
};

/// The lines of a ledger, and what they leave of its wall, per cycle. Sums of the first lines are rounded, not the
/// lines, so that all of them add up to the rounded cycle.
std::vector<Line> lines_per_cycle(const LedgerEntry& ledger, double cycles) {
  std::vector<Line> lines;
  std::int64_t sum = 0, rounded = 0;
  const auto add = [&](std::string name, std::int64_t ns) {
    sum += ns;
    const std::int64_t up_to_here = Number(static_cast<double>(sum) / cycles).rounded();
    lines.push_back({std::move(name), up_to_here - rounded});
    rounded = up_to_here;
  };
  for (const LedgerLine& line : ledger.lines) add(line.name, line.ns);
  if (const std::int64_t rest = ledger.wall_ns.value_or(sum) - sum; rest != 0) add("unaccounted", rest);
  return lines;
}

/// Whether a side says when the device was idle, but never why: its input holds nothing of the host.
bool knows_no_causes(const std::vector<Line>& lines) {
  std::int64_t known = 0, unknown = 0;
  for (const Line& line : lines)
    if (line.name.starts_with("idle.")) (line.name == "idle.unknown" ? unknown : known) += line.ns;
  return unknown > 0 && known == 0;
}

/// Whether a side cannot say why the device was idle for half of the time and more.
bool knows_few_causes(const std::vector<Line>& lines) {
  std::int64_t known = 0, unknown = 0;
  for (const Line& line : lines)
    if (line.name.starts_with("idle.")) (line.name == "idle.unknown" ? unknown : known) += line.ns;
  return unknown > 0 && unknown >= known;
}

/// Idle time as one line.
void drop_causes(std::vector<Line>& lines) {
  for (Line& line : lines)
    if (line.name.starts_with("idle.")) line.name = "idle.unknown";
}

/// A host that did nothing as far as is known, and one that is not known: little is recorded of either.
void drop_silence(std::vector<Line>& lines) {
  for (Line& line : lines)
    if (line.name == "idle.no_work") line.name = "idle.unknown";
}

/// How much the kernels' own times grew, by why.
struct Growth {
  double added = 0, gone = 0, calls = 0, per_call = 0;
  bool known = false;
};

Growth growth_of(const std::vector<NamedWork>& kernels, const CycleCounts& cycles) {
  Growth growth;
  for (const NamedWork& kernel : kernels) {
    if (kernel.communication) continue;
    growth.known = true;
    const double all = kernel.growth(cycles), by_calls = kernel.growth_by_calls(cycles);
    if (!kernel.in_normal) {
      growth.added += all;
    } else if (!kernel.in_abnormal) {
      growth.gone += all;
    } else {
      growth.calls += by_calls;
      growth.per_call += all - by_calls;
    }
  }
  return growth;
}

/// Gives the entry `compute` its parts; the last takes what the others leave of it.
void divide_compute(DecompositionEntry& compute, const Growth& growth) {
  std::int64_t left = compute.delta_ns;
  const std::pair<std::string_view, double> known[] = {
      {"new", growth.added}, {"gone", growth.gone}, {"calls", growth.calls}, {"per_call", growth.per_call}};
  for (const auto& [name, ns] : known) {
    compute.parts.push_back({.name = std::string(name), .delta_ns = Number(ns).rounded()});
    left -= compute.parts.back().delta_ns;
  }
  compute.parts.push_back({.name = "overlap", .delta_ns = left});
  std::erase_if(compute.parts, [](const DecompositionEntry& part) { return part.delta_ns == 0; });
}

void add_shares(std::vector<DecompositionEntry>& parts, std::int64_t whole) {
  for (DecompositionEntry& part : parts) {
    part.share = static_cast<double>(part.delta_ns) / static_cast<double>(whole);
    add_shares(part.parts, whole);
  }
}

}  // namespace

Decomposition decompose(const ComparedPair& pair, const Work& work, const CycleCounts& cycles) {
  Decomposition out;
  const LedgerEntry *before = pair.normal.ledger, *after = pair.abnormal.ledger;
  if (before == nullptr || after == nullptr) return out;
  out.of.basis = after->basis;
  out.of.rank = after->rank;
  out.of.device = after->device;

  std::vector<Line> normal = lines_per_cycle(*before, cycles.normal);
  std::vector<Line> abnormal = lines_per_cycle(*after, cycles.abnormal);
  if (knows_no_causes(normal) != knows_no_causes(abnormal)) {
    drop_causes(normal);
    drop_causes(abnormal);
  } else if (knows_few_causes(normal) || knows_few_causes(abnormal)) {
    drop_silence(normal);
    drop_silence(abnormal);
  }
  const auto part_of = [&](const std::string& name) -> DecompositionEntry& {
    const auto found = std::find_if(out.parts.begin(), out.parts.end(),
                                    [&](const DecompositionEntry& part) { return part.name == name; });
    if (found != out.parts.end()) return *found;
    return out.parts.emplace_back(DecompositionEntry{.name = name, .normal_ns = 0, .abnormal_ns = 0});
  };
  for (const Line& line : normal) *part_of(line.name).normal_ns += line.ns;
  for (const Line& line : abnormal) *part_of(line.name).abnormal_ns += line.ns;
  std::erase_if(out.parts, [](const DecompositionEntry& part) { return part.normal_ns == 0 && part.abnormal_ns == 0; });
  const Growth growth = growth_of(work.kernels, cycles);
  for (DecompositionEntry& part : out.parts) {
    part.delta_ns = *part.abnormal_ns - *part.normal_ns;
    out.of.normal_ns += *part.normal_ns;
    out.of.abnormal_ns += *part.abnormal_ns;
    if (part.name == "compute" && growth.known) divide_compute(part, growth);
  }
  sum_up(out);
  return out;
}

void sum_up(Decomposition& decomposition) {
  for (DecompositionEntry& part : decomposition.parts) part.delta_ns = *part.abnormal_ns - *part.normal_ns;
  DecompositionBasis& of = decomposition.of;
  of.delta_ns = of.abnormal_ns - of.normal_ns;
  const double whole = static_cast<double>(std::max(of.normal_ns, of.abnormal_ns));
  if (std::abs(static_cast<double>(of.delta_ns)) > least_divided * whole) add_shares(decomposition.parts, of.delta_ns);
}

}  // namespace kdiag
