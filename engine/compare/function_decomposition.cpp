// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/function_decomposition.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace kdiag {
namespace {

constexpr std::string_view classes[] = {"compute", "communication", "copy"};
using TimeByClass = std::array<double, std::size(classes)>;  // ns

/// What the cycles of a run say of one device.
struct DeviceTimes {
  TimeByClass sum{};
  std::set<std::int64_t> cycles;  ///< that have functions of it
};

std::size_t class_of_function(std::string_view name) {
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto has = [&](std::string_view word) { return lower.find(word) != std::string::npos; };
  if (has("nccl") || has("rccl") || has("hccl") || has("hcom_")) return 1;
  if (lower.starts_with("memcpy") || lower.starts_with("memset") || has("[cuda memcpy") || has("[cuda memset"))
    return 2;
  return 0;
}

/// Time of the functions on each device in the cycles that are compared, by row of the device.
std::map<std::uint32_t, DeviceTimes> times_by_device(const FactStore& store, const std::vector<Cycle>& cycles) {
  std::set<std::int64_t> compared;
  for (const Cycle& cycle : cycles) compared.insert(cycle.index);
  std::map<std::uint32_t, DeviceTimes> devices;
  if (compared.size() != cycles.size()) return devices;  // numbers that occur twice tell no cycles apart
  for (std::uint32_t row = 0; row < store.rows(table("functions")); ++row) {
    const std::uint32_t device = store.index(column("functions.device"), row);
    const std::int64_t total = store.integer(column("functions.total"), row);
    if (device == absent_index || total == absent_integer || total < 0) continue;
    const std::int64_t cycle = store.integer(column("functions.cycle"), row);
    if (!compared.contains(cycle)) continue;
    DeviceTimes& times = devices[device];
    times.cycles.insert(cycle);
    times.sum[class_of_function(store.text(column("functions.name"), row))] += static_cast<double>(total);
  }
  return devices;
}

double sum_of(const DeviceTimes& times) {
  double sum = 0;
  for (const double time : times.sum) sum += time;
  return sum;
}

std::int64_t mean_of(double sum, std::size_t count) { return std::llround(sum / static_cast<double>(count)); }

std::int64_t mean_length(const std::vector<Cycle>& cycles) {
  double sum = 0;
  for (const Cycle& cycle : cycles) sum += static_cast<double>(cycle.ns);
  return mean_of(sum, cycles.size());
}

}  // namespace

Decomposition decompose_functions(const ComparedPair& pair, const Cycles& cycles) {
  Decomposition out;
  if (cycles.basis != "steps") return out;
  const auto before = times_by_device(pair.normal.store(), cycles.normal);
  const auto after = times_by_device(pair.abnormal.store(), cycles.abnormal);
  std::optional<std::uint32_t> device;
  for (const auto& [row, times] : after) {
    const Counterpart other = pair.match->device(row);
    if (other && before.contains(other.row) && (!device || sum_of(times) > sum_of(after.at(*device)))) device = row;
  }
  if (!device) return out;
  const DeviceTimes& normal = before.at(pair.match->device(*device).row);
  const DeviceTimes& abnormal = after.at(*device);
  out.of = {.of = "cycle", .basis = "functions"};
  const std::int64_t id = pair.abnormal.store().integer(column("devices.id"), *device);
  if (id != absent_integer) out.of.device = id;
  out.of.normal_ns = mean_length(cycles.normal);
  out.of.abnormal_ns = mean_length(cycles.abnormal);
  DecompositionEntry other{.name = "other", .normal_ns = out.of.normal_ns, .abnormal_ns = out.of.abnormal_ns};
  for (std::size_t i = 0; i < std::size(classes); ++i) {
    if (normal.sum[i] == 0 && abnormal.sum[i] == 0) continue;
    DecompositionEntry& part = out.parts.emplace_back(DecompositionEntry{.name = std::string(classes[i])});
    part.normal_ns = mean_of(normal.sum[i], normal.cycles.size());
    part.abnormal_ns = mean_of(abnormal.sum[i], abnormal.cycles.size());
    *other.normal_ns -= *part.normal_ns;
    *other.abnormal_ns -= *part.abnormal_ns;
  }
  out.parts.push_back(std::move(other));
  sum_up(out);
  return out;
}

}  // namespace kdiag
