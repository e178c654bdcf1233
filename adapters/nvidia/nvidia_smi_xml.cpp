// SPDX-License-Identifier: Apache-2.0
// Reports of `nvidia-smi -q -x`: one XML document, or with `-l` one per tick. Elements of a GPU have fixed names,
// values carry their unit ("1410 MHz", "N/A"). Times are local and name no zone. Spec: nvsmi_device_v10.dtd to v13.dtd;
// drivers 470 to 610. GPUs are numbered in the order of the first document, which is nvidia-smi's.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/io/input.hpp"
#include "adapters/nvidia/nvidia_smi/gpu_report.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/xml_scanner.hpp"

namespace kdiag::adapters {
namespace {

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : xml_(input), sink_(sink), rows_(sink) {}

  Status read() {
    for (XmlScanner::Piece piece = xml_.next(); piece != XmlScanner::Piece::end && !sink_.cancelled();
         piece = xml_.next()) {
      if (piece == XmlScanner::Piece::open) open();
      else if (piece == XmlScanner::Piece::close) close();
      else text();
    }
    if (!xml_.error().empty() && rows_.facts.samples() == 0) return xml_.error();
    if (!xml_.error().empty()) note_read_errors(xml_.error(), xml_.bytes(), sink_);
    else if (xml_.truncated() || !path_.empty()) sink_.note(note_id::input_cut, "byte " + std::to_string(xml_.bytes()));
    sink_.run(telemetry_run("nvidia-smi", timed_ ? ClockDomain::local_ns : ClockDomain::device));
    sink_.submit(0, rows_.facts.take());
    return ok_status();
  }

 private:
  void open() {
    path_.emplace_back(xml_.value());
    if (path_.back() == "nvidia_smi_log") {
      path_.erase(path_.begin(), path_.end() - 1);  // whatever was left open before
      report_ = {};
      time_.reset();
      ++documents_;
    }
    if (path_.size() == 2 && path_.back() == "gpu") start_gpu(xml_.attribute("id"));
  }

  void start_gpu(std::string bus_id) {
    gpu_ = numbers_.try_emplace(std::move(bus_id), static_cast<std::int64_t>(numbers_.size())).first;
    report_.set_property("pci.bus_id", gpu_->first);
  }

  void close() {
    if (path_.size() == 2 && path_.back() == "gpu") {
      sink_.count_events(1);
      if (!time_) sink_.note(note_id::assumed_times);
      report_.add_to(rows_, gpu_->second, time_.value_or((documents_ - 1) * assumed_period_ns));
    }
    if (!path_.empty()) path_.pop_back();
  }

  void text() {
    if (path_.size() == 2 && path_[1] == "timestamp") {
      time_ = parse_asctime(xml_.value());
      timed_ = timed_ || time_;
    }
    if (path_.size() < 3 || path_[1] != "gpu") return;
    std::string section;
    for (std::size_t i = 2; i + 1 < path_.size(); ++i) section += (i > 2 ? "/" : "") + path_[i];
    report_.set(section, path_.back(), xml_.value());
  }

  XmlScanner xml_;
  FactSink& sink_;
  GpuRows rows_;
  std::vector<std::string> path_;  ///< elements around the current piece
  std::optional<std::int64_t> time_;
  bool timed_ = false;
  std::int64_t documents_ = 0;
  std::map<std::string, std::int64_t> numbers_;  ///< of GPUs by bus id
  std::map<std::string, std::int64_t>::iterator gpu_ = numbers_.end();
  GpuReport report_;
};

int sniff(const Head& head) {
  const std::size_t start = head.bytes.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos || head.bytes[start] != '<') return 0;
  return head.bytes.find("<nvidia_smi_log") != std::string_view::npos ? 95 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

}  // namespace

extern const Adapter nvidia_smi_xml;
const Adapter nvidia_smi_xml{
    .id = "nvidia-smi-xml",
    .title = "XML reports of nvidia-smi -q -x: clocks, power, temperature, utilization, clock event reasons",
    .example = "<nvidia_smi_log><timestamp>Fri Aug  4 11:44:30 2023</timestamp>",
    .record = "nvidia-smi -q -x -l 1 > gpu.xml",
    .provides = gpu_report_facts,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
