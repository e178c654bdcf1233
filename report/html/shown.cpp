// SPDX-License-Identifier: Apache-2.0
#include "report/html/shown.hpp"

#include "base/escape.hpp"

namespace kdiag::report {

std::string shown(std::string_view text, std::size_t limit) {
  // A code point has four bytes at most: of a text of megabytes only its ends are made visible.
  const std::size_t most_bytes = 4 * limit;
  if (text.size() <= 2 * most_bytes) return shorten_middle(visible(text), limit);
  const std::string ends = visible(text.substr(0, most_bytes)) + visible(text.substr(text.size() - most_bytes));
  return shorten_middle(ends, limit);
}

void sentence(JsonWriter& json, std::string_view name, std::string_view text) {
  json.text_or_null(name, shown(text, longest_sentence));
}

std::string inert_json(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (const char byte : json) {
    if (byte == '<') out += "\\u003c";  // no </script>, no <!--: JSON has it in strings alone
    else out += byte;
  }
  return out;
}

}  // namespace kdiag::report
