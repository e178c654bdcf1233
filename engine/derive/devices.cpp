// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/devices.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/recording/recording.hpp"

namespace kdiag {
namespace {

constexpr TableId devices = table("devices");
constexpr TableId ranks = table("ranks");

bool has_device_work(const FactStore& store) {
  constexpr TableId work[] = {table("kernels"),      table("copies"),     table("memsets"),
                              table("kernel_stats"), table("copy_stats"), table("phases")};
  return std::any_of(std::begin(work), std::end(work), [&](TableId t) { return store.rows(t) > 0; });
}

/// Sets absent references to row 0 of the only row that they can mean.
void refer_to_only_row(FactStore& store, std::span<const ColumnId> references) {
  for (ColumnId reference : references) {
    if (store.rows(table_of(reference)) == 0) continue;
    auto values = store.indices(reference);
    if (!values.empty() && std::find(values.begin(), values.end(), absent_index) == values.end()) continue;
    const std::string provider = store.has(reference) ? std::string(store.provider(reference)) : "derived";
    for (std::uint32_t& value : store.mutable_indices(reference, provider))
      if (value == absent_index) value = 0;
  }
}

/// Samples of a device series name the only device; those of the host's CPU none.
void refer_samples_to_only_device(FactStore& store) {
  constexpr ColumnId device = column("samples.device");
  if (store.rows(table("samples")) == 0) return;
  const auto series = store.indices(column("samples.series"));
  const std::uint32_t host[] = {store.strings.find("cpu_util"), store.strings.find("cpu_clock")};
  std::vector<std::uint32_t>& values =
      store.mutable_indices(device, store.has(device) ? std::string(store.provider(device)) : "derived");
  for (std::size_t row = 0; row < series.size(); ++row)
    if (values[row] == absent_index && series[row] != host[0] && series[row] != host[1]) values[row] = 0;
}

}  // namespace

void complete_identity(FactStore& store) {
  if (store.rows(table("runs")) == 0) store.resize(table("runs"), 1);
  if (store.rows(devices) == 0 && has_device_work(store)) {
    store.resize(devices, 1);
    store.mutable_integers(column("devices.id"), "derived")[0] = 0;
    if (const std::string_view maker = maker_of_tool(store.text(column("runs.producer"), 0)); !maker.empty())
      store.mutable_indices(column("devices.vendor"), "derived")[0] = store.strings.intern(maker);
  }
  // Allocations without a device are host memory and stay so.
  constexpr ColumnId of_device[] = {column("kernels.device"),      column("copies.device"),    column("memsets.device"),
                                    column("comms.device"),        column("phases.device"),    column("streams.device"),
                                    column("kernel_stats.device"), column("copy_stats.device")};
  constexpr ColumnId of_rank[] = {column("devices.rank"),   column("threads.rank"),   column("steps.rank"),
                                  column("comms.rank"),     column("op_stats.rank"),  column("kernel_stats.rank"),
                                  column("api_stats.rank"), column("copy_stats.rank")};
  constexpr ColumnId of_run[] = {column("devices.run")};
  if (store.rows(devices) == 1) {
    refer_to_only_row(store, of_device);
    refer_samples_to_only_device(store);
  }
  if (store.rows(ranks) == 1) refer_to_only_row(store, of_rank);
  if (store.rows(table("runs")) == 1) refer_to_only_row(store, of_run);
}

std::vector<std::vector<std::uint32_t>> threads_by_device(const FactStore& store) {
  std::vector<std::vector<std::uint32_t>> result(store.rows(devices));
  const auto call_threads = store.indices(column("api.thread"));
  if (call_threads.empty()) return result;
  constexpr std::pair<ColumnId, ColumnId> links[] = {{column("kernels.device"), column("kernels.launch")},
                                                     {column("copies.device"), column("copies.launch")},
                                                     {column("memsets.device"), column("memsets.launch")}};
  std::vector<std::uint32_t> latest(store.rows(table("threads")), absent_index);  // device that each thread drove last
  const auto drives = [&](std::uint32_t thread, std::uint32_t device) {
    if (thread == absent_index || latest[thread] == device) return;
    latest[thread] = device;
    result[device].push_back(thread);
  };
  for (auto [device_column, launch_column] : links) {
    const auto device = store.indices(device_column);
    const auto launch = store.indices(launch_column);
    if (device.empty() || launch.empty()) continue;
    for (std::size_t row = 0; row < device.size(); ++row) {
      if (device[row] == absent_index || launch[row] == absent_index) continue;
      drives(call_threads[launch[row]], device[row]);
      // Where one thread launches what another one queues.
      const std::uint32_t op = store.index(column("api.op"), launch[row]);
      if (op != absent_index) drives(store.index(column("ops.thread"), op), device[row]);
    }
  }
  for (std::vector<std::uint32_t>& threads : result) {
    std::sort(threads.begin(), threads.end());
    threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  }
  return result;
}

}  // namespace kdiag
