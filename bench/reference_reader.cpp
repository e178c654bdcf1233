// SPDX-License-Identifier: Apache-2.0
// A whole-document simdjson on-demand walk.
#include "bench/reference_reader.hpp"

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

#include <simdjson.h>

namespace kdiag::bench {
namespace {

using simdjson::ondemand::object;
using simdjson::ondemand::raw_json_string;
using simdjson::ondemand::value;

/// Decimal microseconds as exact ns, never through a double.
std::int64_t exact_ns(std::string_view text) {
  std::int64_t whole = 0;
  std::int64_t part = 0;
  std::size_t at = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) whole = whole * 10 + (text[at] - '0');
  if (at < text.size() && text[at] == '.') {
    ++at;
    for (int digits = 0; digits < 3; ++digits) {
      part *= 10;
      if (at < text.size() && text[at] >= '0' && text[at] <= '9') part += text[at++] - '0';
    }
  }
  return whole * 1000 + part;
}

/// A whole number, which real traces also write as a text ("25772"); absent where there is none ("stream 7").
std::int64_t whole_number(value content) {
  std::int64_t number = Row::absent;
  if (content.get_int64().get(number) == simdjson::SUCCESS) return number;
  std::string_view text = content.raw_json_token();
  if (!text.starts_with('"')) return Row::absent;
  text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end != text.data() + text.size() && *end == '"' ? number : Row::absent;
}

void read_args(object args, Row& row) {
  for (auto field : args) {
    const raw_json_string key = field.key();
    if (key == "device") row.device = whole_number(field.value());
    else if (key == "stream") row.stream = whole_number(field.value());
    else if (key == "correlation") row.correlation = whole_number(field.value());
  }
}

Row read_event(object event, Interner& strings) {
  Row row;
  for (auto field : event) {
    const raw_json_string key = field.key();
    value content = field.value();
    if (key == "ph") row.ph = strings(content.raw_json_token());
    else if (key == "cat") row.cat = strings(content.raw_json_token());
    else if (key == "name") row.name = strings(content.raw_json_token());
    else if (key == "ts") row.ts = exact_ns(content.raw_json_token());
    else if (key == "dur") row.dur = exact_ns(content.raw_json_token());
    else if (key == "pid") row.pid = whole_number(content);
    else if (key == "tid") row.tid = whole_number(content);
    else if (key == "args") read_args(content.get_object(), row);
  }
  return row;
}

}  // namespace

Columns read_reference(const std::string& path) {
  const simdjson::padded_string text = simdjson::padded_string::load(path);
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document = parser.iterate(text);
  Columns columns;
  for (object event : document["traceEvents"].get_array()) columns.add(read_event(event, columns.strings));
  return columns;
}

}  // namespace kdiag::bench
