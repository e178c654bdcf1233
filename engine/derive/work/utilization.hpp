// SPDX-License-Identifier: Apache-2.0
// What the operations of devices and of steps are worth against the peaks of the devices.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// What an operator launched itself, in ns.
struct OwnWork {
  std::uint32_t op = absent_index;  ///< row of `ops`
  std::uint32_t device = absent_index;
  double time = 0;      ///< of all its kernels
  double products = 0;  ///< of that, kernels of products, convolutions and attention
  double judged = 0;    ///< of all, within what is judged
  double judged_products = 0;
  bool known = false;  ///< whether its operations are known, and their time at the device's peak where it has peaks
  double share() const { return time > 0 ? judged / time : 0; }
};

/// Sums in ns: times of kernels, and those that the operations of operators take at the peaks for their types.
struct Utilization {
  double at_peak = 0, forward_at_peak = 0, backward_at_peak = 0;
  double time = 0, known_time = 0;  ///< of operators whose operations are known and of all products; of the former
  bool worked = false;

  double known_share() const { return time > 0 ? known_time / time : 0; }
  /// Of all operations (HFU), of a device or so many over so many ns.
  std::optional<double> hardware_share(double span) const;
  /// Of three forward passes (MFU), where the device trained and did as much.
  std::optional<double> model_share(double span) const;
};

struct Utilizations {
  std::vector<OwnWork> ops;          ///< of operators that launched work, in the order of their rows
  std::vector<Utilization> devices;  ///< within what is judged: cut where the wall ends
  std::vector<Utilization> steps;    ///< whole
};

/// Run after derive_work. O(rows).
Utilizations utilizations_of(const FactStore& store);

/// The window that a device is judged by; null where it has none or an empty one.
const Wall* worked_wall(const FactStore& store, std::uint32_t device);

/// Fills `devices.hfu`, `devices.mfu`, `steps.hfu` and `steps.mfu`, where operations are known for half of the time of
/// products and more. O(rows).
void derive_utilization(FactStore& store);

}  // namespace kdiag
