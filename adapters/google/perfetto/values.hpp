// SPDX-License-Identifier: Apache-2.0
// Numbers as packets state them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <kdiag/fact.hpp>

#include "adapters/io/protobuf.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters::perfetto {

inline std::int64_t signed_of(const Field& field) { return field.signed_integer().value_or(0); }

inline std::optional<double> number_of(const Field& field) {
  if (const auto whole = field.signed_integer()) return static_cast<double>(*whole);
  return field.real();
}

/// The number at the end of a text, which may be all of it: 4 of "Agent-4".
inline std::int64_t last_number(std::string_view text) {
  const std::size_t before = text.find_last_not_of("0123456789");
  return parse_number<std::int64_t>(before == text.npos ? text : text.substr(before + 1)).value_or(absent_integer);
}

}  // namespace kdiag::adapters::perfetto
