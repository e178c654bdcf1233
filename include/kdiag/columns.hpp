// SPDX-License-Identifier: Apache-2.0
// Columns of loaded facts without a copy, for charts, tables and data frames.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/export.hpp>
#include <kdiag/fact.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag {

/// The values of a column, one per row, or nothing when no row has any: integer -> int64, small_integer -> int32, real
/// -> double, and uint32 for ids of texts (text_of), rows of the referenced table, and booleans. Absent values are the
/// constants of <kdiag/fact.hpp>, never zero. Units are those of the catalogue.
using ColumnValues = std::variant<std::monostate, std::span<const std::int64_t>, std::span<const std::int32_t>,
                                  std::span<const double>, std::span<const std::uint32_t>>;

// Runs are counted from 0 in the order of the report. Of a run, table, column or text that there is none of the answer
// is empty: no value, no text, 0. What is returned is valid as long as any copy of the facts. `catalogue` says what the
// program means by ids; where the library means something else all answers are empty.

/// Whether the program was compiled with the catalogue of the library that runs. If not, its ids of tables and columns
/// mean others: compile it again.
KDIAG_API bool same_catalogue(std::uint64_t catalogue = catalogue_hash);

KDIAG_API std::size_t run_count(const Facts& facts);

/// Rows of a table; nothing when the input does not record it.
KDIAG_API std::optional<std::size_t> row_count(const Facts& facts, std::size_t run, TableId table,
                                               std::uint64_t catalogue = catalogue_hash);

/// The rows of a table in the part of the run that LoadOptions::scope chose, ascending; all rows where it chose none.
/// Columns hold all rows of the run, since rows refer to each other by number:
///     for (std::uint32_t row : kdiag::rows_in_part(facts, 0, kdiag::table("kernels"))) sum += durations[row];
KDIAG_API std::vector<std::uint32_t> rows_in_part(const Facts& facts, std::size_t run, TableId table,
                                                  std::uint64_t catalogue = catalogue_hash);

/// Example:
///     auto durations = std::get<1>(kdiag::column_values(facts, 0, kdiag::column("kernels.dur")));
KDIAG_API ColumnValues column_values(const Facts& facts, std::size_t run, ColumnId column,
                                     std::uint64_t catalogue = catalogue_hash);

/// Who supplied a column: an adapter's id, "derived", "device table"; empty when it has no values.
KDIAG_API std::string_view column_provider(const Facts& facts, std::size_t run, ColumnId column,
                                           std::uint64_t catalogue = catalogue_hash);

/// The text of an id of a column of type string; empty for an absent one.
KDIAG_API std::string_view text_of(const Facts& facts, std::size_t run, std::uint32_t id);
/// How many texts there are: ids are below it.
KDIAG_API std::size_t text_count(const Facts& facts, std::size_t run);

}  // namespace kdiag
