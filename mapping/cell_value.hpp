// SPDX-License-Identifier: Apache-2.0
// The text of a cell as the value that a column of facts wants.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <kdiag/catalogue.hpp>
#include <kdiag/variant.hpp>

#include "mapping/loaded_map.hpp"

namespace kdiag::mapping {

/// What a value is to become.
struct ValueKind {
  ColumnType type = ColumnType::integer;
  Unit unit = Unit::none;
  bool instant = false;
  ColumnId column;  ///< for texts, of which some columns hold certain words only

  bool number() const { return type != ColumnType::string && type != ColumnType::boolean; }
};

/// What a key under `columns` is read as. References are ids.
ValueKind kind_of(const MappedColumn& column);
/// What values of a series are read as.
ValueKind kind_of_series(const SeriesInfo& series);

using CellValue = Variant<std::int64_t, double, bool, std::string>;

/// Whether a text says that there is no value: a blank one, one of `missing` of the map or the value, and in place of a
/// number the usual words (`-`, `N/A`, `nan`, `[...]`). Missing is not zero.
bool says_missing(std::string_view text, const MappedValue& value, const ValueKind& kind, const LoadedMap& map);

/// Reads a text; nothing when it is malformed, or a number that the column cannot hold. Times are exact. Integers stand
/// for `integer`, `small_integer` and ids.
std::optional<CellValue> read_cell(std::string_view text, const MappedValue& value, const ValueKind& kind,
                                   bool decimal_comma);

/// Units that cells and constants of a dimension can have, for messages: "ns, us, ms, s, min".
std::string units_of(Unit unit);

}  // namespace kdiag::mapping
