// SPDX-License-Identifier: Apache-2.0
// Numbers in texts, as the C locale writes them, in any locale. Times that may be above 2^53 ns are read as integers.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace kdiag {

/// The number at the front of a text, which is taken off it. Nothing, and the text as it was, where it begins with
/// something else, a plus sign or a blank included, or T cannot hold the number.
template <class T>
std::optional<T> take_number(std::string_view& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// The number that a whole text is. Nothing where something else stands there, too, or T cannot hold the number.
template <class T>
std::optional<T> parse_number(std::string_view text) {
  const auto value = take_number<T>(text);
  return text.empty() ? value : std::nullopt;
}

/// The whole number, not below 0, that a text is: an index, an id, a count.
inline std::optional<std::int64_t> parse_count(std::string_view text) {
  const auto value = parse_number<std::int64_t>(text);
  return value && *value >= 0 ? value : std::nullopt;
}

/// The number that a text of hexadecimal digits is, without a prefix.
template <class T>
std::optional<T> parse_hexadecimal(std::string_view text) {
  T value{};
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value, 16);
  return error == std::errc{} && end == stop ? std::optional(value) : std::nullopt;
}

}  // namespace kdiag
