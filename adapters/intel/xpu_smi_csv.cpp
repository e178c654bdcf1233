// SPDX-License-Identifier: Apache-2.0
// Logs of `xpu-smi dump` (xpumcli) for Intel's GPUs: a header line, then a row per device and tick, fields between
// commas. Times are of a day and name no date, in newer versions of the calendar. With `-t` rows are of single tiles,
// whose power and clock are not those of the device. Spec: documentation of Intel XPU Manager.
#include "adapters/rows/csv_header.hpp"
#include "adapters/rows/monitor_log.hpp"

namespace kdiag::adapters {
namespace {

// "GPU Memory Utilization" is the memory in use, of all.
constexpr TelemetryName names[] = {
    {"GPU Frequency (MHz)", "MHz", "sm_clock"},
    {"GPU Power (W)", "W", "power"},
    {"GPU Core Temperature (Celsius Degree)", "C", "temperature"},
    {"GPU Core Temperature (C)", "C", "temperature"},
    {"GPU Memory Temperature (Celsius Degree)", "C", "mem_temperature"},
    {"GPU Memory Temperature (C)", "C", "mem_temperature"},
    {"GPU Utilization (%)", "%", "gpu_util"},
    {"GPU Memory Utilization (%)", "%", "memory_share"},
    {"GPU Memory Used (MiB)", "MiB", "memory_used"},
};
constexpr std::string_view unused[] = {"GPU Memory",
                                       "GPU Energy",
                                       "GPU EU",
                                       "Reset Counter",
                                       "Programming Errors",
                                       "Driver Errors",
                                       "Cache Errors",
                                       "PCIe",
                                       "Xe Link",
                                       "Compute",
                                       "Render",
                                       "Media",
                                       "Decoder",
                                       "Encoder",
                                       "Copy",
                                       "3D",
                                       "Throttle",
                                       "Average"};

std::vector<std::string_view> fields(std::string_view line) { return header_fields(line); }

constexpr MonitorLog log{.producer = "xpu-smi",
                         .maker = {"intel", "XPU"},
                         .device = "DeviceId",
                         .part = "TileId",
                         .time = "Timestamp",
                         .names = names,
                         .unused = unused,
                         .headings = fields,
                         .cells = fields};

int sniff(const Head& head) { return head.json == 0 && is_monitor_log(log, head.bytes) ? 85 : 0; }

Status read(Input& input, FactSink& sink) { return read_monitor_log(log, input, sink); }

constexpr std::string_view provides[] = {
    "samples",          "samples:sm_clock",     "samples:power",       "samples:temperature", "samples:mem_temperature",
    "samples:gpu_util", "samples:memory_share", "samples:memory_used", "devices.id"};

}  // namespace

extern const Adapter xpu_smi_csv;
const Adapter xpu_smi_csv{
    .id = "xpu-smi-csv",
    .title = "Logs of xpu-smi dump: clock, power, temperature, utilization, memory of Intel GPUs",
    .example = "Timestamp, DeviceId, GPU Utilization (%), GPU Power (W), GPU Frequency (MHz)",
    .record = "xpu-smi dump -d -1 -m 0,1,2,3,4,5,18 -i 1 > gpu.csv",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
