// SPDX-License-Identifier: Apache-2.0
// Errors of devices in the log of the Linux kernel, as dmesg, journalctl -k and syslog print it. NVIDIA's driver
// reports them as Xid:
//
//     [Wed Jul 31 23:14:18 2024] NVRM: Xid (PCI:0000:00:05): 43, pid=1045242, name=python3, Ch 00000008
//
// Each is a sample of the series `xid` on the device at that address. A device that had fallen off the bus before the
// driver came up has no Xid, and is said in words, which count as the Xid 79 that means the same:
//
//     [ 1843.308145] NVRM: The NVIDIA GPU 0000:b3:00.0
//                    NVRM: (PCI ID: 10de:26b5) installed in this system has
//                    NVRM: fallen off the bus and is not responding to commands.
//
// The log is a run of its own: it numbers no devices as CUDA does, and holds all that happened since the machine
// started. Times are those of dmesg -T, local without a zone, or seconds since the machine started; what stands in
// front of the message otherwise is passed over. Spec: NVIDIA's catalogue of Xid errors.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/rows/device_samples.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view xid_mark = "NVRM: Xid (PCI:";
constexpr std::string_view lost_mark = "NVRM: The NVIDIA GPU ";
constexpr std::string_view off_the_bus = "fallen off the bus and is not responding";
constexpr std::int64_t xid_off_the_bus = 79;
constexpr std::int64_t second = 1'000'000'000;

/// When a message was logged, by what stands between brackets in front of it.
struct Stamp {
  std::int64_t ns = 0;
  bool dated = false;  ///< in local time; else since the machine started
  static std::optional<Stamp> of(std::string_view before) {
    const std::size_t open = before.rfind('['), close = before.rfind(']');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open) return std::nullopt;
    const std::string_view text = trim(before.substr(open + 1, close - open - 1));
    if (const auto instant = parse_asctime(text)) return Stamp{*instant, true};
    if (text.starts_with('+')) return std::nullopt;  // since the line above (dmesg -d)
    if (const auto seconds = to_ns(Token{text}, second); seconds && *seconds >= 0) return Stamp{*seconds, false};
    return std::nullopt;
  }
};

struct XidEvent {
  std::string_view address;  ///< "0000:00:05"
  std::int64_t code = 0;
  std::optional<Stamp> stamp;

  static std::optional<XidEvent> parse(std::string_view line) {
    const std::size_t at = line.find(xid_mark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = line.substr(at + xid_mark.size());
    const std::size_t close = rest.find("): ");
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view code = rest.substr(close + 3);
    const auto number = to_integer(Token{code.substr(0, code.find(','))});
    if (!number || *number < 0 || close == 0 || code.find(',') == std::string_view::npos) return std::nullopt;
    return XidEvent{rest.substr(0, close), *number, Stamp::of(line.substr(0, at))};
  }
};

/// Errors of the PCIe bus, as the kernel's Advanced Error Reporting prints them.
bool names_aer(std::string_view text) {
  return text.find(": AER: ") != std::string_view::npos || text.find("PCIe Bus Error: ") != std::string_view::npos;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink, {.separator = '\0', .quotes = false, .proves_end = never_ends}), sink_(lines_.sink()) {}

  Status read() {
    while (lines_.next())
      if (!lines_.note_cut()) line(lines_.record());
    if (Status status = lines_.status(); !status) return status;
    // One clock for all: what only some of them state is no clock.
    bool stamped = true;
    for (const Event& event : events_)
      stamped = stamped && event.stamp && event.stamp->dated == events_.front().stamp->dated;
    if (!stamped) sink_.note(note_id::assumed_times);
    std::int64_t order = 0;
    for (const Event& event : events_)
      facts_.add("xid", event.device, stamped ? event.stamp->ns : order++ * assumed_period_ns,
                 static_cast<double>(event.code));
    const bool dated = stamped && !events_.empty() && events_.front().stamp->dated;
    if (events_.empty() && !sink_.cancelled()) {
      Diagnostic error;
      error.id = refusal_id::no_known_report;
      error.title = "the log of the kernel holds no Xid error of NVIDIA's driver";
      error.help = aer_lines_ > 0
                       ? "It holds errors of the PCIe bus (lines of AER: " + std::to_string(aer_lines_) +
                             "), which kdiag does not judge: the port that they name has a device, a cable or a slot " +
                             "that is at fault."
                       : "Nothing is wrong then, as far as the driver says; other lines of the log are not read.";
      return error;
    }
    RunInfo run = telemetry_run("kernel log", dated ? ClockDomain::local_ns : ClockDomain::device);
    run.telemetry = false;  // it is of no other run
    sink_.run(std::move(run));
    sink_.submit(0, facts_.take());
    return ok_status();
  }

