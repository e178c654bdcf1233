// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <type_traits>
#include <variant>

#include "engine/facts/batch_data.hpp"

namespace kdiag {
namespace {

using Wrong = BatchMistake::Kind;

/// As store, where the column has not come to the row, or has no room.
template <class T>
[[gnu::noinline]] void extend(ColumnData& column, std::uint32_t row, T value, T absent) {
  auto* values = std::get_if<std::vector<T>>(&column);
  if (values == nullptr) values = &column.emplace<std::vector<T>>();
  if (values->capacity() <= row) values->reserve(row < 64 ? 64 : std::size_t{row} * 2);
  if (row > values->size()) values->resize(row, absent);
  values->push_back(value);
}

template <class T>
void store(ColumnData& column, std::uint32_t row, T value, T absent) {
  auto* values = std::get_if<std::vector<T>>(&column);
  if (values != nullptr && row < values->size()) (*values)[row] = value;
  else if (values != nullptr && row == values->size() && row < values->capacity()) values->push_back(value);
  else extend(column, row, value, absent);
}

std::size_t bytes_of(const ColumnData& column) {
  return std::visit(
      [](const auto& values) -> std::size_t {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) return 0;
        else return values.size() * sizeof(values[0]);
      },
      column);
}

constexpr std::size_t bytes_of_entity = sizeof(EntityKey) + sizeof(EntityIndex::value_type) + 32;  // its key, its node
// Rows, texts and 64ths of their bytes between two looks at the size of a batch: of about 250 KB (judgement).
constexpr std::uint32_t growth_between_counts = 4096;

void grow(Batch::Data& data, std::size_t by) {
  if (!data.held.limited() || (data.growth += static_cast<std::uint32_t>(by)) < growth_between_counts) return;
  data.growth = 0;
  data.count();
}

/// Whether who fills it means other tables and columns by its ids.
bool is_foreign(const Batch::Data& data) { return data.mistake.kind == Wrong::catalogue; }

struct Entity {
  Row row;
  bool added = false;  ///< its key columns are not set yet
};

Entity entity(Batch::Data& data, const EntityKey& key) {
  const TableId id{key.table};
  if (is_foreign(data)) return {};
  auto [found, added] = data.entities.try_emplace(key, data.rows[key.table]);
  if (added) {
    grow(data, 1);
    ++data.rows[key.table];
    data.declared[key.table] = true;
    data.entity_keys[key.table].push_back(key);
  }
  return {{id, found->second}, added};
}

void refuse(Batch::Data& data, const BatchMistake& mistake) {
  if (data.mistake.kind == Wrong::none) data.mistake = mistake;
}

std::uint32_t count_of(const Batch::Data& data, TableId table) {
  return table.index < data.rows.size() ? data.rows[table.index] : 0;
}

constexpr unsigned bit(ColumnType type) { return 1U << static_cast<unsigned>(type); }

/// Whether a row is there and a column is one of its table.
bool is_cell(const Batch::Data& data, Row row, ColumnId column) {
  if (row.index >= count_of(data, row.table)) return false;
  const ColumnRange range = columns_of(row.table);
  return static_cast<std::uint16_t>(column.index - range.first) < range.count;
}

/// Keeps what is wrong with a cell that takes() refuses. Apart, so that what is right is checked in line.
[[gnu::noinline, gnu::cold]] void refuse_cell(Batch::Data& data, Row row, ColumnId column) {
  if (is_cell(data, row, column)) return refuse(data, {.kind = Wrong::type, .row = row, .column = column});
  BatchMistake mistake{.kind = Wrong::row, .row = row, .column = column, .count = count_of(data, row.table)};
  if (!column.valid()) mistake.kind = Wrong::column;
  else if (!row.table.valid() || info(column).table != info(row.table).name) mistake.kind = Wrong::other_table;
  refuse(data, mistake);
}

/// Whether a column may be set in a row to values of some types, of which `types` has the bits. What may not is kept as
/// a mistake.
bool takes(Batch::Data& data, Row row, ColumnId column, unsigned types) {
  if (is_cell(data, row, column) && (bit(info(column).type) & types) != 0) [[likely]]
    return true;
  refuse_cell(data, row, column);
  return false;
}

/// Whether a row may own one of another table; without an index it stands for none.
bool owns(Batch::Data& data, Row owner, TableId owners, TableId owned, bool needed) {
  if (owner.index == absent_index && !needed) return true;
  if (owner.table == owners && owner.index < count_of(data, owners)) return true;
  refuse(data, {.kind = Wrong::owner, .row = {owned}, .value = owner});
  return false;
}

/// Apart, so that asking for what is there is inlined.
[[gnu::noinline]] void make(std::unique_ptr<Batch::Data>& data) { data = std::make_unique<Batch::Data>(); }

}  // namespace

