// SPDX-License-Identifier: Apache-2.0
// Answers of PyTorch Profiler's TensorBoard plugin (CUDA, and MLU as torch_mlu has it), one JSON document after the
// other: overview (steps, their exclusive phases, the device summary, advice), operation and operation/table,
// kernel/table and kernel. All times are whole us. They are sums of a capture: no single event has a start. An
// overview starts a run; the views that follow belong to it. Spec: tb_plugin of pytorch/kineto and its golden answers.
#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>

#include "adapters/tensorboard/document.hpp"
#include "adapters/tensorboard/totals.hpp"
#include "adapters/util/device_names.hpp"
#include "adapters/util/html_text.hpp"
#include "adapters/util/json.hpp"
#include "adapters/util/kernel_class.hpp"
#include "adapters/util/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t used_views = 5;
constexpr std::string_view view_names[used_views] = {"overview", "operation", "operation/table", "kernel", "kernel/table"};

struct Role {
  std::string_view name;
  std::optional<std::int64_t> dur;
};

/// The views of one run, and the facts they hold.
class Run {
 public:
  std::optional<JsonValue>& view(TbView which) { return views_[static_cast<std::size_t>(which)]; }
  bool empty() const {
    return std::none_of(views_.begin(), views_.end(), [](const auto& view) { return view.has_value(); });
  }

  void submit(FactSink& sink, std::string label) {
    RunInfo info;
    info.label = std::move(label);
    info.producer = "PyTorch Profiler TensorBoard plugin";
    if (view(TbView::overview)) read_environments(*view(TbView::overview), info);
    sink.run(std::move(info));
    Batch batch;
    if (view(TbView::overview)) {
      read_devices(*view(TbView::overview), batch);
      read_steps(*view(TbView::overview), batch, sink);
      read_advice(*view(TbView::overview), sink);
    }
    read_ops(batch, sink);
    read_kernels(batch, sink);
    sink.submit(0, std::move(batch));
  }

 private:
  static void read_environments(const JsonValue& overview, RunInfo& info) {
    for (const JsonValue& entry : overview["environments"].items)
      if (entry["title"].text == "Number of Worker(s)")
        if (const auto workers = entry["value"].integer(); workers && *workers > 1) info.world_size = workers;
  }

  static void read_advice(const JsonValue& overview, FactSink& sink) {
    for (const std::string& item : html_list_items(overview["recommendations"].text))
      if (!is_missing_word(item)) sink.note("K652", item);
  }

  // --- Devices: `GPU 0:` and then its properties ---

  void read_devices(const JsonValue& overview, Batch& batch) {
    for (const JsonMember& summary : overview.members) {
      if (!summary.key.ends_with("_metrics")) continue;
      std::optional<Row> device;
      for (const JsonValue& entry : summary.value["data"].items) {
        const std::string title = html_text(entry["title"].text);
        if (const auto header = device_header(title)) {
          device = batch.device(header->second);
          batch.set(*device, column("devices.kind"), header->first);
          set_vendor(batch, *device, header->first);
          devices_.push_back(*device);
        } else if (device) {
          read_property(batch, *device, title, entry["value"]);
        }
      }
    }
  }

  static std::optional<std::pair<std::string_view, std::int64_t>> device_header(std::string_view title) {
    const std::size_t blank = title.find(' ');
    if (blank == std::string_view::npos || !title.ends_with(':')) return std::nullopt;
    const auto id = to_integer(Token{title.substr(blank + 1, title.size() - blank - 2)});
    if (!id || *id < 0) return std::nullopt;
    return std::pair{title.substr(0, blank), *id};
  }

