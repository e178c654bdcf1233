// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/together.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "engine/compare/statistics/sample.hpp"

namespace kdiag {
namespace {

// Judgement.
constexpr double about_as_slow = 1.25, slower_by = 1.125;
constexpr double most_names = 0.5, most_time = 0.8, beside_largest = 0.1;
constexpr std::size_t least_operators = 3;

/// Of operators and calls that wait for the device, or only pass on what others take, the time is not the host's.
bool is_work_of_host(std::string_view operator_name) {
  constexpr std::string_view waiting[] = {"item",     "_local_scalar_dense", "nonzero",      "copy_",     "::to",
                                          "_to_copy", "DataLoader",          "ProfilerStep", "ynchronize"};
  return std::none_of(std::begin(waiting), std::end(waiting), [operator_name](std::string_view part) {
    return part == "::to" ? operator_name.ends_with(part) : operator_name.find(part) != std::string_view::npos;
  });
}

bool is_launch(std::string_view call) {
  return call.find("aunch") != std::string_view::npos || call.find("LAUNCH") != std::string_view::npos;
}

bool timed_in_both(const Change& change) {
  return change.present == ChangePresent::both && change.each && change.each_before && *change.each_before > 0;
}

std::optional<double> bytes_of(const FactStore& store, const PlacedRows& rows, std::uint32_t device) {
  std::optional<double> sum;
  const auto add = [&](TableId id, ColumnId bytes, bool (*counts)(const FactStore&, std::uint32_t)) {
    if (!store.has(bytes)) return;
    for (const std::uint32_t row : rows.on_device(id, device))
      if (const std::int64_t n = store.integer(bytes, row); n >= 0 && counts(store, row))
        sum = sum.value_or(0) + static_cast<double>(n);
  };
  add(table("copies"), column("copies.bytes"), [](const FactStore& facts, std::uint32_t row) {
    const std::string_view kind = facts.text(column("copies.kind"), row);
    return kind == "h2d" || kind == "d2h";
  });
  add(table("comms"), column("comms.bytes"), [](const FactStore&, std::uint32_t) { return true; });
  return sum;
}

std::optional<double> part_of(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

}  // namespace

std::optional<Change> device_change(const ComparedRuns& runs, const std::vector<Change>& all,
                                    const ComparedPlace& place) {
  double now = 0, before = 0, slower_before = 0, largest = 0;
  std::size_t rows = 0, slower = 0;
  std::vector<const Change*> launches;
  std::map<ChangeBasis, std::size_t> bases;
  for (const Change& change : all) {
    if (change.kind != ChangeRowKind::launch || !timed_in_both(change) || !change.calls) continue;
    launches.push_back(&change);
    ++bases[change.basis];
    ++rows;
    const double then = *change.calls * *change.each_before;
    now += *change.calls * *change.each;
    before += then;
    if (*change.each <= slower_by * *change.each_before) continue;
    ++slower;
    slower_before += then;
    largest = std::max(largest, then);
  }
  if (before <= 0) return std::nullopt;
  const double times = now / before;
  double together = 0;
  for (const Change* launch : launches)
    if (const double own = *launch->each / *launch->each_before;
        own < about_as_slow * times && own > times / about_as_slow)
      together += *launch->calls * *launch->each_before;
  const double of_names = static_cast<double>(slower) / static_cast<double>(rows);
  const auto most =
      std::max_element(bases.begin(), bases.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  Change out{
      .kind = ChangeRowKind::device,
      .name = "kernels",
      .device = place.device,
      .rank = place.rank,
      .basis = most->first,
      .present = ChangePresent::both,
      .total = now,
      .total_before = before,
      .alike = of_names > most_names ||
               (slower_before > most_time * before && slower_before - largest > beside_largest * before),
      .value = bytes_of(runs.run, runs.rows, place.device),
      .value_before = kdiag::times(bytes_of(runs.baseline, runs.rows_before, place.device_before), place.repetitions)};
  out.longer = times - 1;
  out.together = part_of(together, before);
  out.slower_names = of_names;
  return out;
}

std::optional<Change> host_change(const std::vector<Change>& operators, const std::vector<Change>& calls,
                                  const ComparedPlace& place) {
  std::vector<double> by_operator, by_call;
  for (const Change& change : operators)
    if (timed_in_both(change) && is_work_of_host(change.name))
      by_operator.push_back(*change.each / *change.each_before);
  for (const Change& change : calls)
    if (timed_in_both(change) && is_launch(change.name)) by_call.push_back(*change.each / *change.each_before);
  const bool operators_tell = by_operator.size() >= least_operators;
  const std::vector<double>& ratios = operators_tell ? by_operator : by_call;
  const auto middle = statistics::median(ratios);
  if (!middle) return std::nullopt;
  const auto slower = std::count_if(ratios.begin(), ratios.end(), [&](double r) { return r > (1 + *middle) / 2; });
  Change out{.kind = ChangeRowKind::host,
             .name = operators_tell ? "operators" : "launch calls",
             .rank = place.rank,
             .basis = ChangeBasis::name,
             .present = ChangePresent::both};
  out.longer = *middle - 1;
  out.together = static_cast<double>(slower) / static_cast<double>(ratios.size());
  return out;
}

}  // namespace kdiag
