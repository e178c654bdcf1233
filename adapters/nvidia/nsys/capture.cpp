// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nsys/capture.hpp"

#include <algorithm>
#include <string_view>

#include <kdiag/note_ids.hpp>

#include "adapters/text/instants.hpp"

namespace kdiag::adapters::nsys {
namespace {

constexpr std::int64_t warning = 2;  // ENUM_DIAGNOSTIC_SEVERITY_LEVEL
constexpr std::int64_t error = 3;

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::string_view first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  while (text.ends_with(' ') || text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

/// Warnings that say only that something was not traced which nobody needs for a diagnosis of the device.
bool is_about_absence(std::string_view text) { return text.starts_with("No ") && has(text, " events collected"); }

/// The message as a note; whether it is about CUDA's own records.
bool note_message(std::int64_t severity, std::string_view text, FactSink& sink) {
  if (has(text, "CUDA events might have been") || has(text, "CUDA events were dropped")) {
    sink.note(note_id::records_dropped, first_line(text));
    return true;
  }
  if (severity != warning && severity != error) return false;
  if (has(text, "not supported by this build") || has(text, "currently not supported")) {
    sink.note(note_id::severe_diagnostic, first_line(text));
    return has(text, "CUDA driver");
  }
  if (severity == error) sink.note(note_id::profiler_reported_errors, first_line(text));
  else if (!is_about_absence(text)) sink.note(note_id::profiler_warnings, first_line(text));
  return severity == error && has(text, "CUDA");
}

}  // namespace

bool traced_cuda(const Database& database) {
  Query rows = database.select("META_DATA_CAPTURE", {"name", "value"});
  while (rows.next())
    if (rows.text(0) == "CAPTURE_EVENT_TYPE" && rows.text(1) == "Cuda") return true;
  return false;
}

void add_window(Session& session) {
  // Events count from the beginning of the recording; startTime and stopTime are those of another clock.
  Query rows = session.database.select("ANALYSIS_DETAILS", {"duration"});
  const auto length = in_range(rows.next() ? rows.integer(0) : std::nullopt);
  if (length.value_or(0) <= 0 || !session.begin_row()) return;
  const Row row = session.batch.add(table("annotations"));
  session.batch.set(row, column("annotations.name"), "recording");
  session.batch.set(row, column("annotations.kind"), "window");
  session.batch.set(row, column("annotations.start"), std::int64_t{0});
  session.batch.set(row, column("annotations.dur"), *length);
}

bool note_messages(Session& session) {
  bool about_cuda = false;
  Query rows = session.database.select("DIAGNOSTIC_EVENT", {"severity", "text"});
  while (rows.next()) about_cuda |= note_message(rows.integer(0).value_or(0), rows.text(1).value_or(""), session.sink);
  return about_cuda;
}

}  // namespace kdiag::adapters::nsys
