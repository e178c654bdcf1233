// SPDX-License-Identifier: Apache-2.0
// Prometheus text of dcgm-exporter (`DCGM_FI_...{gpu="0",UUID="GPU-...",modelName="..."} value`) and of
// nvidia_gpu_exporter (`nvidia_smi_...{uuid="..."} value`, in base units): one scrape, or several one after the other.
// A value may carry its time in ms (unix); usually it does not. Spec: Prometheus exposition format, DCGM's list of
// fields. Metrics of GPU instances (MIG) are left out: they are not of the GPU as a whole.
#include <algorithm>
#include <array>
#include <cstdint>
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

#include "adapters/json/json.hpp"
#include "adapters/nvidia/dcgm/fields.hpp"
#include "adapters/text/bad_records.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr std::string_view dcgm_prefix = "DCGM_FI_";
constexpr std::string_view smi_prefix = "nvidia_smi_";
constexpr std::string_view identity_metric = "nvidia_smi_gpu_info";  // its labels name the GPU, its value is 1

// What follows `nvidia_smi_`.
constexpr TelemetryName smi_metrics[] = {
    {"clocks_current_sm_clock_hz", "", "sm_clock"},
    {"clocks_current_memory_clock_hz", "", "mem_clock"},
    {"power_draw_watts", "", "power"},
    {"temperature_gpu", "", "temperature"},
    {"temperature_gpu_tlimit", "", "temperature_margin"},
    {"temperature_memory", "", "mem_temperature"},
    {"utilization_gpu_ratio", "", "gpu_util"},
    {"utilization_memory_ratio", "", "mem_util"},
    {"utilization_encoder_ratio", "", "encoder_util"},
    {"utilization_decoder_ratio", "", "decoder_util"},
    {"memory_used_bytes", "", "memory_used"},
    {"clocks_event_reasons_active", "", "throttle_reasons"},
    {"clocks_throttle_reasons_active", "", "throttle_reasons"},
    {"clocks_max_sm_clock_hz", "", "", column("devices.sm_clock_max")},
    {"clocks_max_memory_clock_hz", "", "", column("devices.mem_clock_max")},
    {"clocks_applications_graphics_clock_hz", "", "", column("devices.sm_clock_app")},
    {"enforced_power_limit_watts", "", "", column("devices.power_limit")},
    {"power_default_limit_watts", "", "", column("devices.power_limit_default")},
    {"pcie_link_gen_max", "", "", column("devices.pcie_gen_max")},
    {"pcie_link_width_max", "", "", column("devices.pcie_width_max")},
    {"pcie_link_gen_current", "", "pcie_gen"},
    {"pcie_link_width_current", "", "pcie_width"},
    {"ecc_errors_corrected_volatile_total", "", "ecc_corrected"},
    {"ecc_errors_uncorrected_volatile_total", "", "ecc_uncorrected"},
    {"ecc_errors_corrected_aggregate_total", "", "ecc_corrected_lifetime"},
    {"ecc_errors_uncorrected_aggregate_total", "", "ecc_uncorrected_lifetime"},
    {"remapped_rows_uncorrectable", "", "rows_remapped"},
    {"remapped_rows_pending", "", "repair_pending"},
    {"retired_pages_pending", "", "repair_pending"},
    {"remapped_rows_failure", "", "repair_failed"},
    {"memory_total_bytes", "", "", column("devices.memory")},
};

const TelemetryName* find_metric(std::string_view name) {
  if (name.starts_with(dcgm_prefix)) return dcgm::find_metric(name.substr(dcgm_prefix.size()));
  return name.starts_with(smi_prefix) ? find_telemetry(smi_metrics, name.substr(smi_prefix.size())) : nullptr;
}

// The parts of a GPU's memory in MiB: dcgm-exporter states them unless it is told otherwise, and not the whole.
constexpr std::string_view memory_parts[] = {"DCGM_FI_DEV_FB_FREE", "DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_RESERVED"};

/// A line `name{label="value",...} value time`.
struct Sample {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string>> labels;
  std::string_view value, time;

  std::string_view label(std::string_view wanted) const {
    for (const auto& [key, text] : labels)
      if (key == wanted) return text;
    return {};
  }
};

/// Takes a quoted text off the front, escapes resolved.
std::optional<std::string> take_quoted(std::string_view& rest) {
  if (!rest.starts_with('"')) return std::nullopt;
  std::string text;
  for (std::size_t i = 1; i < rest.size(); ++i) {
    if (rest[i] == '"') {
      rest.remove_prefix(i + 1);
      return text;
    }
    if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
    text += rest[i];
  }
  return std::nullopt;
}

