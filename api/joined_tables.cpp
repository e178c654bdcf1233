// SPDX-License-Identifier: Apache-2.0
#include "api/joined_tables.hpp"

#include <algorithm>
#include <utility>

#include "engine/derive/rows/scope.hpp"

namespace kdiag {
namespace {

using Holds = JoinedColumn::Holds;

constexpr TableId runs_table = table("runs");
constexpr std::size_t rows_of_piece = 1024;  // judgement: some 100 KB of text

ValueEntry label_entry(std::string text) {
  return text.empty() ? ValueEntry{} : ValueEntry{.value = std::move(text), .unit = {}};
}

/// A value as the store has it, of a reference the row.
ValueEntry stored_value(const FactStore& store, ColumnId id, std::uint32_t row) {
  const auto entry = [](auto value, auto absent) {
    return value == absent ? ValueEntry{} : ValueEntry{.value = static_cast<std::int64_t>(value), .unit = {}};
  };
  switch (info(id).type) {
    case ColumnType::integer: return entry(store.integer(id, row), absent_integer);
    case ColumnType::small_integer: return entry(store.small(id, row), absent_small);
    case ColumnType::reference: return entry(store.index(id, row), absent_index);
    case ColumnType::real: {
      const double value = store.real(id, row);
      return value != value ? ValueEntry{} : ValueEntry{.value = value, .unit = {}};
    }
    case ColumnType::boolean: {
      const std::uint32_t value = store.index(id, row);
      return value == absent_index ? ValueEntry{} : ValueEntry{.value = value == 1, .unit = {}};
    }
    case ColumnType::string:
      if (store.index(id, row) == absent_index) return {};
      return {.value = std::string(store.text(id, row)), .unit = {}};
  }
  return {};
}

}  // namespace

ColumnType JoinedColumn::type() const {
  switch (holds) {
    case Holds::key: return ColumnType::integer;
    case Holds::run: return ColumnType::reference;
    case Holds::value: return info(column).type;
    default: return ColumnType::string;
  }
}

TableId JoinedColumn::target() const {
  if (holds == Holds::run) return runs_table;
  return holds == Holds::value && type() == ColumnType::reference ? target_of(column) : TableId{};
}

JoinedTables::JoinedTables(const LoadedFacts& facts, CancelFlag cancel) : facts_(facts), cancel_(cancel) {
  for (const RunFacts& run : facts.runs) contexts_.push_back(std::make_unique<RunContext>(*run.store, nullptr, cancel));
}

bool JoinedTables::recorded(TableId id) const {
  return std::any_of(facts_.runs.begin(), facts_.runs.end(),
                     [id](const RunFacts& run) { return run.store->present(id); });
}

bool JoinedTables::whole() const {
  return std::none_of(facts_.runs.begin(), facts_.runs.end(),
                      [](const RunFacts& run) { return run.store->scope.any(); });
}

std::int64_t JoinedTables::rows(TableId id) const {
  std::size_t rows = 0;
  for (const RunFacts& run : facts_.runs) rows += rows_in_part(*run.store, id).size();
  return static_cast<std::int64_t>(rows);
}

std::int64_t JoinedTables::first_key(std::size_t run, TableId id) const {
  std::size_t rows = 0;
  for (std::size_t before = 0; before < run; ++before) rows += facts_.runs[before].store->rows(id);
  return static_cast<std::int64_t>(rows);
}

std::vector<JoinedColumn> JoinedTables::columns(TableId id) {
  std::vector<JoinedColumn> out{{Holds::key, {}, "key", "Number of the row: what refers to it holds this."}};
  if (id == runs_table) out.push_back({Holds::run_id, {}, "id", "Id of the run in reports."});
  else out.push_back({Holds::run, {}, "run", "Its run."});
  const ColumnRange range = columns_of(id);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c) {
    const ColumnId column{c};
    const ColumnInfo& about = info(column);
    const bool reference = about.type == ColumnType::reference;
    if (about.traits.transient || (reference && target_of(column) == runs_table)) continue;
    out.push_back({Holds::value, column, std::string(about.name), about.doc});
    if (reference)
      out.push_back({Holds::label, column, std::string(about.name) + "_label", "What reports call that row."});
  }
  return out;
}

bool JoinedTables::has_values(const JoinedColumn& column) const {
  return !column.column.valid() || std::any_of(facts_.runs.begin(), facts_.runs.end(),
                                               [&](const RunFacts& run) { return run.store->has(column.column); });
}

ValueEntry JoinedTables::cell(std::size_t run, const JoinedColumn& column, std::uint32_t row,
                              std::int64_t first) const {
  const FactStore& store = *facts_.runs[run].store;
  switch (column.holds) {
    case Holds::key: return {.value = first + row, .unit = {}};
    case Holds::run: return {.value = first, .unit = {}};
    case Holds::run_id: return label_entry(facts_.runs[run].id);
    case Holds::label:
      return label_entry(contexts_[run]->label(RowRef{target_of(column.column), store.index(column.column, row)}));
    case Holds::value: break;
  }
  ValueEntry entry = stored_value(store, column.column, row);
  if (auto* number = std::get_if<std::int64_t>(&entry.value)) *number += first;
  return entry;
}

void JoinedTables::for_each_piece(TableId id, const std::vector<JoinedColumn>& columns,
                                  const std::function<bool(const report::Table&)>& take) const {
  report::Table piece;
  for (const JoinedColumn& column : columns) piece.columns.push_back(column.name);
  bool none = true;
  for (std::size_t run = 0; run < facts_.runs.size(); ++run) {
    std::vector<std::int64_t> first;  // key of the run's first row of the table that a column holds keys of
    for (const JoinedColumn& column : columns) {
      const TableId of = column.holds == Holds::key ? id : column.target();
      first.push_back(of.valid() ? first_key(run, of) : 0);
    }
    const std::vector<std::uint32_t> rows = rows_in_part(*facts_.runs[run].store, id);
    for (std::size_t at = 0; at < rows.size();) {
      stop_if(cancel_);
      piece.rows.clear();
      for (const std::size_t end = std::min(at + rows_of_piece, rows.size()); at < end; ++at) {
        std::vector<ValueEntry>& cells = piece.rows.emplace_back();
        cells.reserve(columns.size());
        for (std::size_t c = 0; c < columns.size(); ++c) cells.push_back(cell(run, columns[c], rows[at], first[c]));
      }
      none = false;
      if (!take(piece)) return;
    }
  }
  if (none) take(piece);
}

}  // namespace kdiag
