// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/autograd/events.hpp"

#include <charconv>

#include <kdiag/note_ids.hpp>

#include "base/text.hpp"

namespace kdiag::adapters::autograd {

Kept Events::kept() const {
  Kept out;
  out.add_bytes(names.bytes() + rows.bytes());
  out.add(ranges);
  out.add(flows);
  return out;
}

void Events::add(const TraceEvent& event) {
  const std::string_view phase = unquoted(event.ph);
  const bool flow = phase == "s" || phase == "f";
  if (!flow && phase != "X") return sink_->note(note_id::unused_event, decode(event.ph, scratch_));
  const auto start = event.start_ns();
  const auto dur = flow ? 0 : event.dur_ns();
  if (!start || !dur) return sink_->note(note_id::malformed_value, start ? "dur" : "ts");
  if (*dur < 0) return sink_->note(note_id::negative_duration);
  std::string row(decode(event.pid, scratch_));
  row += '\n';
  row += event.tid.is_missing() ? std::string_view("0") : decode(event.tid, scratch_);
  const Point at{.track = rows(row), .name = names(decode(event.name, scratch_)), .start = *start};
  if (!flow) return ranges.push_back({.at = at, .start = *start, .dur = *dur});
  constexpr std::int64_t largest = std::int64_t{1} << 62;
  const auto id = to_integer(event.id);
  if (!id || *id < 0 || *id >= largest) return sink_->note(note_id::malformed_value, "id");
  flows.push_back({.at = at, .id = *id, .work = phase == "f"});
}

Track track_of(std::string_view row, Numbered& nodes) {
  const std::size_t end = row.find('\n');
  const std::string_view process = row.substr(0, end);
  const std::string_view thread = row.substr(end + 1);
  Track track;
  track.device = process.ends_with(" functions") && !process.starts_with("CPU ");
  const auto [rest, error] = std::from_chars(thread.data(), thread.data() + thread.size(), track.id);
  if (error == std::errc{} && rest == thread.data() + thread.size()) return track;
  // An operator that another node ran: " node_id:1, thread_id:5 ".
  track.id = 0;
  track.process = std::int64_t{nodes(thread)} + 1;
  return track;
}

}  // namespace kdiag::adapters::autograd