Batch copy_of(const Batch& batch) {
  Batch copy;
  const Batch::Data& from = batch.data();
  Batch::Data& to = copy.data();
  to.strings.intern_all(from.strings);
  to.columns = from.columns;
  to.rows = from.rows;
  to.declared = from.declared;
  to.entities = from.entities;
  to.entity_keys = from.entity_keys;
  to.mistake = from.mistake;
  return copy;
}

void Batch::Data::count() {
  if (!held.limited()) return;
  const std::int64_t all_rows = std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
  std::size_t bytes = strings.bytes() + strings.size() * StringPool::bytes_of_text;
  for (const ColumnData& column : columns) bytes += bytes_of(column);
  bytes += entities.size() * bytes_of_entity;
  held.count(all_rows, static_cast<std::int64_t>(bytes));
}

Batch::Batch(std::uint64_t catalogue) : data_(std::make_unique<Data>()) {
  if (catalogue != catalogue_hash) data_->mistake.kind = Wrong::catalogue;
}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

Batch::Data& Batch::data() {
  if (!data_) [[unlikely]]
    make(data_);
  return *data_;
}
const Batch::Data& Batch::data() const {
  static const Data none{.held = BudgetCharge(nullptr)};  // of no reading, whichever asks first
  return data_ ? *data_ : none;
}

Text Batch::text(std::string_view value) {
  grow(data(), 1 + value.size() / 64);
  return {data_->strings.intern(value)};
}

Row Batch::add(TableId table) {
  Data& filled = data();
  if (is_foreign(filled)) return {};
  if (!table.valid() || info(table).traits.entity) {
    const bool known = table.valid();
    refuse(filled, {.kind = known ? Wrong::entity : Wrong::table, .row = {table}});
    return {};
  }
  grow(filled, 1);
  filled.declared[table.index] = true;
  return {table, filled.rows[table.index]++};
}

Row Batch::run() { return entity(data(), {.table = table("runs").index}).row; }
Row Batch::rank(std::int64_t id) {
  const auto [row, added] = entity(data(), {.table = table("ranks").index, .first = id});
  if (added) set(row, column("ranks.id"), id);
  return row;
}
Row Batch::device(std::int64_t id, Row rank) {
  if (!owns(data(), rank, table("ranks"), table("devices"), false)) return {};
  const auto [row, added] = entity(*data_, {.table = table("devices").index, .owner = rank.index, .first = id});
  if (!added) return row;
  set(row, column("devices.id"), id);
  if (rank.index != absent_index) set(row, column("devices.rank"), rank);
  return row;
}
Row Batch::stream(Row device, std::int64_t id) {
  if (!owns(data(), device, table("devices"), table("streams"), true)) return {};
  const auto [row, added] = entity(*data_, {.table = table("streams").index, .owner = device.index, .first = id});
  if (!added) return row;
  set(row, column("streams.id"), id);
  set(row, column("streams.device"), device);
  return row;
}
Row Batch::thread(std::int64_t process, std::int64_t id, Row rank) {
  if (!owns(data(), rank, table("ranks"), table("threads"), false)) return {};
  const auto [row, added] =
      entity(*data_, {.table = table("threads").index, .owner = rank.index, .first = process, .second = id});
  if (!added) return row;
  set(row, column("threads.process"), process);
  set(row, column("threads.id"), id);
  if (rank.index != absent_index) set(row, column("threads.rank"), rank);
  return row;
}
Row Batch::frame(std::string_view file, std::int64_t line, std::string_view function, std::string_view how,
                 Row parent) {
  if (!owns(data(), parent, table("frames"), table("frames"), false)) return {};
  if (line < 0 || line > std::numeric_limits<std::int32_t>::max()) line = 0;
  const Text file_text = text(file);
  const Text function_text = text(function);
  const Text how_text = text(how);
  const EntityKey key{
      .table = table("frames").index,
      .owner = parent.index,
      .first = static_cast<std::int64_t>((std::uint64_t{file_text.index} << 32U) | function_text.index),
      .second = line * 256 + (how.empty() ? 0 : how.front())};  // no text id: those differ between batches
  const Row row = entity(*data_, key).row;
  if (!file.empty()) set(row, column("frames.file"), file_text);
  if (line > 0) set(row, column("frames.line"), line);
  if (!function.empty()) set(row, column("frames.function"), function_text);
  if (!how.empty()) set(row, column("frames.how"), how_text);
  if (parent.index != absent_index) set(row, column("frames.parent"), parent);
  return row;
}

