// SPDX-License-Identifier: Apache-2.0
#include <kdiag/error_ids.hpp>
#include <kdiag/facts_builder.hpp>
#include <kdiag/refusal_ids.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "api/fact_rows.hpp"
#include "engine/facts/batch_data.hpp"
#include "engine/facts/rolling_batch.hpp"
#include "ingest/build_loaded.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

constexpr std::size_t most_mistakes = 100;  // judgement: a loop that is wrong once is wrong for each row

}  // namespace

struct FactRows::Checks {
  std::vector<ColumnRange> columns;  ///< by table
  Diagnostics mistakes;
  std::set<std::pair<std::string, std::string>> said;  ///< ids and titles
};

FactRows::FactRows(Batch& batch) : batch_(batch), checks_(std::make_unique<Checks>()) {
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) checks_->columns.push_back(columns_of(TableId{t}));
}
FactRows::FactRows(FactRows&&) noexcept = default;
FactRows::~FactRows() = default;

const Diagnostics& FactRows::mistakes() const { return checks_->mistakes; }

void FactRows::forget_mistakes() {
  checks_->mistakes.clear();
  checks_->said.clear();
  BatchMistake& of_batch = batch_.data().mistake;
  if (of_batch.kind != BatchMistake::Kind::catalogue) of_batch = {};  // that one stays true
}

Batch& FactRows::batch(std::uint64_t catalogue) {
  if (catalogue != catalogue_hash) batch_.data().mistake.kind = BatchMistake::Kind::catalogue;
  return batch_;
}

void FactRows::refuse(std::string_view id, std::string title, std::string help) {
  if (checks_->said.size() == most_mistakes || !checks_->said.emplace(id, title).second) return;
  checks_->mistakes.push_back(load_error(id, std::move(title), std::move(help)));
}

/// A row of no table is what a refused one is: it is told where nothing was refused before.
void FactRows::refuse_no_row(std::string what) {
  if (mistakes().empty())
    refuse(error_id::impossible_fact, std::move(what), "Ask for the row by its table or its key.");
}

TableId FactRows::find_known(std::string_view name) {
  const TableId id = find_table(name);
  if (id.valid()) return id;
  std::vector<std::string_view> names;
  for (const TableInfo& known : catalogue_tables) names.push_back(known.name);
  refuse(error_id::unknown_name, "unknown table " + in_quotes(name), did_you_mean(name, names));
  return {};
}

Row FactRows::add(std::string_view name) {
  const TableId id = find_known(name);
  if (!id.valid()) return {};
  if (!info(id).traits.entity) return batch_.add(id);
  refuse(error_id::impossible_fact, "rows of " + in_quotes(name) + " are found by their key, not added",
         "Ask for the row by its id.");
  return {};
}

void FactRows::declare(std::string_view name) {
  const TableId id = find_known(name);
  if (id.valid()) batch_.declare(id);
}

std::optional<ColumnId> FactRows::find(Row row, std::string_view name) {
  if (!row.table.valid()) {
    refuse_no_row(in_quotes(name) + " was set in a row of no table");
    return {};
  }
  if (row.index >= batch_.rows(row.table)) {
    refuse(error_id::impossible_fact, "a row of " + in_quotes(info(row.table).name) + " is not one of these rows");
    return {};
  }
  return find_in(row.table, name);
}

std::optional<ColumnId> FactRows::find_in(TableId table, std::string_view name) {
  const ColumnRange range = checks_->columns[table.index];
  const auto columns = catalogue_columns.subspan(range.first, range.count);
  for (std::uint16_t i = 0; i < range.count; ++i)
    if (columns[i].name == name) return ColumnId{static_cast<std::uint16_t>(range.first + i)};
  std::vector<std::string_view> names;
  for (const ColumnInfo& known : columns)
    if (!known.traits.transient) names.push_back(known.name);
  refuse(error_id::unknown_column,
         "unknown column " + in_quotes(std::string(info(table).name) + "." + std::string(name)),
         did_you_mean(name, names));
  return {};
}

std::optional<ColumnId> FactRows::find(Row row, std::string_view name, std::string_view given,
                                       std::initializer_list<ColumnType> types) {
  const auto id = find(row, name);
  if (!id || std::find(types.begin(), types.end(), info(*id).type) != types.end()) return id;
  refuse(error_id::wrong_test_value, full_name(*id) + " holds " + std::string(type_name(info(*id).type)) + ", and " +
                                         std::string(given) + " was given");
  return {};
}

void FactRows::set(Row row, std::string_view name, std::int64_t value) {
  using enum ColumnType;
  const auto id = find(row, name, "a whole number", {integer, small_integer, real});
  if (!id) return;
  const bool fits =
      info(*id).type != small_integer || (value > absent_small && value <= std::numeric_limits<std::int32_t>::max());
  if (!fits)
    refuse(error_id::wrong_test_value, full_name(*id) + " holds whole numbers of 32 bits, and a larger one was given");
  else if (is_duration(*id) && value < 0 && value != absent_integer)
    refuse(error_id::wrong_test_value, full_name(*id) + " is a duration, and a negative one was given");
  else batch_.set(row, *id, value);
}

void FactRows::set(Row row, std::string_view name, double value) {
  if (const auto id = find(row, name, "a number with a fraction", {ColumnType::real})) batch_.set(row, *id, value);
}

void FactRows::set(Row row, std::string_view name, bool value) {
  if (const auto id = find(row, name, "true or false", {ColumnType::boolean})) batch_.set(row, *id, value);
}

