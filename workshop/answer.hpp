// SPDX-License-Identifier: Apache-2.0
// What an expression is worth, as JSON and as text: of long answers the rows that are wanted.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include <kdiag/rule_values.hpp>

#include "base/json_writer.hpp"
#include "engine/eval/run_context.hpp"
#include "engine/language/value.hpp"
#include "report/phrases/table.hpp"

namespace kdiag {

inline constexpr AnswerRows all_rows{.first = 0, .most = report::unlimited};

/// From and to which of `size` things are wanted.
std::pair<std::size_t, std::size_t> wanted(const AnswerRows& rows, std::size_t size);

/// What stops the making of a text once the host asked to.
report::StopCheck stop_check_of(const RunContext& run);

/// The wanted rows of a table, piece by piece: a whole one can be larger than the facts. A table without rows is one
/// piece, which has no columns.
void for_each_piece(const TableRows& table, const RunContext& run, const AnswerRows& rows,
                    const std::function<void(const report::Table&)>& use);

/// The JSON object of docs/tools.md; `first` writes members before the others.
void write_answer(JsonWriter& json, const Value& value, const Type& type, const RunContext& run, const AnswerRows& rows,
                  const std::function<void()>& first = {});

/// Text for people, each line with its end.
std::string as_text(const Value& value, const Type& type, const RunContext& run, const QueryOptions& options);
/// Rows with their heading, in full width, without a last end of line.
std::string rows_as_text(const TableRows& table, const RunContext& run, const AnswerRows& rows);

/// How many rows, or parts, a value has; of a single one 0.
std::size_t size_of(const Value& value);
bool is_unknown(const Value& value, const Type& type);

}  // namespace kdiag
