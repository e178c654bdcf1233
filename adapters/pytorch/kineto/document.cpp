// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/kineto/document.hpp"

#include <charconv>
#include <cstddef>
#include <string_view>

#include <kdiag/note_ids.hpp>

#include "adapters/pytorch/kineto/event.hpp"

namespace kdiag::adapters::kineto {
namespace {

DeviceProperties device_properties(const JsonValue& value, std::int64_t position) {
  DeviceProperties device{.id = value["id"].integer().value_or(position), .name = value["name"].text};
  // CUDA and HIP, PaddlePaddle, XPU, MLU: what each calls its units of scheduling.
  for (const char* key : {"numSms", "smCount", "maxComputeUnits", "clusterCount"})
    if (!device.sms) device.sms = value[key].integer();
  device.memory = value["totalGlobalMem"].integer();
  if (const auto mebibytes = value["totalMem(MiB)"].integer();
      !device.memory && mebibytes && *mebibytes < (std::int64_t{1} << 40))
    device.memory = *mebibytes * 1024 * 1024;
  const auto major = value["computeMajor"].integer();
  const auto minor = value["computeMinor"].integer();
  if (major && minor) device.compute_capability = std::to_string(*major) + "." + std::to_string(*minor);
  device.unit_threads = value["maxThreadsPerMultiprocessor"].integer();
  device.unit_registers = value["regsPerMultiprocessor"].integer();
  device.unit_memory = value["sharedMemPerMultiprocessor"].integer();
  if (const auto mhz = value["maxClockFrequency"].real()) device.clock_max = *mhz * 1e6;  // XPU only
  return device;
}

/// How many records a log line says were lost; nothing when it does not speak of loss, or of none lost.
std::optional<std::uint64_t> lost_records(std::string_view line) {
  std::string text(line);
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  std::size_t at = text.find("dropped");
  if (at == std::string::npos) at = text.find("lost ");
  if (at == std::string::npos) at = text.find("exceeded max gpu buffer");
  if (at == std::string::npos) return std::nullopt;
  const std::size_t digit = text.find_first_of("0123456789", at);
  if (digit == std::string::npos) return 1;
  std::uint64_t count = 0;
  std::from_chars(text.data() + digit, text.data() + text.size(), count);
  return count == 0 ? std::nullopt : std::optional(count);
}

void read_log(const JsonValue& lines, std::string_view id, FactSink& sink) {
  for (const JsonValue& line : lines.items) {
    if (const auto lost = lost_records(line.text)) sink.note(note_id::records_dropped, {}, *lost);
    else if (!id.empty()) sink.note(id);
  }
}

}  // namespace

Document read_document(const EventDocument& events, FactSink& sink) {
  Document document;
  for (const auto& [key, text] : events.members) {
    if (key == "hip_driver_version" || key == "roctracer_version" || key == "hip_runtime_version")
      document.maker = {"amd", "GPU"};
    if (key == "cuda_driver_version" || key == "cupti_version" || key == "cuda_runtime_version")
      document.maker = {"nvidia", "GPU"};
    if (key == "span_indx") document.of_paddle = true;
    if (key == "baseTimeNanoseconds") document.base_time = in_range(to_integer(Token{text}));
    if (key != "deviceProperties" && key != "distributedInfo" && key != "host_name" && key != "INFO" &&
        key != "WARNING" && key != "ERROR")
      continue;
    const auto value = parse_json(text);
    if (!value) {
      sink.note(note_id::unreadable_record, key);
      continue;
    }
    if (key == "deviceProperties") {
      document.lists_devices = true;
      for (const JsonValue& item : value->items)
        document.devices.push_back(device_properties(item, static_cast<std::int64_t>(document.devices.size())));
    } else if (key == "distributedInfo") {
      document.rank = (*value)["rank"].integer();
      document.world_size = (*value)["world_size"].integer();
    } else if (key == "host_name") {
      document.host = value->text;
    } else {
      read_log(*value,
               key == "ERROR"     ? note_id::profiler_errors
               : key == "WARNING" ? note_id::profiler_warnings
                                  : "",
               sink);
    }
  }
  // PaddlePaddle prints the number as one of 32 bits: below 4 GiB it may be the lower half of another.
  if (document.of_paddle)
    for (DeviceProperties& device : document.devices)
      if (device.memory.value_or(0) < std::int64_t{1} << 32) device.memory.reset();
  return document;
}

}  // namespace kdiag::adapters::kineto
