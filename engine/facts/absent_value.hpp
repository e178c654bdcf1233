// SPDX-License-Identifier: Apache-2.0
// What stands in a column where a row has no value.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include <kdiag/fact.hpp>

namespace kdiag {

/// By the type of the column's values; of texts and references absent_index.
template <class T>
constexpr T absent_value() {
  if constexpr (std::is_same_v<T, std::int64_t>) return absent_integer;
  else if constexpr (std::is_same_v<T, std::int32_t>) return absent_small;
  else if constexpr (std::is_same_v<T, double>) return absent_real;
  else return absent_index;
}

template <class T>
bool is_absent(T value) {
  if constexpr (std::is_same_v<T, double>) return std::isnan(value);
  else return value == absent_value<T>();
}

}  // namespace kdiag
