// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/work_phrases.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include <kdiag/format.hpp>

#include "base/phrases.hpp"

namespace kdiag::report {
namespace {

/// With so much of the time known the rest does not change three digits of a figure (judgement).
constexpr double whole = 0.995;
/// With less of it known the figure says more of the recording than of the run (judgement).
constexpr double least_known = 0.5;

std::optional<double> utilization(const WorkEntry& entry) {
  if (entry.stated_share) return entry.stated_share;
  return entry.model_share ? entry.model_share : entry.peak_share;
}

std::string exact_share(double share) { return format_value({.value = share, .unit = "ratio"}); }

}  // namespace

std::string utilization_phrase(const RunView& view) {
  std::optional<double> low, high;
  bool all_known = true;
  for (const WorkEntry* entry : view.work) {
    const auto share = utilization(*entry);
    if (!share || (!entry->stated_share && entry->known_share < least_known)) continue;
    low = std::min(low.value_or(*share), *share);
    high = std::max(high.value_or(*share), *share);
    all_known = all_known && (entry->stated_share || entry->known_share >= whole);
  }
  if (!low) return {};
  const std::string first = exact_share(*low), last = exact_share(*high);
  if (!all_known) return "MFU at least " + first;
  return "MFU " + (first == last ? first : first.substr(0, first.find(' ')) + " to " + last);
}

std::vector<std::string> work_phrases(const WorkEntry& entry) {
  std::vector<std::string> phrases;
  if (entry.stated_share) phrases.push_back(exact_share(*entry.stated_share) + " by the model's operations");
  if (entry.flops <= 0) return phrases;
  std::string amount = format_value({.value = entry.flops, .unit = "FLOP"});
  if (entry.rate) amount += ", " + format_value({.value = *entry.rate, .unit = "FLOP/s"});
  phrases.push_back(std::move(amount));
  if (entry.peak_share) phrases.push_back(exact_share(*entry.peak_share) + " of the device's peak");
  if (entry.model_share) phrases.push_back(exact_share(*entry.model_share) + " by three forward passes");
  if (entry.known_share < whole)
    phrases.push_back("known for " + format_share(entry.known_share) +
                      " of the time of matrix products, convolutions and attention");
  return phrases;
}

std::string sizes_phrase(std::string_view shapes) {
  if (shapes.size() < 2 || !shapes.starts_with('[') || !shapes.ends_with(']')) return std::string(shapes);
  std::vector<std::string> tensors;
  std::string sizes;
  for (const char c : shapes.substr(1, shapes.size() - 2)) {
    if (c == '[') sizes.clear();
    else if (c == ',' && !sizes.empty()) sizes += 'x';
    else if (c >= '0' && c <= '9') sizes += c;
    else if (c == ']' && !sizes.empty()) tensors.push_back(std::exchange(sizes, {}));
    else if (c != ' ' && c != ',' && c != ']') return std::string(shapes);
  }
  return join(tensors, ", ");
}

std::vector<std::vector<std::string>> gap_cells(const RunView& view, const WorkEntry& entry, std::size_t most) {
  std::vector<std::vector<std::string>> cells = {{"operator", "calls", "time", "attainable", "above it", "inputs"}};
  for (std::size_t i = 0; i < std::min(most, entry.gaps.size()); ++i) {
    const OperatorGap& gap = entry.gaps[i];
    const std::int64_t above = gap.time_ns - gap.attainable_ns;
    const double wall = static_cast<double>(view.run->wall_ns.value_or(0));
    cells.push_back({gap.op, format_count(gap.calls), format_duration(gap.time_ns), format_duration(gap.attainable_ns),
                     wall > 0 ? format_share(static_cast<double>(above) / wall) : format_duration(above),
                     sizes_phrase(gap.shapes)});
  }
  return cells;
}

}  // namespace kdiag::report
