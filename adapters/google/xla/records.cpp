// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/xla/records.hpp"

#include <string_view>
#include <utility>

#include <kdiag/note_ids.hpp>

namespace kdiag::adapters::xla {

void Records::add(const TraceEvent& event) {
  const std::string_view phase = unquoted(event.ph);
  if (phase.empty() && event.name.text.empty()) return;  // `{}` ends the list
  const std::int64_t process = to_integer(event.pid).value_or(0);
  const Key row{process, to_integer(event.tid).value_or(process)};
  if (phase == "M") {
    const std::string_view what = unquoted(event.name);
    const Token name = event.arg("name");
    if (what == "process_name") process_names.try_emplace(process, decode(name, scratch_));
    if (what == "thread_name") thread_names.try_emplace(row, decode(name, scratch_));
    return;
  }
  if (phase == "i") return sink_->note(note_id::unused_event, "instants");
  if (phase != "X") return sink_->note(note_id::unknown_kind, decode(event.ph, scratch_));
  const auto start = event.start_ns();
  const auto dur = event.dur_ns();
  if (!start || !dur) return sink_->note(note_id::malformed_value, start ? "dur" : "ts");
  if (*dur < 0) return sink_->note(note_id::negative_duration);
  Span span{.start = *start, .dur = *dur, .row = row, .name = text(event.name)};
  const Token kernel = event.arg("kernel_details");
  span.details = text(kernel.is_missing() ? event.arg("memcpy_details") : kernel);
  span.hlo_op = text(event.arg("hlo_op"));
  if (const auto id = to_integer(event.arg("correlation_id")); id && *id > 0) span.correlation = *id;
  if (const auto flops = to_integer(event.arg("flops")); flops && *flops >= 0) span.flops = static_cast<double>(*flops);
  if (const auto bytes = to_integer(event.arg("bytes_accessed")); bytes && *bytes >= 0) span.bytes_moved = *bytes;
  spans.push_back(span);
}

void Records::append(Records&& chunk) {
  std::vector<std::uint32_t> text_of;
  for (const std::string& text : chunk.texts.texts()) text_of.push_back(texts(text));
  for (Span& span : chunk.spans) {
    for (std::uint32_t* text : {&span.name, &span.details, &span.hlo_op})
      if (*text != no_text) *text = text_of[*text];
    spans.push_back(span);
  }
  process_names.merge(chunk.process_names);
  thread_names.merge(chunk.thread_names);
  devices.merge(chunk.devices);
  if (host.empty()) host = std::move(chunk.host);
}

std::uint32_t Records::text(Token token) {
  const std::string_view decoded = decode(token, scratch_);
  return decoded.empty() ? no_text : texts(decoded);
}

}  // namespace kdiag::adapters::xla
