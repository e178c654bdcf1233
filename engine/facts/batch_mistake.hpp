// SPDX-License-Identifier: Apache-2.0
// The first thing wrong that was asked of a batch.
#pragma once

#include <cstdint>
#include <string>

#include <kdiag/fact.hpp>

namespace kdiag {

struct BatchMistake {
  enum class Kind : std::uint8_t {
    none,
    catalogue,    ///< whoever fills it was compiled with another catalogue
    table,        ///< there is none of that id
    entity,       ///< a row was added to a table whose rows are found by key
    owner,        ///< a row by key was asked for whose owner is no such row of the batch
    column,       ///< there is none of that id
    other_table,  ///< the column is of another table than the row
    row,          ///< the table has fewer rows
    type,         ///< the column holds other values
    text,         ///< the batch has fewer texts
    target,       ///< the column refers to another table than that of the row that was given
    target_row,   ///< that table has fewer rows
  };
  Kind kind = Kind::none;
  Row row = {};             ///< in which a value was set; of `entity` and `table` its table
  ColumnId column = {};     ///< that was set
  Row value = {};           ///< that was given, where it was a row
  std::uint32_t count = 0;  ///< how many rows or texts there were
};

/// What the first mistake in filling a batch was, in words: "'kernels.dur' was set in row 7, and 'kernels' has 3".
/// Empty when there was none.
std::string mistake_of(const Batch& batch);

}  // namespace kdiag