void Batch::set(Row row, ColumnId column, std::int64_t value) {
  using enum ColumnType;
  if (!takes(data(), row, column, bit(integer) | bit(small_integer) | bit(real))) return;
  ColumnData& values = data_->columns[column.index];
  const ColumnType type = info(column).type;
  if (type == integer) store(values, row.index, value, absent_integer);
  else if (type == real) store(values, row.index, static_cast<double>(value), absent_real);
  else if (value > absent_small && value <= std::numeric_limits<std::int32_t>::max())  // else absent, not wrapped
    store(values, row.index, static_cast<std::int32_t>(value), absent_small);
}
void Batch::set(Row row, ColumnId column, double value) {
  if (takes(data(), row, column, bit(ColumnType::real)))
    store(data_->columns[column.index], row.index, std::isfinite(value) ? value : absent_real, absent_real);
}
void Batch::set(Row row, ColumnId column, bool value) {
  if (takes(data(), row, column, bit(ColumnType::boolean)))
    store(data_->columns[column.index], row.index, std::uint32_t{value}, absent_index);
}
void Batch::set(Row row, ColumnId column, Text value) {
  if (!takes(data(), row, column, bit(ColumnType::string))) return;
  const std::uint32_t texts = data_->strings.size();
  if (value.index < texts || value.index == absent_index)
    store(data_->columns[column.index], row.index, value.index, absent_index);
  else refuse(*data_, {.kind = Wrong::text, .row = row, .column = column, .count = texts});
}
void Batch::set(Row row, ColumnId column, Row value) {
  if (!takes(data(), row, column, bit(ColumnType::reference))) return;
  const std::uint32_t rows_there = count_of(*data_, value.table);
  if (value.index == absent_index) store(data_->columns[column.index], row.index, absent_index, absent_index);
  else if (!value.table.valid() || info(value.table).name != info(column).target)
    refuse(*data_, {.kind = Wrong::target, .row = row, .column = column, .value = value});
  else if (value.index >= rows_there)
    refuse(*data_, {.kind = Wrong::target_row, .row = row, .column = column, .value = value, .count = rows_there});
  else store(data_->columns[column.index], row.index, value.index, absent_index);
}

void Batch::shift_times(std::int64_t ns) {
  std::vector<ColumnData>& columns = data().columns;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (!is_instant(catalogue_columns[c])) continue;
    auto* times = std::get_if<std::vector<std::int64_t>>(&columns[c]);
    if (times == nullptr) continue;
    for (std::int64_t& time : *times)
      if (time != absent_integer && __builtin_add_overflow(time, ns, &time)) time = absent_integer;
  }
}

void Batch::declare(TableId table) {
  if (table.valid() && !is_foreign(data())) data().declared[table.index] = true;
  else refuse(data(), {.kind = Wrong::table, .row = {table}});
}
std::size_t Batch::rows(TableId table) const { return count_of(data(), table); }

}  // namespace kdiag