 private:
  struct Event {
    std::int64_t device, code;
    std::optional<Stamp> stamp;
  };

  void line(std::string_view text) {
    if (names_aer(text)) ++aer_lines_;
    const auto xid = event_of(text);
    if (!xid) return sink_.note(note_id::no_log_row);
    sink_.count_events(1);
    const auto next = static_cast<std::int64_t>(devices_.size());
    const std::int64_t device = devices_.try_emplace(std::string(xid->address), next).first->second;
    facts_.set(device, column("devices.address"), xid->address);
    events_.push_back({device, xid->code, xid->stamp});
    sink_.keeps(1, static_cast<std::int64_t>(sizeof(Event)));
  }

  /// The Xid of a line, or of the message in words that ends with it. Lines of others may stand between those of the
  /// message.
  std::optional<XidEvent> event_of(std::string_view text) {
    if (const auto xid = XidEvent::parse(text)) return xid;
    if (const std::size_t at = text.find(lost_mark); at != std::string_view::npos) {
      const std::string_view address = trim(text.substr(at + lost_mark.size()));
      lost_address_ = address.substr(0, address.find_first_of(" ."));  // without the function: as Xid lines have it
      lost_stamp_ = Stamp::of(text.substr(0, at));
    }
    if (text.find(off_the_bus) == std::string_view::npos) return std::nullopt;
    if (lost_address_.find(':') == std::string::npos) lost_address_ = "unknown";
    said_ = std::exchange(lost_address_, {});
    return XidEvent{said_, xid_off_the_bus, lost_stamp_};
  }

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  DeviceSamples facts_{"nvidia"};
  std::map<std::string, std::int64_t> devices_;  ///< by address, numbered as they appear
  std::vector<Event> events_;
  std::string lost_address_;  ///< of the message that goes on over three lines; empty behind it
  std::optional<Stamp> lost_stamp_;
  std::string said_;  ///< the address that the last event views
  std::int64_t aer_lines_ = 0;
};

bool names_xid(std::string_view text) {
  for (std::size_t at = text.find(xid_mark); at != std::string_view::npos; at = text.find(xid_mark, at + 1))
    if (XidEvent::parse(text.substr(at, text.find('\n', at) - at))) return true;
  return false;
}

/// Whether the first lines are as dmesg prints them, "[  318.250000] usb 1-1: ...": errors may stand far behind.
bool begins_as_dmesg(std::string_view text) {
  constexpr int looked_at = 3;
  for (int line = 0; line < looked_at; ++line) {
    const std::string_view first = text.substr(0, text.find('\n'));
    const std::string_view before = first.substr(0, first.find(']') + 1);
    const auto stamp = first.starts_with('[') ? Stamp::of(before) : std::nullopt;
    if (!stamp || (!stamp->dated && before.find('.') == std::string_view::npos)) return false;
    text.remove_prefix(std::min(first.size() + 1, text.size()));
  }
  return true;
}

int sniff(const Head& head) {
  if (head.json != 0 && head.json != '[') return 0;
  if (names_xid(head.bytes) || head.bytes.find(lost_mark) != std::string_view::npos) return 60;
  return begins_as_dmesg(head.bytes) || names_aer(head.bytes) ? 50 : 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"samples", "samples:xid", "devices.id", "devices.address"};

}  // namespace

extern const Adapter kernel_log;
const Adapter kernel_log{
    .id = "kernel-log",
    .title = "Log of the Linux kernel (dmesg, journalctl -k): Xid errors of NVIDIA's driver",
    .example = "[Wed Jul 31 23:14:18 2024] NVRM: Xid (PCI:0000:00:05): 43, pid=1045242, name=python3, Ch 00000008",
    .record = "dmesg -T > kernel.log",
    .provides = provides,
    .sniff = sniff,
    .read = read,
    .reads_tagged_lines = true,
};

}  // namespace kdiag::adapters
