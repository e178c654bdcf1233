// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/averages/table.hpp"

#include <algorithm>
#include <iterator>

#include "adapters/json/json.hpp"
#include "adapters/names/api_names.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/device_names.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::averages {
namespace {

constexpr std::string_view self = "Self ";
constexpr std::string_view total = " total";

// Rows that are neither operators nor calls: steps, and what the driver does now and then.
constexpr std::string_view other_names[] = {"ProfilerStep", "Command Buffer Full", "Lazy Function Loading",
                                            "Runtime Triggered Module Loading", "Unrecognized"};

// The buffers of the profiler, and what it puts into the program.
constexpr std::string_view profiler_names[] = {"Buffer Flush", "Activity Buffer Request", "Instrumentation",
                                               "Resource"};

// Ranges that PyTorch, Lightning and people who use them mark around other work: no kernel is named so.
constexpr std::string_view range_names[] = {"Optimizer.",
                                            "## Call CompiledFxGraph",
                                            "Torch-Compiled Region",
                                            "enumerate(",
                                            "DistributedDataParallel.",
                                            "FullyShardedDataParallel.",
                                            "FSDP::",
                                            "[pl]["};

template <std::size_t n>
bool begins_with_any(std::string_view name, const std::string_view (&begins)[n]) {
  return std::any_of(std::begin(begins), std::end(begins),
                     [name](std::string_view begin) { return name.starts_with(begin); });
}

/// Whether a row of the device is a range there: by its name, or since the host has one of its name. Triton's launchers
/// have the names of their kernels.
bool is_range(std::string_view name, bool on_host) {
  return begins_with_any(name, range_names) || is_communication_range(name) ||
         (on_host && !name.starts_with("triton_"));
}

/// The device in "Self CUDA" and "CUDA total".
std::string_view device_of(std::string_view heading) {
  std::string_view word;
  if (heading.starts_with(self)) word = heading.substr(self.size());
  else if (heading.ends_with(total)) word = heading.substr(0, heading.size() - total.size());
  const bool one_word = !word.empty() && word.find_first_of(" %") == std::string_view::npos;
  return one_word && word != "CPU" ? word : std::string_view{};
}

}  // namespace

std::optional<Header> Header::parse(std::span<const std::string_view> cells) {
  Header header;
  header.columns_ = cells.size();
  header.place_.fill(none);
  const auto take = [&header](Place place, std::size_t column) {
    if (header.place_[place] == none) header.place_[place] = column;
  };
  for (std::size_t column = 0; column < cells.size(); ++column) {
    const std::string_view heading = cells[column];
    if (heading == "Name") take(name_cell, column);
    else if (heading == "# of Calls" || heading == "Number of Calls") take(calls, column);
    else if (heading == "Self CPU" || heading == "Self CPU total") take(host_self, column);
    else if (heading == "CPU total") take(host_total, column);
    else if (heading.starts_with(self) && heading.ends_with(" %"))
      take(heading.starts_with("Self CPU ") ? host_share : device_share, column);
    else if (const std::string_view device = device_of(heading); !device.empty()) {
      take(heading.starts_with(self) ? device_self : device_total, column);
      header.device_ = device;
    }
  }
  if (header.place_[name_cell] == none || header.place_[calls] == none || header.place_[host_self] == none)
    return std::nullopt;
  return header;
}

std::optional<std::int64_t> Header::time(std::span<const std::string_view> row, Place place) const {
  return place_[place] == none ? std::nullopt : parse_duration(row[place_[place]]);
}

Shares Header::shares(std::span<const std::string_view> row) const {
  const auto cell = [&](Place place) { return place_[place] == none ? std::string_view() : row[place_[place]]; };
  return {cell(host_share), cell(device_share)};
}

Totals Header::totals(std::span<const std::string_view> row) const {
  return {to_integer(Token{row[place_[calls]]}), time(row, host_self), time(row, host_total), time(row, device_self),
          time(row, device_total)};
}

std::optional<Footer> parse_footer(std::string_view line) {
  constexpr std::string_view between = " time total: ";
  line = trim(line);
  for (constexpr std::string_view bold = "**";
       line.size() > 2 * bold.size() && line.starts_with(bold) && line.ends_with(bold);)
    line = line.substr(bold.size(), line.size() - 2 * bold.size());
  const std::size_t at = line.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const auto time = parse_duration(line.substr(at + between.size()));
  std::string_view device = line.substr(0, at);
  if (device.starts_with(self)) device.remove_prefix(self.size());  // not before 2020, of the device
  if (!time || device.empty() || device.find(' ') != std::string_view::npos) return std::nullopt;
  return Footer{device != "CPU", *time};
}

Subject subject_of(std::string_view name, const Totals& totals, bool on_host) {
  if (begins_with_any(name, other_names) || is_profilers_own(name)) return Subject::other;
  if (name.starts_with("aten::")) return Subject::op;  // some take the host no microsecond
  if (totals.device_self.value_or(0) > 0 && totals.host_total.value_or(0) == 0 && totals.host_self.value_or(0) == 0) {
    if (is_range(name, on_host)) return Subject::device_range;
    if (name.starts_with("Memset")) return Subject::fill;
    return name.starts_with("Memcpy") && names_copy(name) ? Subject::copy : Subject::kernel;
  }
  const std::string_view word = name.substr(0, name.find(".."));  // long names are cut
  const bool call =
      is_runtime_call(word) || (!maker_of_call(word).vendor.empty() && word.find_first_of(": ") == word.npos);
  return call ? Subject::call : Subject::op;
}

bool is_profilers_own(std::string_view name) { return begins_with_any(name, profiler_names); }

}  // namespace kdiag::adapters::averages