/// Whether a text is one that a column of words takes.
bool FactRows::is_word(ColumnId column, std::string_view value) {
  const std::span<const std::string_view> words = info(column).traits.words;
  if (words.empty() || std::find(words.begin(), words.end(), value) != words.end()) return true;
  refuse(error_id::wrong_test_value, in_quotes(value) + " is no value of " + full_name(column),
         did_you_mean(value, {words.begin(), words.end()}));
  return false;
}

void FactRows::set(Row row, std::string_view name, std::string_view value) {
  const auto id = find(row, name, "a text", {ColumnType::string});
  if (id && value.data() == nullptr && !value.empty())
    return refuse(error_id::wrong_test_value, full_name(*id) + " was given a text that is NULL, and its size is not 0");
  if (id && is_word(*id, value)) batch_.set(row, *id, value);
}

/// Whether a column may refer to a row.
bool FactRows::is_target(ColumnId column, Row value) {
  if (!value.table.valid()) refuse_no_row(full_name(column) + " was given a row of no table");
  else if (info(column).target != info(value.table).name)
    refuse(error_id::impossible_fact, full_name(column) + " refers to " + std::string(info(column).target) +
                                          ", and a row of " + std::string(info(value.table).name) + " was given");
  else if (value.index >= batch_.rows(value.table))
    refuse(error_id::impossible_fact, full_name(column) + " was given a row that is not one of these rows");
  else return true;
  return false;
}

void FactRows::set(Row row, std::string_view name, Row value) {
  const auto id = find(row, name, "a row", {ColumnType::reference});
  if (id && is_target(*id, value)) batch_.set(row, *id, value);
}

// --- Rows by key ----------------------------------------------------------------------------------------------------

/// Whether a row may own others; a row of no table stands for no owner.
bool FactRows::is_owner(ColumnId column, Row value) { return value.index == absent_index || is_target(column, value); }

Row FactRows::device(std::int64_t id, Row rank) {
  return is_owner(column("devices.rank"), rank) ? batch_.device(id, rank) : Row{};
}

Row FactRows::stream(Row device, std::int64_t id) {
  return is_target(column("streams.device"), device) ? batch_.stream(device, id) : Row{};
}

Row FactRows::thread(std::int64_t process, std::int64_t id, Row rank) {
  return is_owner(column("threads.rank"), rank) ? batch_.thread(process, id, rank) : Row{};
}

Row FactRows::frame(std::string_view file, std::int64_t line, std::string_view function, std::string_view how,
                    Row parent) {
  const bool fits = is_owner(column("frames.parent"), parent) && (how.empty() || is_word(column("frames.how"), how));
  return fits ? batch_.frame(file, line, function, how, parent) : Row{};
}

// --- The facts of a run ---------------------------------------------------------------------------------------------

struct FactsBuilder::State {
  std::string name;
  RunInfo info;
  Batch batch;
  FactRows rows{batch};

  /// What is wrong with the rows, with the name of the input.
  Diagnostics mistakes() const;
  Result<Facts> build(Batch filled, const LoadOptions& options) const;
};

FactsBuilder::FactsBuilder(std::string name, RunInfo info) {
  const BudgetShare::Scope outside(nullptr);  // what a host builds in its callbacks is its own
  state_ = std::make_unique<State>();
  state_->name = std::move(name);
  state_->info = std::move(info);
  if (state_->info.clock == ClockDomain::none) state_->info.clock = ClockDomain::device;
}
FactsBuilder::FactsBuilder(FactsBuilder&&) noexcept = default;
FactsBuilder::~FactsBuilder() = default;

FactRows& FactsBuilder::rows() { return state_->rows; }

Diagnostics FactsBuilder::State::mistakes() const {
  Diagnostics found = rows.mistakes();
  if (const std::string wrong = mistake_of(batch); !wrong.empty())
    found.push_back(load_error(error_id::impossible_fact, wrong));
  bool any = false;
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) any = any || batch.rows(TableId{t}) > 0;
  if (!any && found.empty())
    found.push_back(load_error(refusal_id::no_records, "there are no rows", "Add rows before building facts of them."));
  const auto source = std::make_shared<const Source>(Source{name, {}});
  for (Diagnostic& mistake : found) mistake.labels.push_back({{source, 0, 0}, {}});
  return found;
}

Result<Facts> FactsBuilder::State::build(Batch filled, const LoadOptions& options) const {
  constexpr std::string_view adapter = "host";
  ReadInputs inputs;
  inputs.entries.push_back({.path = name,
                            .adapter = std::string(adapter),
                            .producer = info.producer,
                            .role = RunRole::subject,
                            .events = 0,
                            .notes = {}});
  Fragment fragment;
  fragment.info = info;
  fragment.adapter = adapter;
  fragment.input = name;
  fragment.batches.emplace_back(0, std::move(filled));
  inputs.fragments.push_back({std::move(fragment), 0});
  return build_loaded(std::move(inputs), options);
}

Result<Facts> FactsBuilder::build(const LoadOptions& options) && {
  if (Diagnostics mistakes = state_->mistakes(); !mistakes.empty()) return mistakes;
  return state_->build(std::exchange(state_->batch, Batch()), options);  // built again it has no rows
}

Result<Facts> FactsBuilder::snapshot(const LoadOptions& options) {
  if (Diagnostics mistakes = state_->mistakes(); !mistakes.empty()) {
    state_->rows.forget_mistakes();
    return mistakes;
  }
  const BudgetShare::Scope outside(nullptr);
  return state_->build(copy_of(state_->batch), options);
}

std::size_t FactsBuilder::drop_before(std::int64_t time) { return drop_rows_before(state_->batch, time); }

}  // namespace kdiag
