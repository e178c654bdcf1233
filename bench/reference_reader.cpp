// SPDX-License-Identifier: Apache-2.0
// A whole-document simdjson on-demand walk.
#include "bench/reference_reader.hpp"

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

void read_args(object args, Row& row) {
  for (auto field : args) {
    const raw_json_string key = field.key();
    if (key == "device") row.device = field.value().get_int64();
    else if (key == "stream") row.stream = field.value().get_int64();
    else if (key == "correlation") row.correlation = field.value().get_int64();
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
    else if (key == "pid") row.pid = content.get_int64();
    else if (key == "tid") row.tid = content.get_int64();
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
