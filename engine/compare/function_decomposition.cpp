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
#include <utility>

#include "base/number.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/facts/function_class.hpp"

namespace kdiag {
namespace {

constexpr std::string_view classes[] = {"compute", "communication", "copy"};  // by FunctionClass
using TimeByClass = std::array<double, std::size(classes)>;                   // ns

/// What the cycles of a run that have functions of one device say of it, by number of the cycle.
using DeviceTimes = std::map<std::int64_t, TimeByClass>;

std::size_t place_of(std::string_view function) { return static_cast<std::size_t>(class_of_function(function)); }

/// Time of the functions on each device in the cycles that are compared, by row of the device.
std::map<std::uint32_t, DeviceTimes> times_by_device(const FactStore& store, const std::vector<Cycle>& cycles) {
  std::set<std::int64_t> compared;
  for (const Cycle& cycle : cycles) compared.insert(cycle.index);
  std::map<std::uint32_t, DeviceTimes> devices;
  if (compared.size() != cycles.size()) return devices;  // numbers that occur twice tell no cycles apart
  for (std::uint32_t row = 0; row < store.rows(table("functions")); ++row) {
    const std::uint32_t device = store.index(column("functions.device"), row);
    const std::int64_t total = store.integer(column("functions.total"), row);
    if (device == absent_index || total == absent_integer || total < 0 || !device_in_scope(store, device)) continue;
    const std::int64_t cycle = store.integer(column("functions.cycle"), row);
    if (!compared.contains(cycle)) continue;
    devices[device][cycle][place_of(store.text(column("functions.name"), row))] += static_cast<double>(total);
  }
  return devices;
}

double sum_of(const DeviceTimes& times, std::size_t class_index) {
  double sum = 0;
  for (const auto& [cycle, by_class] : times) sum += by_class[class_index];
  return sum;
}

double sum_of(const DeviceTimes& times) {
  double sum = 0;
  for (std::size_t i = 0; i < std::size(classes); ++i) sum += sum_of(times, i);
  return sum;
}

/// Of the devices with most work beside collectives (half of it and more) the one that spends least time in
/// collectives: the others wait for it there, and in another run perhaps for another one.
std::uint32_t device_that_is_waited_for(const std::map<std::uint32_t, DeviceTimes>& devices) {
  constexpr auto communication = static_cast<std::size_t>(FunctionClass::communication);
  const auto own_work = [](const DeviceTimes& times) {
    return (sum_of(times) - sum_of(times, communication)) / static_cast<double>(times.size());
  };
  double most = 0;
  for (const auto& [row, times] : devices) most = std::max(most, own_work(times));
  std::optional<std::uint32_t> found;
  double least = 0;
  for (const auto& [row, times] : devices) {
    const double waiting = sum_of(times, communication) / static_cast<double>(times.size());
    if (own_work(times) < most / 2 || (found && waiting >= least)) continue;
    found = row;
    least = waiting;
  }
  return *found;
}

/// Of the work of the smaller cycle, and `other`, which is what they leave of the cycle.
TimesByPart times_by_part(const DeviceTimes& device, const std::vector<Cycle>& cycles, double work) {
  TimesByPart times;
  for (const Cycle& cycle : cycles) {
    const auto own = device.find(cycle.index);
    if (own == device.end()) continue;
    double other = static_cast<double>(cycle.ns);
    for (std::size_t i = 0; i < std::size(classes); ++i) {
      times[std::string(classes[i])].push_back(own->second[i] / work);
      other -= own->second[i] / work;
    }
    times["other"].push_back(other);
  }
  return times;
}

std::int64_t mean_of(double sum, double count) { return Number(sum / count).rounded(); }

std::int64_t mean_length(const std::vector<Cycle>& cycles) {
  double sum = 0;
  for (const Cycle& cycle : cycles) sum += static_cast<double>(cycle.ns);
  return mean_of(sum, static_cast<double>(cycles.size()));
}

/// Parts of each side, and what they leave of its mean cycle.
class MeanCycles {
 public:
  MeanCycles(const Cycles& cycles, std::optional<std::int64_t> device) {
    out_.of = {.of = DividedTime::cycle, .basis = LedgerBasis::functions};
    out_.of.device = device;
    out_.of.normal_ns = mean_length(cycles.normal);
    out_.of.abnormal_ns = mean_length(cycles.abnormal);
    other_.normal_ns = out_.of.normal_ns;
    other_.abnormal_ns = out_.of.abnormal_ns;
  }
  std::int64_t normal_ns() const { return out_.of.normal_ns; }
  std::int64_t abnormal_ns() const { return out_.of.abnormal_ns; }