std::optional<Sample> parse_sample(std::string_view line) {
  line = trim(line);
  if (line.empty() || line.front() == '#') return std::nullopt;
  Sample sample;
  const std::size_t end = std::min(line.find_first_of("{ \t"), line.size());
  sample.name = line.substr(0, end);
  std::string_view rest = trim(line.substr(end));
  if (rest.starts_with('{')) {
    rest = trim(rest.substr(1));
    while (!rest.empty() && rest.front() != '}') {
      const std::size_t equals = rest.find('=');
      if (equals == std::string_view::npos) return std::nullopt;
      const std::string_view key = trim(rest.substr(0, equals));
      rest = trim(rest.substr(equals + 1));
      auto text = take_quoted(rest);
      if (!text) return std::nullopt;
      sample.labels.emplace_back(key, std::move(*text));
      rest = trim(rest);
      if (rest.starts_with(',')) rest = trim(rest.substr(1));
    }
    if (rest.empty()) return std::nullopt;
    rest = trim(rest.substr(1));
  }
  const std::size_t blank = std::min(rest.find_first_of(" \t"), rest.size());
  sample.value = rest.substr(0, blank);
  sample.time = trim(rest.substr(blank));
  if (sample.value.empty()) return std::nullopt;
  return sample;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink, {.separator = '\0', .quotes = false, .proves_end = never_ends}), sink_(lines_.sink()) {}

  Status read() {
    while (lines_.next())
      if (!lines_.note_cut()) line(lines_.record());
    if (Status status = lines_.status(); !status) return status;
    number_gpus();
    for (const Value& value : values_) add(value);
    add_memory();
    impossible_.report(sink_);
    if (!values_.empty() && !timed_) sink_.note(note_id::assumed_times);
    RunInfo run = telemetry_run(dcgm_ ? "dcgm-exporter" : "nvidia_gpu_exporter",
                                timed_ ? ClockDomain::unix_ns : ClockDomain::device);
    if (hosts_.size() == 1) run.host = *hosts_.begin();
    sink_.run(std::move(run));
    sink_.submit(0, facts_.take());
    return ok_status();
  }

 private:
  /// What the labels say of a GPU.
  struct Gpu {
    std::array<std::optional<double>, std::size(memory_parts)> memory = {};  ///< of the first scrape
    std::optional<std::int64_t> index;
    std::string uuid, model;
    std::int64_t number = 0;
  };
  struct Value {
    const TelemetryName* about;
    std::size_t gpu;
    std::int64_t time;
    double value;
    std::uint64_t line;
  };

  void line(std::string_view text) {
    if (trim(text).starts_with('#')) return;
    const auto sample = parse_sample(text);
    if (!sample) return sink_.note(note_id::unreadable_record);
    sink_.count_events(1);
    if (sample->name == identity_metric) return (void)gpu_of(*sample);
    const TelemetryName* about = find_metric(sample->name);
    dcgm_ = dcgm_ || sample->name.starts_with(dcgm_prefix);
    if (!sample->label("GPU_I_ID").empty()) return sink_.note(note_id::instance_metrics);
    const auto number = to_real(Token{sample->value});
    note_memory(*sample, number);
    if (about == nullptr) return;
    if (!number || dcgm::is_blank(*number)) {
      if (!is_missing_word(sample->value) && !number) sink_.note(note_id::malformed_value, sample->name);
      return;
    }
    const std::size_t gpu = gpu_of(*sample);
    const auto time = to_ns(Token{sample->time}, ms);
    timed_ = timed_ || time;
    values_.push_back({about, gpu, time.value_or(scrape_of(about, gpu) * assumed_period_ns), *number, lines_.line()});
  }

  void note_memory(const Sample& sample, std::optional<double> mib) {
    const auto part = std::find(std::begin(memory_parts), std::end(memory_parts), sample.name);
    if (part == std::end(memory_parts) || !mib || *mib < 0 || dcgm::is_blank(*mib)) return;
    auto& known = gpus_[gpu_of(sample)].memory[static_cast<std::size_t>(part - std::begin(memory_parts))];
    if (!known) known = mib;
  }

  /// Where the whole is not stated. Without what the driver reserves it is what programs can have.
  void add_memory() {
    constexpr double mib = 1 << 20;
    for (const Gpu& gpu : gpus_) {
      const auto [free, used, reserved] = gpu.memory;
      if (free && used && *free + *used > 0)
        facts_.set(gpu.number, column("devices.memory"), (*free + *used + reserved.value_or(0)) * mib);
    }
  }

  std::size_t gpu_of(const Sample& sample) {
    std::string_view uuid = sample.label("UUID");
    if (uuid.empty()) uuid = sample.label("uuid");
    auto index = to_integer(Token{sample.label("gpu")});
    if (!index) index = to_integer(Token{sample.label("index")});
    const std::string key = uuid.empty() ? std::string(sample.label("gpu")) : std::string(uuid);
    const auto [place, added] = places_.try_emplace(key, gpus_.size());
    if (added) gpus_.emplace_back();
    Gpu& gpu = gpus_[place->second];
    if (index && *index >= 0) gpu.index = index;
    if (gpu.uuid.empty()) gpu.uuid = uuid;
    for (std::string_view name : {"modelName", "name"})
      if (gpu.model.empty()) gpu.model = sample.label(name);
    for (std::string_view name : {"Hostname", "hostname"})
      if (const std::string_view host = sample.label(name); !host.empty()) hosts_.emplace(host);
    return place->second;
  }

  /// A metric that comes again for a GPU begins another scrape.
  std::int64_t scrape_of(const TelemetryName* about, std::size_t gpu) { return counts_[{about, gpu}]++; }

  /// GPUs that no label numbers, and second ones of a number (of another host), take the numbers that are left, in the
  /// order of their appearance.
  void number_gpus() {
    std::set<std::int64_t> taken;
    for (Gpu& gpu : gpus_)
      if (gpu.index && !taken.insert(*gpu.index).second) gpu.index.reset();
    std::int64_t next = 0;
    for (Gpu& gpu : gpus_) {
      while (!gpu.index && taken.contains(next)) ++next;
      gpu.number = gpu.index ? *gpu.index : next++;
    }
  }

  void add(const Value& value) {
    const Gpu& gpu = gpus_[value.gpu];
    facts_.set(gpu.number, column("devices.name"), gpu.model);
    facts_.set(gpu.number, column("devices.uuid"), gpu.uuid);
    if (!add_telemetry(facts_, *value.about, gpu.number, value.time, value.value))
      impossible_.add(note_id::malformed_value, value.about->name, value.line);
  }

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  DeviceSamples facts_{"nvidia"};
  std::vector<Gpu> gpus_;
  std::map<std::string, std::size_t> places_;  ///< of GPUs by uuid, else by number
  std::vector<Value> values_;
  BadRecords impossible_;  ///< outside of what their metric can be
  std::map<std::pair<const TelemetryName*, std::size_t>, std::int64_t> counts_;
  std::set<std::string> hosts_;
  bool timed_ = false;
  bool dcgm_ = false;  ///< metrics of dcgm-exporter are among them
};

