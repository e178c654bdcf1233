// SPDX-License-Identifier: Apache-2.0
// Numbers of fields: protos/perfetto/trace/gpu/ and trace/ftrace/ of Perfetto, by the names of the messages.
#include "adapters/google/perfetto/gpu_events.hpp"

#include <kdiag/note_ids.hpp>

#include "adapters/google/perfetto/values.hpp"
#include "adapters/io/protobuf.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters::perfetto {
namespace {

Stage::Shape read_shape(std::string_view message) {
  Stage::Shape shape{1, 1, 1};
  for (const Field& field : Fields(message))
    if (field.number >= 1 && field.number <= 3) shape[field.number - 1] = signed_of(field);
  return shape;
}

}  // namespace

void GpuEvents::add_stage(std::string_view event, Instant when, const Sequence& sequence) {
  Stage stage;
  std::optional<std::uint64_t> length;
  std::uint32_t kernel = none;
  for (const Field& field : Fields(event)) switch (field.number) {
      case 1: stage.event = field.integer().value_or(0); break;
      case 2: length = field.integer(); break;
      case 3:
        stage.queue = field.integer().value_or(0);
        if (stage.queue < queue_names_.size()) stage.queue_name = queue_names_[stage.queue];
        break;
      case 4:
        if (const auto number = field.integer().value_or(none); number < stage_names_.size())
          stage.stage_name = stage_names_[number];
        break;
      case 6: add_extra(field.message(), stage); break;
      case 7: add_stage_names(field.message()); break;
      case 11: stage.gpu = signed_of(field); break;
      case 13:
        stage.queue = field.integer().value_or(0);
        stage.queue_name = find_text(sequence.stages, stage.queue);
        break;
      case 14: stage.stage_name = find_text(sequence.stages, field.integer()); break;
      case 17: stage.name = trace_.texts(field.text()); break;
      case 19: kernel = find_text(sequence.kernels, field.integer()); break;
      case 20: stage.name = find_text(sequence.event_names, field.integer()); break;
      case 21: add_launch(field.message(), sequence, stage); break;
      default: break;
    }
  if (kernel != none) stage.name = kernel;
  stage.kernel = kernel != none || stage.grid;
  if (stage.event == 0) return;  // only names of stages
  ++trace_.events;
  if (!length) return sink_.note(note_id::unused_event, "instants");
  const auto dur = in_range(static_cast<std::int64_t>(*length));
  if (!when || !dur) return sink_.note(note_id::malformed_value, when ? "duration" : "timestamp");
  if (*dur < 0) return sink_.note(note_id::negative_duration);
  stage.start = *when;
  stage.dur = *dur;
  trace_.stages.push_back(stage);
}

void GpuEvents::add_extra(std::string_view extra, Stage& stage) {
  std::string_view name;
  std::string_view value;
  for (const Field& field : Fields(extra))
    if (field.number == 1) name = field.text();
    else if (field.number == 2) value = field.text();
  if (name == "bytes") stage.bytes = last_number(value);
  else if (name == "correlation") stage.correlation = last_number(value);
}

/// The way of old traces: numbers are positions in lists, which stand in the first event.
void GpuEvents::add_stage_names(std::string_view specifications) {
  for (const Field& field : Fields(specifications)) {
    if (field.number != 2 && field.number != 3) continue;
    std::uint32_t name = none;
    for (const Field& part : Fields(field.message()))
      if (part.number == 1) name = trace_.texts(part.text());
    (field.number == 2 ? queue_names_ : stage_names_).push_back(name);
  }
}

void GpuEvents::add_launch(std::string_view launch, const Sequence& sequence, Stage& stage) {
  for (const Field& field : Fields(launch)) {
    if (field.number == 1) stage.grid = read_shape(field.message());
    if (field.number == 2) stage.block = read_shape(field.message());
    if (field.number != 3) continue;
    std::string_view name;
    std::int64_t value = absent_integer;
    for (const Field& part : Fields(field.message())) switch (part.number) {
        case 1: name = trace_.text(find_text(sequence.argument_names, part.integer())); break;
        case 2: name = part.text(); break;
        case 3:
        case 4: value = part.signed_integer().value_or(absent_integer); break;
        default: break;
      }
    constexpr std::int64_t most = std::int64_t{1} << 30;
    if (value < 0 || value > most) continue;
    if (name == "registers_per_thread") stage.registers = value;
    if (name == "shared_mem_static" || name == "shared_mem_dynamic")
      stage.shared_memory = (stage.shared_memory == absent_integer ? 0 : stage.shared_memory) + value;
  }
}

