// SPDX-License-Identifier: Apache-2.0
// Numbers of fields: tsl's xplane.proto. The names of events and of what is said of them stand behind the lines that
// use them, so a plane is walked twice.
#include "adapters/google/xla/planes.hpp"

#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>

#include <kdiag/note_ids.hpp>

#include "adapters/google/xla/details.hpp"
#include "adapters/io/protobuf.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters::xla {
namespace {

constexpr std::int64_t host_process = 0;
constexpr std::int64_t ps_per_ns = 1000;

/// What XLA states of an event or a plane, where kdiag knows what to do with it.
enum class Stat : std::uint8_t {
  other,
  correlation,
  kernel_details,
  copy_details,
  hlo_op,
  step,
  flops,
  bytes_moved,
  model,
  compute_units,
  clock_khz,
  memory,
  bandwidth,
  dropped,
};

Stat stat_of(std::string_view name) {
  static const std::unordered_map<std::string_view, Stat> stats = {{"correlation_id", Stat::correlation},
                                                                   {"kernel_details", Stat::kernel_details},
                                                                   {"memcpy_details", Stat::copy_details},
                                                                   {"hlo_op", Stat::hlo_op},
                                                                   {"step_num", Stat::step},
                                                                   {"flops", Stat::flops},
                                                                   {"bytes_accessed", Stat::bytes_moved},
                                                                   {"gpu_device_name", Stat::model},
                                                                   {"device_type_string", Stat::model},
                                                                   {"core_count", Stat::compute_units},
                                                                   {"clock_rate", Stat::clock_khz},
                                                                   {"memory_size", Stat::memory},
                                                                   {"memory_bandwidth", Stat::bandwidth},
                                                                   {"dropped_traces", Stat::dropped}};
  const auto found = stats.find(name);
  return found == stats.end() ? Stat::other : found->second;
}

/// A value that a plane or an event states.
struct Value {
  std::int64_t about = 0;  ///< what it is a value of: number of a name
  std::optional<double> real;
  std::optional<std::int64_t> integer;
  std::optional<std::int64_t> name;  ///< the text is the name with this number
  std::string_view text;
};

Value read_value(std::string_view message) {
  Value value;
  for (const Field& field : Fields(message)) switch (field.number) {
      case 1: value.about = field.signed_integer().value_or(0); break;
      case 2: value.real = field.real(); break;
      case 3:
      case 4: value.integer = field.signed_integer(); break;
      case 5: value.text = field.text(); break;
      case 7: value.name = field.signed_integer(); break;
      default: break;
    }
  return value;
}

class Plane {
 public:
  Plane(std::string_view message, std::int64_t position, Records& records, KeptRecords& kept, FactSink& sink)
      : message_(message), records_(records), kept_(kept), sink_(sink), process_(position) {
    for (const Field& field : Fields(message))
      if (field.number == 2) name_ = field.text();
      else if (field.number == 4) event_names_.insert(entry(field.message()));
      else if (field.number == 5) stat_names_.insert(entry(field.message()));
    if (!parse_device_plane(name_)) process_ = host_process;
  }

  void read() {
    records_.process_names.try_emplace(process_, name_);
    for (const Field& field : Fields(message_))
      if (field.number == 3) read_line(field.message());
      else if (field.number == 6) add_property(read_value(field.message()));
  }

 private:
  /// Of a map: the key and the message behind it.
  static std::pair<std::int64_t, std::string_view> entry(std::string_view message) {
    std::pair<std::int64_t, std::string_view> out;
    for (const Field& field : Fields(message))
      if (field.number == 1) out.first = field.signed_integer().value_or(0);
      else if (field.number == 2) out.second = field.message();
    return out;
  }

  /// What the records keep of an event's name: it is asked for once per name, not once per event.
  struct EventName {
    std::uint32_t name = no_text;
    std::vector<Value> values;  ///< of all events of the name
  };

  const EventName& event_name(std::int64_t number) {
    const auto [known, added] = known_names_.try_emplace(number);
    if (!added) return known->second;
    const auto found = event_names_.find(number);
    if (found == event_names_.end()) return known->second;
    std::string_view name;
    std::string_view shown;
    for (const Field& field : Fields(found->second))
      if (field.number == 2) name = field.text();
      else if (field.number == 4) shown = field.text();
      else if (field.number == 5) known->second.values.push_back(read_value(field.message()));
    if (!shown.empty()) name = shown;
    if (!name.empty()) known->second.name = records_.texts(name);
    return known->second;
  }

  std::string_view stat_name(std::int64_t number) const {
    const auto found = stat_names_.find(number);
    if (found == stat_names_.end()) return {};
    for (const Field& field : Fields(found->second))
      if (field.number == 2) return field.text();
    return {};
  }

  Stat stat(std::int64_t number) {
    const auto [known, added] = known_stats_.try_emplace(number, Stat::other);
    if (added) known->second = stat_of(stat_name(number));
    return known->second;
  }

  std::string_view text(const Value& value) const { return value.name ? stat_name(*value.name) : value.text; }