  void add(std::size_t class_index, std::int64_t normal, std::int64_t abnormal) {
    if (normal == 0 && abnormal == 0) return;
    DecompositionEntry& part = out_.parts.emplace_back(DecompositionEntry{.name = std::string(classes[class_index])});
    part.normal_ns = normal;
    part.abnormal_ns = abnormal;
    *other_.normal_ns -= normal;
    *other_.abnormal_ns -= abnormal;
  }
  Decomposition take() {
    out_.parts.push_back(std::move(other_));
    sum_up(out_);
    return std::move(out_);
  }

 private:
  Decomposition out_;
  DecompositionEntry other_{.name = "other"};
};

/// From the functions of both inputs.
std::optional<Decomposition> of_functions(const ComparedPair& pair, const Cycles& cycles) {
  const auto before = times_by_device(pair.normal.store(), cycles.normal);
  const auto after = times_by_device(pair.abnormal.store(), cycles.abnormal);
  std::map<std::uint32_t, DeviceTimes> in_both, in_both_before;
  for (const auto& [row, times] : after)
    if (const Counterpart other = pair.match->device(row); other && before.contains(other.row)) {
      in_both.emplace(row, times);
      in_both_before.emplace(row, before.at(other.row));
    }
  if (in_both.empty()) return std::nullopt;
  const std::uint32_t row = device_that_is_waited_for(in_both), row_before = device_that_is_waited_for(in_both_before);
  const DeviceTimes& normal = in_both_before.at(row_before);
  const DeviceTimes& abnormal = in_both.at(row);
  const std::int64_t id = pair.abnormal.store().integer(column("devices.id"), row);
  MeanCycles mean(cycles, row != row_before || id == absent_integer ? std::nullopt : std::optional(id));
  for (std::size_t i = 0; i < std::size(classes); ++i)
    mean.add(i, mean_of(sum_of(normal, i), static_cast<double>(normal.size()) * cycles.work_normal),
             mean_of(sum_of(abnormal, i), static_cast<double>(abnormal.size()) * cycles.work_abnormal));
  Decomposition out = mean.take();
  out.times = {times_by_part(normal, cycles.normal, cycles.work_normal),
               times_by_part(abnormal, cycles.abnormal, cycles.work_abnormal)};
  return out;
}

/// Mean shares of the functions on one device, as a report on both runs states them.
struct StatedShares {
  std::array<double, std::size(classes)> normal{}, abnormal{};
  double sum() const {
    double all = 0;
    for (const double share : abnormal) all += share;
    return all;
  }
};

/// By device. A function has a row for each metric, whose shares are means of other cycles: their mean is taken.
std::map<std::string, StatedShares> stated_shares(const FactStore& store) {
  struct Means {
    double normal = 0, abnormal = 0, rows = 0;
  };
  std::map<std::pair<std::string, std::string>, Means> functions;
  for (std::uint32_t row = 0; row < store.rows(table("comparisons")); ++row) {
    const std::string device(store.text(column("comparisons.device"), row));
    const double normal = store.real(column("comparisons.beta_normal"), row);
    const double abnormal = store.real(column("comparisons.beta_abnormal"), row);
    if (device.empty() || device == "Host" || std::isnan(normal) || std::isnan(abnormal)) continue;
    Means& means = functions[{device, std::string(store.text(column("comparisons.function"), row))}];
    means.normal += normal;
    means.abnormal += abnormal;
    means.rows += 1;
  }
  std::map<std::string, StatedShares> devices;
  for (const auto& [key, means] : functions) {
    StatedShares& shares = devices[key.first];
    const std::size_t place = place_of(key.second);
    shares.normal[place] += means.normal / means.rows;
    shares.abnormal[place] += means.abnormal / means.rows;
  }
  return devices;
}

/// From the report that the abnormal run's input is.
std::optional<Decomposition> of_stated_shares(const ComparedPair& pair, const Cycles& cycles) {
  const std::map<std::string, StatedShares> devices = stated_shares(pair.abnormal.store());
  const auto most = std::max_element(devices.begin(), devices.end(),
                                     [](const auto& a, const auto& b) { return a.second.sum() < b.second.sum(); });
  if (most == devices.end()) return std::nullopt;
  MeanCycles mean(cycles, std::nullopt);
  const auto part = [](double share, std::int64_t cycle) {
    return Number(share * static_cast<double>(cycle)).rounded();
  };
  for (std::size_t i = 0; i < std::size(classes); ++i)
    mean.add(i, part(most->second.normal[i], mean.normal_ns()), part(most->second.abnormal[i], mean.abnormal_ns()));
  return mean.take();
}

}  // namespace

Decomposition decompose_functions(const ComparedPair& pair, const Cycles& cycles) {
  if (cycles.basis != CycleBasis::steps) return {};
  if (auto parts = of_functions(pair, cycles)) return std::move(*parts);
  if (auto parts = of_stated_shares(pair, cycles)) return std::move(*parts);
  return {};
}

}  // namespace kdiag
