// SPDX-License-Identifier: Apache-2.0
#include "base/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/escape.hpp"

namespace kdiag {

void JsonWriter::value(std::string_view text) {
  before_value();
  append_json_string(out_, text);
}

void JsonWriter::value(std::int64_t number) {
  before_value();
  out_ += std::to_string(number);
}

void JsonWriter::value(std::uint64_t number) {
  before_value();
  out_ += std::to_string(number);
}

void JsonWriter::value(double number) {
  if (!std::isfinite(number)) return null();
  before_value();
  std::array<char, 32> buffer{};  // the shortest form of a double has at most 24 characters
  const double positive_zero = number == 0 ? 0 : number;
  const auto end = std::to_chars(buffer.begin(), buffer.end(), positive_zero).ptr;
  out_.append(buffer.begin(), end);
}

void JsonWriter::value(bool flag) {
  before_value();
  out_ += flag ? "true" : "false";
}

void JsonWriter::null() {
  before_value();
  out_ += "null";
}

std::string JsonWriter::take() {
  out_ += '\n';
  level_ = {};
  return std::exchange(out_, {});
}

void JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_ += ": ";
  after_key_ = true;
}

void JsonWriter::before_value() {
  if (after_key_) after_key_ = false;
  else if (level_.depth > 0) separate();
}

void JsonWriter::separate() {
  const bool first = std::exchange(level_.empty, false);
  if (!first) out_ += level_.layout == Layout::line ? ", " : ",";
  if (level_.layout == Layout::lines) new_line();
}

void JsonWriter::new_line() {
  out_ += '\n';
  out_.append(2 * level_.depth, ' ');
}

}  // namespace kdiag