int sniff(const Head& head) {
  if (head.json != 0) return 0;
  for (std::size_t at = 0; at < head.bytes.size();) {
    const std::size_t end = std::min(head.bytes.find('\n', at), head.bytes.size());
    const std::string_view line = trim(head.bytes.substr(at, end - at));  // documents indent what they quote
    if (line.starts_with(dcgm_prefix) || line.starts_with(smi_prefix))
      if (const auto sample = parse_sample(line); sample && to_real(Token{sample->value})) return 85;
    at = end + 1;
  }
  return 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"samples",
                                         "samples:sm_clock",
                                         "samples:mem_clock",
                                         "samples:power",
                                         "samples:temperature",
                                         "samples:mem_temperature",
                                         "samples:gpu_util",
                                         "samples:mem_util",
                                         "samples:encoder_util",
                                         "samples:decoder_util",
                                         "samples:memory_used",
                                         "samples:throttle_reasons",
                                         "samples:sm_active",
                                         "samples:tensor_active",
                                         "samples:dram_active",
                                         "samples:pcie_rx",
                                         "samples:pcie_tx",
                                         "samples:nvlink_rx",
                                         "samples:nvlink_tx",
                                         "samples:temperature_margin",
                                         "samples:sm_occupancy",
                                         "samples:ecc_corrected",
                                         "samples:ecc_uncorrected",
                                         "samples:ecc_corrected_lifetime",
                                         "samples:ecc_uncorrected_lifetime",
                                         "samples:rows_remapped",
                                         "samples:repair_pending",
                                         "samples:repair_failed",
                                         "samples:pcie_gen",
                                         "samples:pcie_width",
                                         "samples:pcie_replays",
                                         "samples:nvlink_flit_errors",
                                         "samples:nvlink_data_errors",
                                         "samples:nvlink_replays",
                                         "samples:nvlink_recoveries",
                                         "samples:xid",
                                         "devices.id",
                                         "devices.name",
                                         "devices.uuid",
                                         "devices.sm_clock_max",
                                         "devices.sm_clock_app",
                                         "devices.mem_clock_max",
                                         "devices.power_limit",
                                         "devices.power_limit_default",
                                         "devices.temperature_slowdown",
                                         "devices.mem_temperature_max",
                                         "devices.pcie_gen_max",
                                         "devices.pcie_width_max",
                                         "devices.memory"};

}  // namespace

extern const Adapter gpu_prometheus;
const Adapter gpu_prometheus{
    .id = "gpu-prometheus",
    .title = "Prometheus text of dcgm-exporter and nvidia_gpu_exporter: clocks, power, temperature, activity",
    .example = "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\",UUID=\"GPU-...\",modelName=\"NVIDIA A100-SXM4-80GB\"} 1410",
    .record = "while sleep 1; do curl -s localhost:9400/metrics; done > gpu.prom",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
