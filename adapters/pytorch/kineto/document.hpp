// SPDX-License-Identifier: Apache-2.0
// What stands around the events of a Kineto trace: devices, rank, base time, the profiler's log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/json/json.hpp"
#include "adapters/names/device_names.hpp"

namespace kdiag::adapters::kineto {

/// An entry of `deviceProperties`.
struct DeviceProperties {
  std::int64_t id = 0;
  std::string name;
  std::optional<std::int64_t> sms = {};                                                  ///< compute units
  std::optional<std::int64_t> memory = {};                                               ///< bytes
  std::optional<double> clock_max = {};                                                  ///< Hz
  std::string compute_capability = {};                                                   ///< "8.0"
  std::optional<std::int64_t> unit_threads = {}, unit_registers = {}, unit_memory = {};  ///< of a compute unit
};

struct Document {
  std::vector<DeviceProperties> devices;
  bool lists_devices = false;             ///< whether it has the list, which may be empty
  std::optional<std::int64_t> base_time;  ///< ns since 1970 that event times count from
  std::optional<std::int64_t> rank, world_size;
  std::string host;
  bool of_paddle = false;  ///< PaddlePaddle wrote it: span_indx
  DeviceMaker maker;       ///< what the keys say: roctracer_version, cuda_driver_version
};

/// Reads the top-level members; notes log lines that report lost records (K621), errors (K625) and warnings (K626).
Document read_document(const EventDocument& events, FactSink& sink);

}  // namespace kdiag::adapters::kineto
