// SPDX-License-Identifier: Apache-2.0
// Devices as LatencyPrism names them, and their clocks, from means of counters over the functions that ran on them.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

/// "GPU 7": the kind of a device and its number.
struct DeviceLabel {
  std::string_view kind;
  std::int64_t id = 0;
};
/// Nothing for `Host` and all that does not name a device.
std::optional<DeviceLabel> device_label(std::string_view text);

/// A unit that counters may be in.
struct ClockUnit {
  std::string_view name;
  double hertz = 1;
};

/// Mean clocks of devices while functions ran, weighted by how long these took.
class DeviceClocks {
 public:
  static bool is_clock(std::string_view counter);

  /// Takes the mean of a counter over a function, in the input's unit, if the counter is a clock of a device.
  void add(std::string_view device, std::string_view counter, double mean, double weight);

  /// Of the clocks of compute units.
  double highest() const;
  std::optional<double> sm_clock(std::int64_t device) const;
  std::optional<double> mem_clock(std::int64_t device) const;

 private:
  enum Clock : std::uint8_t { sm, device, memory, clocks };
  struct Sum {
    double weighted = 0, weight = 0, highest = 0;
  };
  std::optional<double> mean(std::int64_t device, Clock clock) const;

  std::map<std::int64_t, std::array<Sum, clocks>> sums_;
};

/// Means of the clocks over single cycles, as the tool's reports take them: of each function the mean of the cycles in
/// which its clock was sampled, whatever these took, weighted by the function's mean share of a cycle. So recordings
/// and the report on them state one clock.
class CycleClocks {
 public:
  /// `share`: of the function in the cycle.
  void add(std::string_view device, std::string_view counter, std::string_view function, double mean, double share);
  DeviceClocks clocks() const;

 private:
  struct Sum {
    double mean = 0, share = 0, cycles = 0;
  };
  std::map<std::array<std::string, 3>, Sum> sums_;  ///< device, counter, function
};

/// The unit that makes the highest clock of a compute unit plausible: 0.1 to 4 GHz (judgement). The inputs state none;
/// the first that is tried is what LatencyPrism is known to write, percent of a MHz.
std::optional<ClockUnit> plausible_unit(double highest_clock);

}  // namespace kdiag::adapters