  static void read_property(Batch& batch, Row device, std::string_view title, const JsonValue& value) {
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

  static void set_vendor(Batch& batch, Row device, std::string_view model) {
    if (const std::string_view vendor = maker_of_model(model).vendor; !vendor.empty()) batch.set(device, column("devices.vendor"), vendor);
  }

  /// Rows belong to the only device; which of several they mean is not stated.
  void set_device(Batch& batch, Row row, ColumnId column) const {
    if (devices_.size() == 1) batch.set(row, column, devices_.front());
  }

  // --- Steps and phases ---

  static std::optional<std::string_view> phase_kind(std::string_view role) {
    constexpr std::pair<std::string_view, std::string_view> kinds[] = {
        {"Kernel", "kernel"},   {"Memcpy", "memcpy"},         {"Memset", "memset"}, {"Communication", "communication"},
        {"Runtime", "runtime"}, {"DataLoader", "dataloader"}, {"CPU Exec", "cpu"},  {"Other", "other"}};
    for (const auto& [name, kind] : kinds)
      if (name == role) return kind;
    return std::nullopt;
  }

  void read_steps(const JsonValue& overview, Batch& batch, FactSink& sink) const {
    const auto& columns = overview["steps"]["columns"].items;
    bool any = false;
    for (const JsonValue& row : overview["steps"]["rows"].items) {
      sink.count_events(1);
      std::vector<Role> roles;
      for (std::size_t i = 1; i < columns.size(); ++i)
        if (columns[i]["role"].text != "tooltip") roles.push_back({columns[i]["name"].text, tb_time(tb_cell(row, i))});
      if (add_step(batch, sink, step_index(tb_cell(row, 0)), stated_length(row), roles)) any = true;
      else sink.note("K603", "step");
    }
    if (!any) read_average_step(overview["performance"], batch, sink);
  }

  void read_average_step(const JsonValue& performance, Batch& batch, FactSink& sink) const {
    if (performance.items.empty()) return;
    const JsonValue& average = performance.items.front();
    std::vector<Role> roles;
    for (const JsonValue& child : average["children"].items) roles.push_back({child["name"].text, tb_time(child["value"])});
    if (add_step(batch, sink, std::nullopt, tb_time(average["value"]), roles)) sink.note("K653");
  }

  /// Adds a step of stated length, or else the sum of its roles, which are exclusive. False when neither is known.
  bool add_step(Batch& batch, FactSink& sink, std::optional<std::int64_t> index, std::optional<std::int64_t> length,
                const std::vector<Role>& roles) const {
    if (!length) length = sum_of(roles);
    if (!length || *length < 0) return false;
    const Row step = batch.add(table("steps"));
    batch.set(step, column("steps.dur"), *length);
    if (index) batch.set(step, column("steps.index"), *index);
    for (const Role& role : roles) {
      const auto kind = phase_kind(role.name);
      if (!kind) sink.note("K655", role.name);
      if (!kind || !role.dur || *role.dur < 0) continue;
      const Row phase = batch.add(table("phases"));
      batch.set(phase, column("phases.step"), step);
      batch.set(phase, column("phases.kind"), *kind);
      batch.set(phase, column("phases.dur"), *role.dur);
      set_device(batch, phase, column("phases.device"));
    }
    return true;
  }

  static std::optional<std::int64_t> sum_of(const std::vector<Role>& roles) {
    std::int64_t sum = 0;
    for (const Role& role : roles)
      if (!role.dur || __builtin_add_overflow(sum, *role.dur, &sum)) return std::nullopt;
    return roles.empty() ? std::nullopt : std::optional(sum);
  }

  /// "5" or "ProfilerStep#5".
  static std::optional<std::int64_t> step_index(const JsonValue& name) {
    const std::size_t digits = name.text.find_last_not_of("0123456789") + 1;  // npos + 1 is 0
    return to_integer(Token{std::string_view(name.text).substr(digits)});
  }

  /// The length of a step stands only in its tooltips: "Step 5<br>Total: 187948us<br>...".
  static std::optional<std::int64_t> stated_length(const JsonValue& row) {
    constexpr std::string_view before = "Total: ";
    for (const JsonValue& value : row.items) {
      const std::size_t at = value.kind == JsonValue::Kind::string ? value.text.find(before) : std::string::npos;
      if (at == std::string::npos) continue;
      const std::string_view rest = std::string_view(value.text).substr(at + before.size());
      if (const auto length = to_ns(Token{rest.substr(0, rest.find_first_not_of("0123456789."))}, 1000)) return length;
    }
    return std::nullopt;
  }

  // --- Operators and kernels ---

  void read_ops(Batch& batch, FactSink& sink) {
    constexpr std::array<ColumnId, TbTotals::op_values> columns = {column("op_stats.calls"), column("op_stats.host_self"), column("op_stats.host_total"),
                                                                   column("op_stats.device_self"), column("op_stats.device_total")};
    if (!view(TbView::operation_table) && !view(TbView::operation)) return;
    batch.declare(table("op_stats"));
    const TbTotals ops = view(TbView::operation_table) ? TbTotals::operators(*view(TbView::operation_table), sink)
                                                       : TbTotals::operators_of_pies(*view(TbView::operation), sink);
    for (const TbTotals::Entry& op : ops.entries()) {
      const Row row = batch.add(table("op_stats"));
      batch.set(row, column("op_stats.name"), op.name);
      set_values(batch, row, columns, op.values);
    }
  }

  void read_kernels(Batch& batch, FactSink& sink) {
    constexpr std::array<ColumnId, TbTotals::kernel_values> columns = {column("kernel_stats.calls"), column("kernel_stats.total"), column("kernel_stats.min"),
                                                                       column("kernel_stats.max"), column("kernel_stats.mean")};
    if (!view(TbView::kernel_table) && !view(TbView::kernel)) return;
    batch.declare(table("kernel_stats"));
    const JsonValue& rows = view(TbView::kernel_table) ? (*view(TbView::kernel_table))["data"] : (*view(TbView::kernel))["total"];
    const TbTotals kernels = TbTotals::kernels(rows, sink);
    for (const TbTotals::Entry& kernel : kernels.entries()) {
      const Row row = batch.add(table("kernel_stats"));
      batch.set(row, column("kernel_stats.name"), kernel.name);
      batch.set(row, column("kernel_stats.class"), kernel_class(kernel.name));
      set_device(batch, row, column("kernel_stats.device"));
      set_values(batch, row, columns, kernel.values);
    }
  }

  static void set_values(Batch& batch, Row row, std::span<const ColumnId> columns, const TbTotals::Values& values) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (values[i]) batch.set(row, columns[i], *values[i]);
  }

