// SPDX-License-Identifier: Apache-2.0
// Hardware counters as samples.
#include <string_view>

#include <kdiag/note_ids.hpp>

#include "adapters/pytorch/kineto/chunk.hpp"

namespace kdiag::adapters::kineto {
namespace {

struct Counter {
  std::string_view metric;
  std::string_view series;
  double scale;  // to the series' base unit
};

// Metrics of CUPTI's PM sampling whose definition is that of a series (Nsight Compute metrics reference); percentages
// of the sustained peak become ratios.
constexpr Counter counters[] = {
    {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed", "sm_active", 0.01},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "tensor_active", 0.01},
    {"dram__cycles_active.avg.pct_of_peak_sustained_elapsed", "dram_active", 0.01},
    {"sm__cycles_elapsed.avg.per_second", "sm_clock", 1.0},
    {"gpc__cycles_elapsed.avg.per_second", "sm_clock", 1.0},
};

/// The device of "GPU 3 Counters".
std::optional<std::int64_t> counter_device(std::string_view text) {
  const std::size_t from = text.find_first_of("0123456789");
  if (from == std::string_view::npos) return std::nullopt;
  return to_integer(Token{text.substr(from, text.find_first_not_of("0123456789", from) - from)});
}

}  // namespace

void Chunk::add_counter(const Event& event) {
  const auto time = event.start_ns();
  const std::string metric(decode(event.name, scratch_));
  const auto device_id = counter_device(decode(event.pid, scratch_));
  for (const Member& argument : event.args.members()) {
    // The value stands under an empty key; back ends with several values per event name each of them.
    const std::string_view name = argument.key.empty() ? std::string_view(metric) : argument.key;
    const auto value = to_real(argument.value);
    const Counter* known = nullptr;
    for (const Counter& counter : counters)
      if (counter.metric == name) known = &counter;
    if (known == nullptr || !time || !value) {
      sink_->note(known == nullptr ? note_id::unknown_counter : note_id::malformed_value, name);
      continue;
    }
    const Row row = batch.add(table("samples"));
    batch.set(row, column("samples.series"), known->series);
    set_start(row, column("samples.time"), *time);
    batch.set(row, column("samples.value"), *value * known->scale);
    batch.set(row, column("samples.unit"), find_series(known->series)->unit == Unit::ratio ? "ratio" : "Hz");
    if (device_id) batch.set(row, column("samples.device"), device(*device_id));
  }
}

}  // namespace kdiag::adapters::kineto
