// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/tensorboard/overview.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>

#include "adapters/names/device_names.hpp"
#include "adapters/pytorch/tensorboard/document.hpp"
#include "adapters/text/html_text.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

void set_vendor(Batch& batch, Row device, std::string_view model) {
  if (const std::string_view vendor = maker_of_model(model).vendor; !vendor.empty())
    batch.set(device, column("devices.vendor"), vendor);
}

std::optional<std::pair<std::string_view, std::int64_t>> device_header(std::string_view title) {
  const std::size_t blank = title.find(' ');
  if (blank == std::string_view::npos || !title.ends_with(':')) return std::nullopt;
  const auto id = to_integer(Token{title.substr(blank + 1, title.size() - blank - 2)});
  if (!id || *id < 0) return std::nullopt;
  return std::pair{title.substr(0, blank), *id};
}

void read_property(Batch& batch, Row device, std::string_view title, const JsonValue& value) {
  if (is_missing_word(value.text)) return;
  if (title == "Name") {
    batch.set(device, column("devices.name"), value.text);
    set_vendor(batch, device, value.text);
  } else if (title == "Memory") {
    // The plugin divides by 2^30 and writes "GB": a V100 of 32 GiB has "31.74 GB".
    const auto size = parse_measured(value.text);
    const auto bytes = size && size->unit == "GB" ? to_whole(size->value * (1LL << 30)) : std::nullopt;
    if (bytes) batch.set(device, column("devices.memory"), *bytes);
  } else if (title.ends_with(" Utilization")) {
    if (const auto busy = tb_percent(value)) batch.set(device, column("devices.kernel_busy"), *busy);
  }
}

/// The devices of the summary: `GPU 0:` and then its properties, again and again.
std::vector<Row> read_devices(const JsonValue& overview, Batch& batch) {
  std::vector<Row> devices;
  for (const JsonMember& summary : overview.members) {
    if (!summary.key.ends_with("_metrics")) continue;
    std::optional<Row> device;
    for (const JsonValue& entry : summary.value["data"].items) {
      const std::string title = html_text(entry["title"].text);
      if (const auto header = device_header(title)) {
        device = batch.device(header->second);
        batch.set(*device, column("devices.kind"), header->first);
        set_vendor(batch, *device, header->first);
        devices.push_back(*device);
      } else if (device) {
        read_property(batch, *device, title, entry["value"]);
      }
    }
  }
  return devices;
}

struct Role {
  std::string_view name;
  std::optional<std::int64_t> dur;
};

std::optional<std::string_view> phase_kind(std::string_view role) {
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {
      {"Kernel", "kernel"},   {"Memcpy", "memcpy"},         {"Memset", "memset"}, {"Communication", "communication"},
      {"Runtime", "runtime"}, {"DataLoader", "dataloader"}, {"CPU Exec", "cpu"},  {"Other", "other"}};
  for (const auto& [name, kind] : kinds)
    if (name == role) return kind;
  return std::nullopt;
}

std::optional<std::int64_t> sum_of(const std::vector<Role>& roles) {
  std::int64_t sum = 0;
  for (const Role& role : roles)
    if (!role.dur || __builtin_add_overflow(sum, *role.dur, &sum)) return std::nullopt;
  return roles.empty() ? std::nullopt : std::optional(sum);
}

/// "5" or "ProfilerStep#5".
std::optional<std::int64_t> step_index(const JsonValue& name) {
  const std::size_t digits = name.text.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
  return to_integer(Token{std::string_view(name.text).substr(digits)});
}

/// The length of a step stands only in its tooltips: "Step 5<br>Total: 187948us<br>...".
std::optional<std::int64_t> stated_length(const JsonValue& row) {
  constexpr std::string_view before = "Total: ";
  for (const JsonValue& value : row.items) {
    const std::size_t at = value.kind == JsonValue::Kind::string ? value.text.find(before) : std::string::npos;
    if (at == std::string::npos) continue;
    const std::string_view rest = std::string_view(value.text).substr(at + before.size());
    if (const auto length = to_ns(Token{rest.substr(0, rest.find_first_not_of("0123456789."))}, 1000)) return length;
  }
  return std::nullopt;
}

/// Adds steps and their phases to a batch.
class StepWriter {
 public:
  StepWriter(Batch& batch, FactSink& sink, std::optional<Row> device) : batch_(batch), sink_(sink), device_(device) {}

  void write(const JsonValue& overview) {
    const auto& columns = overview["steps"]["columns"].items;
    bool any = false;
    for (const JsonValue& row : overview["steps"]["rows"].items) {
      sink_.count_events(1);
      std::vector<Role> roles;
      for (std::size_t i = 1; i < columns.size(); ++i)
        if (columns[i]["role"].text != "tooltip") roles.push_back({columns[i]["name"].text, tb_time(tb_cell(row, i))});
      if (add_step(step_index(tb_cell(row, 0)), stated_length(row), roles)) any = true;
      else sink_.note(note_id::malformed_value, "step");
    }
    if (!any) write_average(overview["performance"]);
  }

 private:
  void write_average(const JsonValue& performance) {
    if (performance.items.empty()) return;
    const JsonValue& average = performance.items.front();
    std::vector<Role> roles;
    for (const JsonValue& child : average["children"].items)
      roles.push_back({child["name"].text, tb_time(child["value"])});
    if (add_step(std::nullopt, tb_time(average["value"]), roles)) sink_.note(note_id::average_step);
  }

  /// Adds a step of stated length, or else the sum of its roles, which are exclusive. False when neither is known.
  bool add_step(std::optional<std::int64_t> index, std::optional<std::int64_t> length, const std::vector<Role>& roles) {
    if (!length) length = sum_of(roles);
    if (!length || *length < 0) return false;
    const Row step = batch_.add(table("steps"));
    batch_.set(step, column("steps.dur"), *length);
    if (index) batch_.set(step, column("steps.index"), *index);
    for (const Role& role : roles) {
      const auto kind = phase_kind(role.name);
      if (!kind) sink_.note(note_id::unknown_phase, role.name);
      if (!kind || !role.dur || *role.dur < 0) continue;
      const Row phase = batch_.add(table("phases"));
      batch_.set(phase, column("phases.step"), step);
      batch_.set(phase, column("phases.kind"), *kind);
      batch_.set(phase, column("phases.dur"), *role.dur);
      if (device_) batch_.set(phase, column("phases.device"), *device_);
    }
    return true;
  }

  Batch& batch_;
  FactSink& sink_;
  std::optional<Row> device_;
};

void read_advice(const JsonValue& overview, FactSink& sink) {
  for (const std::string& item : html_list_items(overview["recommendations"].text))
    if (!is_missing_word(item)) sink.note(note_id::plugin_advice, item);
}

}  // namespace

std::optional<std::int64_t> tb_world_size(const JsonValue& overview) {
  for (const JsonValue& entry : overview["environments"].items)
    if (entry["title"].text == "Number of Worker(s)")
      if (const auto workers = entry["value"].integer(); workers && *workers > 1) return workers;
  return std::nullopt;
}

std::optional<Row> read_tb_overview(const JsonValue& overview, Batch& batch, FactSink& sink) {
  const std::vector<Row> devices = read_devices(overview, batch);
  const std::optional<Row> only = devices.size() == 1 ? std::optional(devices.front()) : std::nullopt;
  StepWriter(batch, sink, only).write(overview);
  read_advice(overview, sink);
  return only;
}

}  // namespace kdiag::adapters
