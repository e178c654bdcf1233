// SPDX-License-Identifier: Apache-2.0
// Tables of `npu-smi info watch`: a header line, then a row per chip and tick, cells between blanks. There are no
// times. An NPU of one chip is that chip; the numbers of further chips depend on the board, so their rows are left out.
// Spec: documentation of npu-smi.
#include <algorithm>

#include "adapters/rows/monitor_log.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr TelemetryName names[] = {
    {"Pwr(W)", "W", "power"},
    {"Temp(C)", "C", "temperature"},
    {"AI Core(%)", "%", "gpu_util"},
    {"Memory(%)", "%", "memory_share"},
};
constexpr std::string_view unused[] = {"AI Cpu(%)", "Ctrl Cpu(%)", "Memory BW(%)", "NPU Util(%)", "AI Cube(%)"};

/// "NpuID(Idx)  ChipId(Idx) Pwr(W)": headings have blanks in them, and end in brackets.
std::vector<std::string_view> headings(std::string_view line) {
  std::vector<std::string_view> out;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(')'), line.size() - 1) + 1;
    if (const std::string_view heading = trim(line.substr(0, end)); !heading.empty()) out.push_back(heading);
    line.remove_prefix(end);
  }
  return out;
}

std::vector<std::string_view> cells(std::string_view line) { return words(line); }

constexpr MonitorLog log{.producer = "npu-smi",
                         .maker = {"ascend", "NPU"},
                         .device = "NpuID(Idx)",
                         .part = "ChipId(Idx)",
                         .first_part_is_device = true,
                         .names = names,
                         .unused = unused,
                         .headings = headings,
                         .cells = cells,
                         .proves_row = ends_with_blank};

int sniff(const Head& head) { return head.json == 0 && is_monitor_log(log, head.bytes) ? 85 : 0; }

Status read(Input& input, FactSink& sink) { return read_monitor_log(log, input, sink); }

constexpr std::string_view provides[] = {"samples",          "samples:power",        "samples:temperature",
                                         "samples:gpu_util", "samples:memory_share", "devices.id"};

}  // namespace

extern const Adapter npu_smi_watch;
const Adapter npu_smi_watch{
    .id = "npu-smi-watch",
    .title = "Tables of npu-smi info watch: power, temperature, use of the AI cores, memory of Ascend NPUs",
    .example = "NpuID(Idx)  ChipId(Idx) Pwr(W)      Temp(C)     AI Core(%)  AI Cpu(%)   Ctrl Cpu(%) Memory(%)",
    .record = "npu-smi info watch -d 1 > npu.txt",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