  std::array<std::optional<JsonValue>, used_views> views_;
  std::vector<Row> devices_;
};

// --- The stream of documents -----------------------------------------------------------------------------------------

class Reader {
 public:
  explicit Reader(FactSink& sink) : sink_(sink) {}

  void document(JsonValue document) {
    const TbView which = tb_view(document);
    if (which == TbView::unknown) return sink_.note("K651");
    if (which == TbView::other) return sink_.note("K650");
    if (which == TbView::overview && run_.view(TbView::overview)) {
      several_ = true;
      finish();
    }
    std::optional<JsonValue>& place = run_.view(which);
    if (place) sink_.note("K654", view_names[static_cast<std::size_t>(which)]);
    else place = std::move(document);
  }

  void finish() {
    if (run_.empty()) return;
    ++runs_;
    run_.submit(sink_, several_ ? "run " + std::to_string(runs_) : "");
    run_ = Run();
  }

  int runs() const { return runs_; }

 private:
  FactSink& sink_;
  Run run_;
  int runs_ = 0;
  bool several_ = false;
};

Status read(Input& input, FactSink& sink) {
  Reader reader(sink);
  const auto documents = read_documents(input, sink, [&reader](JsonValue document, std::uint64_t) { reader.document(std::move(document)); });
  if (!documents) return documents.error();
  reader.finish();
  if (reader.runs() > 0 || sink.cancelled()) return ok_status();
  Diagnostic error;
  error.id = "K656";
  error.title = "no view of the TensorBoard plugin that holds times was found";
  error.help = "Save the answers of overview, operation/table and kernel/table, one after the other.";
  return error;
}

int sniff(const Head& head) {
  if (head.json != '{') return 0;
  const auto says = [&head](std::string_view text) { return head.bytes.find(text) != std::string_view::npos; };
  if (head.has_key("steps") && (head.has_key("performance") || head.has_key("environments"))) return 95;
  for (std::string_view key : tb_operation_keys)
    if (head.has_key(key)) return 95;
  if (head.has_key("metadata") && head.has_key("data")) return says("host_self_duration") || says("Total Duration (us)") || says("Communication") ? 90 : 0;
  if (head.has_key("total")) return says("\"columns\"") && says("\"rows\"") ? 85 : 0;
  if (head.has_key("metadata") && head.has_key("columns") && head.has_key("rows")) return 60;
  return 0;
}

constexpr std::string_view provides[] = {
    "devices.id",         "devices.kind", "devices.vendor",        "devices.name",          "devices.memory",     "devices.kernel_busy", "steps.index",
    "steps.dur",          "phases",               "op_stats.name",         "op_stats.calls",     "op_stats.host_self",  "op_stats.host_total",
    "op_stats.device_self", "op_stats.device_total", "kernel_stats.name",  "kernel_stats.class", "kernel_stats.calls",  "kernel_stats.total",
    "kernel_stats.min",   "kernel_stats.max",     "kernel_stats.mean",
};

}  // namespace

extern const Adapter tensorboard_plugin;
const Adapter tensorboard_plugin{
    .id = "tb-plugin",
    .title = "Answers of PyTorch Profiler's TensorBoard plugin: steps, phases, operators, kernels",
    .example = R"({"steps": {"columns": [...], "rows": [...]}, "performance": [...], "gpu_metrics": {...}})",
    .record = "curl each of overview, operation/table?group_by=Operation and kernel/table?group_by=Kernel below "
              "http://localhost:6006/data/plugin/pytorch_profiler/ (with run, worker and span) into one file",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
