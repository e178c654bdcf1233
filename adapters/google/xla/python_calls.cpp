// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/xla/python_calls.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/ascii.hpp"

namespace kdiag::adapters::xla {

std::optional<std::string> python_frame_text(std::string_view name) {
  if (!name.starts_with('$')) return std::nullopt;
  const std::size_t blank = name.find(' ');
  if (blank == std::string_view::npos || blank + 1 == name.size()) return std::nullopt;
  const std::string_view place = name.substr(1, blank - 1), function = name.substr(blank + 1);
  const std::size_t colon = place.rfind(':');
  if (colon == std::string_view::npos) return std::string(function);  // "builtins", "<unknown>"
  const std::string_view line = place.substr(colon + 1);
  if (line.empty() || !std::all_of(line.begin(), line.end(), is_digit)) return std::nullopt;
  return std::string(place.substr(0, colon)).append("(").append(line).append("): ").append(function);
}

void PythonCalls::add(const Span& span, std::string_view frame_text) {
  calls_[span.row].push_back({.start = span.start, .end = span.start + span.dur, .name = paths_.name(frame_text)});
}

void PythonCalls::submit(Batch& batch, const std::function<Row(const Key&)>& thread) {
  if (!calls_.empty()) batch.declare(table("python_calls"));
  std::unordered_map<std::uint32_t, Row> frames;
  for (auto& [row, calls] : calls_) {
    paths_.at(calls, {});
    for (const PythonCall& call : calls) {
      if (!call.is_long()) continue;
      const Row frame = paths_.frame(batch, call.path, frames);
      const Row python = batch.add(table("python_calls"));
      batch.set(python, column("python_calls.start"), call.start);
      batch.set(python, column("python_calls.dur"), call.end - call.start);
      batch.set(python, column("python_calls.thread"), thread(row));
      batch.set(python, column("python_calls.frame"), frame);
    }
  }
}

}  // namespace kdiag::adapters::xla
