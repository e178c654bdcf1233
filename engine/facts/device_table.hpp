// SPDX-License-Identifier: Apache-2.0
// Reference data of devices: what the vendor says of a model. See docs/devices.md.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// One model in base units; unknown figures are absent_real or absent_integer.
struct DeviceModel {
  std::vector<std::vector<std::string>> names;  ///< alternatives; all words of one must occur in a device's name
  std::string vendor, kind;
  double sms, sm_clock_rated, sm_clock_max, mem_clock_max, dram_bw, host_link_bw, memory, power_limit, peer_link_bw;
  std::string compute_capability;
  std::vector<std::pair<ColumnId, double>> peaks;  ///< columns of `devices`, in their base units
  std::string source;

  /// Whether it says more than the vendor.
  bool has_figures() const;
};

/// The compiled-in table, data/devices.csv.
std::span<const DeviceModel> device_models();

/// Reads such a table; lines that start with # and the header are skipped, lines with too few fields too.
std::vector<DeviceModel> parse_device_models(std::string_view csv);

/// The model that a device's name means: of those of which all words occur in it the one with the most words, of
/// equals the first. nullptr when none does.
///
/// Example: find_device_model("NVIDIA A100-SXM4-80GB")->sms == 108
const DeviceModel* find_device_model(std::string_view name);

/// Fills the absent columns of `devices` rows whose name the table knows, and limits of compute units by the compute
/// capability; provider "device table".
void complete_devices(FactStore& store);

}  // namespace kdiag
