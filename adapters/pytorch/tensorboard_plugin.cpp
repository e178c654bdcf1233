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
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/pytorch/tensorboard/document.hpp"
#include "adapters/pytorch/tensorboard/overview.hpp"
#include "adapters/pytorch/tensorboard/totals.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t used_views = 5;
constexpr std::string_view view_names[used_views] = {"overview", "operation", "operation/table", "kernel",
                                                     "kernel/table"};

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
    const std::optional<JsonValue>& overview = view(TbView::overview);
    if (overview) info.world_size = tb_world_size(*overview);
    sink.run(std::move(info));
    Batch batch;
    if (overview) device_ = read_tb_overview(*overview, batch, sink);
    read_ops(batch, sink);
    read_kernels(batch, sink);
    sink.submit(0, std::move(batch));
  }

 private:
  void read_ops(Batch& batch, FactSink& sink) {
    constexpr std::array<ColumnId, TbTotals::op_values> columns = {
        column("op_stats.calls"), column("op_stats.host_self"), column("op_stats.host_total"),
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
    constexpr std::array<ColumnId, TbTotals::kernel_values> columns = {
        column("kernel_stats.calls"), column("kernel_stats.total"), column("kernel_stats.min"),
        column("kernel_stats.max"), column("kernel_stats.mean")};
    if (!view(TbView::kernel_table) && !view(TbView::kernel)) return;
    batch.declare(table("kernel_stats"));
    const JsonValue& rows =
        view(TbView::kernel_table) ? (*view(TbView::kernel_table))["data"] : (*view(TbView::kernel))["total"];
    const TbTotals kernels = TbTotals::kernels(rows, sink);
    for (const TbTotals::Entry& kernel : kernels.entries()) {
      const Row row = batch.add(table("kernel_stats"));
      batch.set(row, column("kernel_stats.name"), kernel.name);
      batch.set(row, column("kernel_stats.class"), kernel_class(kernel.name));
      if (device_) batch.set(row, column("kernel_stats.device"), *device_);
      set_values(batch, row, columns, kernel.values);
    }
  }

  static void set_values(Batch& batch, Row row, std::span<const ColumnId> columns, const TbTotals::Values& values) {
    for (std::size_t i = 0; i < columns.size(); ++i)
      if (values[i]) batch.set(row, columns[i], *values[i]);
  }

  std::array<std::optional<JsonValue>, used_views> views_;
  std::optional<Row> device_;
};

/// The stream of documents.
class Reader {
 public:
  explicit Reader(FactSink& sink) : sink_(sink) {}

  void document(JsonValue document) {
    const TbView which = tb_view(document);
    if (which == TbView::unknown) return sink_.note(note_id::no_view);
    if (which == TbView::other) return sink_.note(note_id::unused_view);
    if (which == TbView::overview && run_.view(TbView::overview)) {
      several_ = true;
      finish();
    }
    std::optional<JsonValue>& place = run_.view(which);
    if (place) sink_.note(note_id::repeated_view, view_names[static_cast<std::size_t>(which)]);
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
  const auto documents = read_documents(
      input, sink, [&reader](JsonValue document, std::uint64_t) { reader.document(std::move(document)); });
  if (!documents) return documents.error();
  reader.finish();
  if (reader.runs() > 0 || sink.cancelled()) return ok_status();
  Diagnostic error;
  error.id = refusal_id::no_times;
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
  if (head.has_key("metadata") && head.has_key("data"))
    return says("host_self_duration") || says("Total Duration (us)") || says("Communication") ? 90 : 0;
  if (head.has_key("total")) return says("\"columns\"") && says("\"rows\"") ? 85 : 0;
  if (head.has_key("metadata") && head.has_key("columns") && head.has_key("rows")) return 60;
  return 0;
}

constexpr std::string_view provides[] = {"devices.id",
                                         "devices.kind",
                                         "devices.vendor",
                                         "devices.name",
                                         "devices.memory",
                                         "devices.kernel_busy",
                                         "steps.index",
                                         "steps.dur",
                                         "phases",
                                         "op_stats.name",
                                         "op_stats.calls",
                                         "op_stats.host_self",
                                         "op_stats.host_total",
                                         "op_stats.device_self",
                                         "op_stats.device_total",
                                         "kernel_stats.name",
                                         "kernel_stats.class",
                                         "kernel_stats.calls",
                                         "kernel_stats.total",
                                         "kernel_stats.min",
                                         "kernel_stats.max",
                                         "kernel_stats.mean"};

}  // namespace

extern const Adapter tensorboard_plugin;
const Adapter tensorboard_plugin{
    .id = "tb-plugin",
    .title = "Answers of PyTorch Profiler's TensorBoard plugin: steps, phases, operators, kernels",
    .example = R"({"steps": {"columns": [...], "rows": [...]}, "performance": [...], "gpu_metrics": {...}})",
    .record =
        "curl each of overview, operation/table?group_by=Operation and kernel/table?group_by=Kernel below "
        "http://localhost:6006/data/plugin/pytorch_profiler/ (with run, worker and span) into one file",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
