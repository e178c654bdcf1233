// SPDX-License-Identifier: Apache-2.0
// LatencyPrism's counters (result_counters_data.csv): one value per counter and instant, UTC in us. Shares are in
// percent, clocks in MHz, memory in bytes, traffic in bytes a second. Nothing says which GPU or CPU a value is of: CPUs
// are sampled together and averaged here; GPUs one after the other, so that counters of several GPUs cannot be told
// apart.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/rows/csv_header.hpp"
#include "adapters/rows/device_samples.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

enum class Cell : std::uint8_t { counter, time, value, host };
constexpr std::string_view names[] = {"counter_name", "timestamp", "value", "hostname"};
using Header = CsvHeader<Cell, std::size(names)>;

struct Counter {
  std::string_view name, series, unit;
  bool of_gpu;
};
constexpr Counter counters[] = {
    {"gpu_sm_frequency", "sm_clock", "MHz", true},  {"gpu_mem_frequency", "mem_clock", "MHz", true},
    {"gpu_usage", "gpu_util", "%", true},           {"gpu_mem_used", "memory_used", "B", true},
    {"gpu_pcie_receive", "pcie_rx", "B/s", true},   {"gpu_pcie_transmit", "pcie_tx", "B/s", true},
    {"gpu_link_receive", "nvlink_rx", "B/s", true}, {"gpu_link_transmit", "nvlink_tx", "B/s", true},
    {"host_cpu_usage", "cpu_util", "%", false},     {"cpu_frequency", "cpu_clock", "MHz", false},
};
/// Of each process under a name of its own, which its id ends; averaged as processors are.
constexpr std::string_view of_process = "process_gpu_mem_usage_";
constexpr Counter process_memory{of_process, "process_memory", "B", false};

const Counter* counter_of(std::string_view name) {
  if (name.starts_with(of_process)) return &process_memory;
  const auto* counter =
      std::find_if(std::begin(counters), std::end(counters), [&](const Counter& c) { return c.name == name; });
  return counter == std::end(counters) ? nullptr : counter;
}

/// Values of a counter at one instant.
struct Instant {
  double sum = 0;
  std::size_t values = 0;
};
using Samples = std::map<std::int64_t, Instant>;

/// One GPU is sampled at about equal distances; several follow one another within each of them. Judgement: a quarter.
bool of_several_gpus(const Samples& samples) {
  std::int64_t shortest = 0, longest = 0;
  for (auto at = samples.begin(), next = samples.begin(); at != samples.end(); at = next) {
    if (at->second.values > 1) return true;
    if (++next == samples.end()) break;
    const std::int64_t distance = next->first - at->first;
    shortest = shortest == 0 ? distance : std::min(shortest, distance);
    longest = std::max(longest, distance);
  }
  return shortest < longest / 4;
}

/// The first names of many; the note counts them.
std::string few_of(const std::set<std::string, std::less<>>& names) {
  constexpr std::size_t most = 3;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown == most) return text + ", ...";
    text += (shown++ > 0 ? ", " : "") + name;
  }
  return text;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : csv_(input, sink), sink_(csv_.sink()) {}

  Status read() {
    while (csv_.next()) {
      if (header_) {
        row();
        continue;
      }
      csv_.note_cut(true);
      header_.emplace(csv_.fields(), names);
      for (const std::string& name : header_->unknown()) sink_.note(note_id::unknown_table_column, name);
    }
    RunInfo run = telemetry_run("LatencyPrism", ClockDomain::unix_ns);
    run.host = host_;
    sink_.run(std::move(run));
    Batch batch;
    batch.declare(table("samples"));
    for (const auto& [counter, samples] : samples_) add(batch, *counter, samples);
    if (!unused_.empty()) sink_.note(note_id::unused_metric, few_of(unused_), unused_.size());
    if (!merged_.empty())
      sink_.note(note_id::unused_metric, few_of(merged_) + " of several GPUs, which the file does not tell apart",
                 merged_.size());
    sink_.submit(0, std::move(batch));
    return csv_.status();
  }

 private:
  void row() {
    sink_.count_events(1);
    const bool complete = csv_.fields().size() == header_->columns();
    if (csv_.note_cut(!complete)) return;
    if (!complete) return sink_.note(note_id::malformed_value, "number of columns");
    const std::string_view name = header_->cell(csv_.fields(), Cell::counter);
    const Counter* counter = counter_of(name);
    if (counter == nullptr) {
      if (unused_.emplace(name).second) sink_.keeps(1, static_cast<std::int64_t>(sizeof(std::string) + name.size()));
      return;
    }
    const std::string_view text = header_->cell(csv_.fields(), Cell::value);
    if (is_missing_word(text)) return;
    const auto time = header_->time(csv_.fields(), Cell::time, 1000);
    const auto value = parse_measured(text);
    if (!time || !value || !value->unit.empty() || value->value < 0) return sink_.note(note_id::malformed_value, name);
    const auto base = to_base_unit(value->value, counter->unit, find_series(counter->series)->unit);
    if (!base) return sink_.note(note_id::malformed_value, name);  // beyond every number in that unit
    if (host_.empty()) host_ = header_->cell(csv_.fields(), Cell::host);
    Instant& instant = samples_[counter][*time];
    instant.sum += *base;
    ++instant.values;
  }

  void add(Batch& batch, const Counter& counter, const Samples& samples) {
    if (counter.of_gpu && of_several_gpus(samples)) {
      merged_.emplace(counter.name);
      return;
    }
    const Text series = batch.text(counter.series), unit = batch.text(base_unit(find_series(counter.series)->unit));
    for (const auto& [time, instant] : samples) {
      const Row row = batch.add(table("samples"));
      batch.set(row, column("samples.series"), series);
      batch.set(row, column("samples.time"), time);
      batch.set(row, column("samples.value"), instant.sum / static_cast<double>(instant.values));
      batch.set(row, column("samples.unit"), unit);
    }
  }

  CsvReader csv_;
  FactSink& sink_;
  std::optional<Header> header_;
  std::string host_;
  std::map<const Counter*, Samples> samples_;
  std::set<std::string, std::less<>> unused_;  ///< names of counters that have no place among the facts
  std::set<std::string, std::less<>> merged_;  ///< names of counters of several GPUs
};

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  const Header header(header_fields(first_line(head.bytes)), names);
  return header.has(Cell::counter, Cell::time, Cell::value) ? 90 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"samples",          "samples:sm_clock",    "samples:mem_clock",
                                         "samples:gpu_util", "samples:memory_used", "samples:pcie_rx",
                                         "samples:pcie_tx",  "samples:nvlink_rx",   "samples:nvlink_tx",
                                         "samples:cpu_util", "samples:cpu_clock",   "samples:process_memory"};

}  // namespace

extern const Adapter latencyprism_counters;
const Adapter latencyprism_counters{
    .id = "latencyprism-counters",
    .title = "LatencyPrism's counters of host and GPUs",
    .example = "counter_name,timestamp,value,hostname",
    .record = "LatencyPrism, result_counters_data.csv",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
