// SPDX-License-Identifier: Apache-2.0
// Numbers as packets state them.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include <kdiag/fact.hpp>

#include "adapters/io/protobuf.hpp"

namespace kdiag::adapters::perfetto {

inline std::int64_t signed_of(const Field& field) { return field.signed_integer().value_or(0); }

inline std::optional<double> number_of(const Field& field) {
  if (const auto whole = field.signed_integer()) return static_cast<double>(*whole);
  return field.real();
}

/// The number at the end of a text, which may be all of it: 4 of "Agent-4".
inline std::int64_t last_number(std::string_view text) {
  const std::size_t before = text.find_last_not_of("0123456789");
  const std::string_view digits = before == text.npos ? text : text.substr(before + 1);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc{} ? number : absent_integer;
}

}  // namespace kdiag::adapters::perfetto
