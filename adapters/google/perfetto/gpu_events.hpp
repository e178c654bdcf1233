// SPDX-License-Identifier: Apache-2.0
// What packets say of GPUs: work in their queues, counters, clocks, memory.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/google/perfetto/clocks.hpp"
#include "adapters/google/perfetto/counters.hpp"
#include "adapters/google/perfetto/sequence.hpp"
#include "adapters/google/perfetto/trace.hpp"

namespace kdiag::adapters::perfetto {

class GpuEvents {
 public:
  using Instant = std::optional<std::int64_t>;  ///< of the packet, where it states one that can be told

  GpuEvents(Trace& trace, FactSink& sink) : trace_(trace), sink_(sink) {}

  void add_stage(std::string_view event, Instant when, const Sequence& sequence);
  void add_counters(std::string_view event, Instant when, const Sequence& sequence);
  void add_frequency(std::string_view event, Instant when);
  void add_memory(std::string_view event, Instant when);
  /// Of all that the operating system's kernel traces, what it says of GPUs.
  void add_kernel_events(std::string_view bundle, Clocks& clocks);
  void add_gpus(std::string_view info);

 private:
  void add_stage_names(std::string_view specifications);
  void add_extra(std::string_view extra, Stage& stage);
  void add_launch(std::string_view launch, const Sequence& sequence, Stage& stage);
  void add_count(std::string_view message, Instant when, const CounterGroup& group, std::int64_t gpu);

  Trace& trace_;
  FactSink& sink_;
  CounterGroup counters_;  ///< of descriptors that are no writer's own
  /// When a counter was read last, by GPU and name: a value is that of the time before it.
  std::map<std::pair<std::int64_t, std::string>, std::int64_t> read_until_;
  std::vector<std::uint32_t> queue_names_, stage_names_;  ///< of old traces, by number
};

}  // namespace kdiag::adapters::perfetto
