// SPDX-License-Identifier: Apache-2.0
// What rows by name and rows by column share: names as messages have them.
#pragma once

#include <string>
#include <string_view>

#include <kdiag/catalogue.hpp>

namespace kdiag {

inline std::string in_quotes(std::string_view name) { return "'" + std::string(name) + "'"; }

inline std::string full_name(ColumnId id) {
  return in_quotes(std::string(info(id).table) + "." + std::string(info(id).name));
}

/// What the values of a column are, as those who set them call it.
constexpr std::string_view type_name(ColumnType type) {
  switch (type) {
    case ColumnType::integer: return "whole numbers";
    case ColumnType::small_integer: return "whole numbers of 32 bits";
    case ColumnType::real: return "numbers";
    case ColumnType::boolean: return "true or false";
    case ColumnType::string: return "texts";
    case ColumnType::reference: return "rows";
  }
  return {};
}

/// Whether whole numbers of a column cannot be below zero.
inline bool is_duration(ColumnId id) { return info(id).name == "dur"; }

}  // namespace kdiag