void GpuEvents::add_counters(std::string_view event, Instant when, const Sequence& sequence) {
  const CounterGroup* group = &counters_;
  std::int64_t gpu = 0;
  for (const Field& field : Fields(event))
    if (field.number == 1) {
      perfetto::add_counters(field.message(), counters_);
    } else if (field.number == 3) {
      gpu = signed_of(field);
    } else if (field.number == 4) {
      const auto found = sequence.counters.find(field.integer().value_or(0));
      if (found == sequence.counters.end())
        return sink_.note(note_id::unreadable_record, "counters without a description");
      group = &found->second;
    }
  if (group != &counters_) gpu = group->gpu;
  for (const Field& field : Fields(event))
    if (field.number == 2) add_count(field.message(), when, *group, gpu);
}

/// A value is taken for that of the time since the one before it, as Perfetto's own tools do: producers write it when
/// it ends.
void GpuEvents::add_count(std::string_view message, Instant when, const CounterGroup& group, std::int64_t gpu) {
  std::uint64_t id = 0;
  std::optional<double> value;
  for (const Field& field : Fields(message))
    if (field.number == 1) id = field.integer().value_or(0);
    else if (field.number == 2 || field.number == 3) value = number_of(field);
  ++trace_.events;
  const auto found = group.counters.find(id);
  if (found == group.counters.end()) return sink_.note(note_id::unreadable_record, "counters without a description");
  const Counter& about = found->second;
  if (about.about == nullptr) return sink_.note(note_id::unknown_counter, about.name);
  if (!when || !value) return sink_.note(note_id::malformed_value, when ? "value" : "timestamp");
  const auto [since, first] = read_until_.try_emplace({gpu, about.name}, *when);
  if (!first) trace_.gpu_samples.push_back({about.about, about.unit, gpu, since->second, *value});
  since->second = *when;
}

void GpuEvents::add_kernel_events(std::string_view bundle, Clocks& clocks) {
  constexpr std::uint32_t gpu_frequency = 332;
  constexpr std::uint32_t gpu_mem_total = 340;
  for (const Field& event : Fields(bundle)) {
    if (event.number != 2) continue;
    std::optional<std::uint64_t> stamp;
    Field about;
    for (const Field& field : Fields(event.message()))
      if (field.number == 1) stamp = field.integer();
      else if (field.number == gpu_frequency || field.number == gpu_mem_total) about = field;
    if (about.number == 0) continue;
    const Instant when = stamp ? clocks.at(Clocks::boottime, 0, *stamp) : std::nullopt;
    if (about.number == gpu_frequency) add_frequency(about.message(), when);
    else add_memory(about.message(), when);
  }
}

void GpuEvents::add_frequency(std::string_view event, Instant when) {
  std::int64_t gpu = 0;
  std::optional<double> khz;
  for (const Field& field : Fields(event))
    if (field.number == 1) gpu = signed_of(field);
    else if (field.number == 2) khz = number_of(field);
  ++trace_.events;
  if (!when || !khz) return sink_.note(note_id::malformed_value, when ? "gpu_frequency" : "timestamp");
  trace_.gpu_samples.push_back({&frequency_khz(), {}, gpu, *when, *khz});
}

/// Of all processes together: what single ones hold is not the device's.
void GpuEvents::add_memory(std::string_view event, Instant when) {
  std::int64_t gpu = 0;
  std::int64_t process = 0;
  std::optional<double> bytes;
  for (const Field& field : Fields(event)) switch (field.number) {
      case 1: gpu = signed_of(field); break;
      case 2: process = signed_of(field); break;
      case 3: bytes = number_of(field); break;
      default: break;
    }
  ++trace_.events;
  if (process != 0) return sink_.note(note_id::unused_event, "memory of single processes");
  if (!when || !bytes) return sink_.note(note_id::malformed_value, when ? "gpu_mem_total" : "timestamp");
  trace_.gpu_samples.push_back({&memory_used(), {}, gpu, *when, *bytes});
}

void GpuEvents::add_gpus(std::string_view info) {
  trace_.gpus.clear();
  for (const Field& field : Fields(info)) {
    if (field.number != 1) continue;
    Gpu gpu;
    for (const Field& part : Fields(field.message())) switch (part.number) {
        case 1: gpu.name = part.text(); break;
        case 7: gpu.uuid = part.text(); break;
        default: break;
      }
    trace_.gpus.push_back(std::move(gpu));
  }
}

}  // namespace kdiag::adapters::perfetto
