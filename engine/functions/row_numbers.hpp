// SPDX-License-Identifier: Apache-2.0
// The numbers of an aggregate's expression, one for each row, and how far they speak for all rows of its table.
#pragma once

#include <optional>

#include "engine/eval/eval.hpp"
#include "engine/eval/numbers.hpp"

namespace kdiag {

struct RowNumbers {
  /// Of args[1] of a plan.
  RowNumbers(Evaluator& evaluator, const Plan& plan, const TableRows& table);

  const Plan& expression;
  const TableRows& table;
  const RowFrame frame;
  const RowValues values;
  Numbers numbers;
  Causes causes;          ///< why some may be missing
  double coverage = 1;    ///< share of the rows that are known, and of those whose number is
  bool complete = false;  ///< that is all of them

  /// There are rows, but a column that no row has is not recorded.
  bool unrecorded() const { return frame.size > 0 && numbers.size() == 0; }
  /// The unknown value of a function that needs a number; nothing when there are some.
  std::optional<Value> without_numbers() const;
  /// The numbers of the rows that may belong to the table; nothing when it has none such.
  std::optional<Numbers> doubtful(Evaluator& evaluator) const;
  /// A result with what is not known of the rows.
  Value finish(Value value) const;
};

/// Whether a number of the expression can be negative: a sum of some of them then bounds nothing.
bool can_be_negative(const Plan& expression);

}  // namespace kdiag
