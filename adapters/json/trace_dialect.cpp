// SPDX-License-Identifier: Apache-2.0
#include "adapters/json/trace_dialect.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view ascend_words[] = {"\"Ascend Hardware\"", "\"CANN\"",         "\"Overlap Analysis\"",
                                             "\"async_npu\"",       "\"HostToDevice\"", "\"HCCL\""};

/// The value behind a key that stands at `at`, from its first character on.
std::string_view value_at(std::string_view text, std::size_t at, std::string_view key) {
  text.remove_prefix(at + key.size());
  const std::size_t start = text.find_first_not_of(" \t\r\n:");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

}  // namespace

bool has_category(std::string_view text, std::span<const std::string_view> categories) {
  constexpr std::string_view key = "\"cat\"";
  for (std::size_t at = find_part(text, key); at != std::string_view::npos; at = find_part(text, key, at + 1)) {
    std::string_view value = value_at(text, at, key);
    if (!value.starts_with('"')) continue;
    value.remove_prefix(1);
    value = value.substr(0, value.find('"'));
    if (std::find(categories.begin(), categories.end(), value) != categories.end()) return true;
  }
  return false;
}

bool is_ascend(std::string_view text) {
  if (std::any_of(std::begin(ascend_words), std::end(ascend_words),
                  [text](std::string_view word) { return contains(text, word); }))
    return true;
  constexpr std::string_view key = "\"ts\"";
  constexpr std::string_view host_rows[] = {"cpu_op", "user_annotation", "python_function", "enqueue"};
  const std::size_t first_time = find_part(text, key);
  return first_time != std::string_view::npos && value_at(text, first_time, key).starts_with('"') &&
         has_category(text, host_rows) && !contains(text, "xternal id\"");
}

}  // namespace kdiag::adapters