  void read_line(std::string_view message) {
    Key row{process_, 0};
    std::string_view name;
    std::string_view shown;
    std::int64_t origin = 0;
    for (const Field& field : Fields(message)) switch (field.number) {
        case 1: row.second = field.signed_integer().value_or(0); break;
        case 2: name = field.text(); break;
        case 3: origin = field.signed_integer().value_or(0); break;
        case 11: shown = field.text(); break;
        default: break;
      }
    if (!shown.empty()) name = shown;
    if (!in_range(origin)) return sink_.note(note_id::malformed_value, "timestamp_ns");
    if (!name.empty()) records_.thread_names.try_emplace(row, name);
    std::uint64_t events = 0;
    for (const Field& field : Fields(message))
      if (field.number == 4) {
        if (sink_.cancelled()) break;
        if (!field.cut()) read_event(field.message(), row, origin);
        ++events;
        kept_.look([this] { return records_.kept(); });
      }
    sink_.count_events(events);
  }

  void read_event(std::string_view message, const Key& row, std::int64_t origin) {
    std::int64_t number = 0;
    std::int64_t offset = 0;
    std::int64_t length = 0;
    bool aggregated = false;
    for (const Field& field : Fields(message)) switch (field.number) {
        case 1: number = field.signed_integer().value_or(0); break;
        case 2: offset = field.signed_integer().value_or(0); break;
        case 3: length = field.signed_integer().value_or(0); break;
        case 5: aggregated = field.integer().has_value(); break;
        default: break;
      }
    if (aggregated) return sink_.note(note_id::unused_event, "sums of events");
    if (length < 0) return sink_.note(note_id::negative_duration);
    const EventName& about = event_name(number);
    if (about.name == no_text) return sink_.note(note_id::malformed_value, "name");
    // Ends are rounded like starts, so that neighbours stay neighbours.
    const std::int64_t start = offset / ps_per_ns;
    const std::int64_t end = start + (offset % ps_per_ns + length % ps_per_ns) / ps_per_ns + length / ps_per_ns;
    Span span{.start = origin + start, .dur = end - start, .row = row, .name = about.name};
    for (const Value& value : about.values) add_value(value, span);
    for (const Field& field : Fields(message))
      if (field.number == 4) add_value(read_value(field.message()), span);
    records_.spans.push_back(span);
  }

  void add_value(const Value& value, Span& span) {
    switch (stat(value.about)) {
      case Stat::correlation:
        if (value.integer.value_or(0) > 0) span.correlation = *value.integer;
        break;
      case Stat::kernel_details:
      case Stat::copy_details: span.details = text_number(value); break;
      case Stat::hlo_op: span.hlo_op = text_number(value); break;
      case Stat::step: span.step = value.integer.value_or(absent_integer); break;
      case Stat::flops: span.flops = count_of(value); break;
      case Stat::bytes_moved:
        if (value.integer.value_or(-1) >= 0) span.bytes_moved = *value.integer;
        break;
      default: break;
    }
  }

  /// Counts are whole numbers of 64 bits or, of some versions, doubles.
  static double count_of(const Value& value) {
    const double count = value.real.value_or(static_cast<double>(value.integer.value_or(-1)));
    return std::isfinite(count) && count >= 0 ? count : absent_real;
  }

  std::uint32_t text_number(const Value& value) {
    const std::string_view said = text(value);
    return said.empty() ? no_text : records_.texts(said);
  }

  void add_property(const Value& value) {
    const double number = value.real.value_or(static_cast<double>(value.integer.value_or(0)));
    DeviceProperties& device = records_.devices[process_];
    switch (stat(value.about)) {
      case Stat::model: device.model = text(value); break;
      case Stat::compute_units: device.compute_units = value.integer.value_or(0); break;
      case Stat::memory: device.memory = value.integer.value_or(0); break;
      case Stat::clock_khz: device.clock_max = std::isfinite(number) ? number * 1e3 : 0; break;
      case Stat::bandwidth: device.memory_bandwidth = std::isfinite(number) ? number : 0; break;
      case Stat::dropped:
        if (value.integer.value_or(0) > 0)
          sink_.note(note_id::records_dropped, {}, static_cast<std::uint64_t>(*value.integer));
        break;
      default: break;
    }
  }

  std::string_view message_;
  Records& records_;
  KeptRecords& kept_;
  FactSink& sink_;
  std::int64_t process_;
  std::string_view name_;
  std::unordered_map<std::int64_t, std::string_view> event_names_, stat_names_;  ///< messages, by number
  std::unordered_map<std::int64_t, EventName> known_names_;
  std::unordered_map<std::int64_t, Stat> known_stats_;
};

}  // namespace

bool is_plane(std::string_view message) {
  for (const Field& field : Fields(message)) {
    if (field.number == 1 && field.integer()) continue;
    if (field.number != 2) return false;
    const std::string_view name = field.text();
    return name.starts_with("/host:") || name.starts_with("/device:") || name == "Task Environment";
  }
  return false;
}

void add_plane(std::string_view message, std::int64_t position, Records& records, KeptRecords& kept, FactSink& sink) {
  Plane(message, position, records, kept, sink).read();
}

}  // namespace kdiag::adapters::xla
