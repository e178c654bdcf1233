// SPDX-License-Identifier: Apache-2.0
// sysinfo.csv, which rocprof-compute (Omniperf) writes beside its counters: one row about the machine and its device,
// with compute units, the highest clocks in MHz and the bandwidth of the memory in GB/s. It is no recording itself: it
// does not even say which number the device has. Spec: src/utils/specs.py of rocprof-compute.
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/rows/csv_header.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

enum class Cell : std::uint8_t { model, arch, units, clock, memory_clock, bandwidth, host };
constexpr std::string_view names[] = {"gpu_model", "gpu_arch", "cu_per_gpu", "max_sclk",
                                      "max_mclk",  "hbm_bw",   "hostname"};
using Header = CsvHeader<Cell, std::size(names)>;

/// Its word for what it could not find out is "NA".
bool is_stated(std::string_view cell) { return !is_missing_word(cell) && cell != "NA"; }

bool is_header(const Header& header) { return header.has(Cell::arch, Cell::units) && header.has(Cell::clock); }

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : csv_(input, sink), sink_(csv_.sink()) {}

  Status read() {
    while (csv_.next()) {
      if (header_) {
        row();
        continue;
      }
      csv_.note_cut(true);
      header_.emplace(csv_.fields(), names);
    }
    run_.producer = "rocprof-compute";
    sink_.run(std::move(run_));
    sink_.submit(0, std::move(batch_));
    return csv_.status();
  }

 private:
  void row() {
    sink_.count_events(1);
    const std::span<const std::string_view> fields = csv_.fields();
    const bool complete = fields.size() == header_->columns();
    if (csv_.note_cut(!complete)) return;
    if (!complete) return sink_.note(note_id::malformed_value, "number of columns");
    if (const std::string_view host = header_->cell(fields, Cell::host); is_stated(host)) run_.host = host;
    const Row device = batch_.device(0);
    batch_.set(device, column("devices.vendor"), "amd");
    batch_.set(device, column("devices.kind"), "GPU");
    if (const std::string_view model = header_->cell(fields, Cell::model); is_stated(model))
      batch_.set(device, column("devices.name"), model);
    if (const auto units = header_->integer(fields, Cell::units); units && *units > 0)
      batch_.set(device, column("devices.sms"), *units);
    set(device, column("devices.sm_clock_max"), fields, Cell::clock, 1e6);
    set(device, column("devices.mem_clock_max"), fields, Cell::memory_clock, 1e6);
    set(device, column("devices.dram_bw"), fields, Cell::bandwidth, 1e9);
  }

  void set(Row device, ColumnId fact, std::span<const std::string_view> fields, Cell cell, double unit) {
    const auto value = to_real(Token{header_->cell(fields, cell)});
    if (value && *value > 0) batch_.set(device, fact, *value * unit);
  }

  CsvReader csv_;
  FactSink& sink_;
  std::optional<Header> header_;
  RunInfo run_;
  Batch batch_;
};

int sniff(const Head& head) {
  return head.json == 0 && is_header(Header(header_fields(first_line(head.bytes)), names)) ? 90 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"devices.name",         "devices.vendor",        "devices.sms",
                                         "devices.sm_clock_max", "devices.mem_clock_max", "devices.dram_bw"};

}  // namespace

extern const Adapter rocprof_sysinfo;
const Adapter rocprof_sysinfo{
    .id = "rocprof-sysinfo",
    .title = "sysinfo.csv of AMD's rocprof-compute: the device of a recording",
    .example = "workload_name,command,...,gpu_model,gpu_arch,...,cu_per_gpu,...,max_sclk,max_mclk,...,hbm_bw,num_xcd",
    .record = "rocprof-compute profile -n NAME -- ./app writes workloads/NAME/*/sysinfo.csv",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
