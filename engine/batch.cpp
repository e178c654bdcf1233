// SPDX-License-Identifier: Apache-2.0
#include <cassert>
#include <limits>

#include "engine/batch_data.hpp"

namespace kdiag {
namespace {

Row entity(Batch::Data& data, const EntityKey& key) {
  const TableId id{key.table};
  auto [found, added] = data.entities.try_emplace(key, data.rows[key.table]);
  if (added) {
    ++data.rows[key.table];
    data.declared[key.table] = true;
    data.entity_keys[key.table].push_back(key);
  }
  return {id, found->second};
}

template <class T>
void store(ColumnData& column, std::uint32_t row, T value, T absent) {
  auto* values = std::get_if<std::vector<T>>(&column);
  if (values == nullptr) values = &column.emplace<std::vector<T>>();
  if (values->size() <= row) {
    if (values->capacity() <= row) values->reserve(row < 64 ? 64 : std::size_t{row} * 2);
    values->resize(row + 1, absent);
  }
  (*values)[row] = value;
}

}  // namespace

Batch::Batch() : data_(std::make_unique<Data>()) {}
Batch::Batch(Batch&&) noexcept = default;
Batch& Batch::operator=(Batch&&) noexcept = default;
Batch::~Batch() = default;

Text Batch::text(std::string_view value) { return {data_->strings.intern(value)}; }

Row Batch::add(TableId table) {
  assert(!info(table).entity && "entities are found by key");
  data_->declared[table.index] = true;
  return {table, data_->rows[table.index]++};
}

Row Batch::run() { return entity(*data_, {.table = table("runs").index}); }
Row Batch::rank(std::int64_t id) {
  const Row row = entity(*data_, {.table = table("ranks").index, .first = id});
  set(row, column("ranks.id"), id);
  return row;
}
Row Batch::device(std::int64_t id, Row rank) {
  const Row row = entity(*data_, {.table = table("devices").index, .owner = rank.index, .first = id});
  set(row, column("devices.id"), id);
  if (rank.index != absent_index) set(row, column("devices.rank"), rank);
  return row;
}
Row Batch::stream(Row device, std::int64_t id) {
  const Row row = entity(*data_, {.table = table("streams").index, .owner = device.index, .first = id});
  set(row, column("streams.id"), id);
  set(row, column("streams.device"), device);
  return row;
}
Row Batch::thread(std::int64_t process, std::int64_t id, Row rank) {
  const Row row =
      entity(*data_, {.table = table("threads").index, .owner = rank.index, .first = process, .second = id});
  set(row, column("threads.process"), process);
  set(row, column("threads.id"), id);
  if (rank.index != absent_index) set(row, column("threads.rank"), rank);
  return row;
}
Row Batch::frame(std::string_view file, std::int64_t line, std::string_view function, std::string_view how,
                 Row parent) {
  if (line < 0 || line > std::numeric_limits<std::int32_t>::max()) line = 0;
  const Text file_text = text(file);
  const Text function_text = text(function);
  const Text how_text = text(how);
  const EntityKey key{
      .table = table("frames").index,
      .owner = parent.index,
      .first = static_cast<std::int64_t>((std::uint64_t{file_text.index} << 32U) | function_text.index),
      .second = line * 256 + (how.empty() ? 0 : how.front())};  // no text id: those differ between batches
  const Row row = entity(*data_, key);
  if (!file.empty()) set(row, column("frames.file"), file_text);
  if (line > 0) set(row, column("frames.line"), line);
  if (!function.empty()) set(row, column("frames.function"), function_text);
  if (!how.empty()) set(row, column("frames.how"), how_text);
  if (parent.index != absent_index) set(row, column("frames.parent"), parent);
  return row;
}

void Batch::set(Row row, ColumnId column, std::int64_t value) {
  const ColumnInfo& about = info(column);
  if (about.type == ColumnType::small_integer) {
    if (value <= absent_small || value > std::numeric_limits<std::int32_t>::max())
      return;  // out of range: absent, not wrapped
    store(data_->columns[column.index], row.index, static_cast<std::int32_t>(value), absent_small);
  } else if (about.type == ColumnType::real) {
    store(data_->columns[column.index], row.index, static_cast<double>(value), absent_real);
  } else {
    assert(about.type == ColumnType::integer);
    store(data_->columns[column.index], row.index, value, absent_integer);
  }
}
void Batch::set(Row row, ColumnId column, double value) {
  assert(info(column).type == ColumnType::real);
  store(data_->columns[column.index], row.index, value, absent_real);
}
void Batch::set(Row row, ColumnId column, bool value) {
  assert(info(column).type == ColumnType::boolean);
  store(data_->columns[column.index], row.index, std::uint32_t{value}, absent_index);
}
void Batch::set(Row row, ColumnId column, Text value) {
  assert(info(column).type == ColumnType::string);
  store(data_->columns[column.index], row.index, value.index, absent_index);
}
void Batch::set(Row row, ColumnId column, Row value) {
  assert(info(column).type == ColumnType::reference &&
         (value.index == absent_index || info(column).target == info(value.table).name));
  store(data_->columns[column.index], row.index, value.index, absent_index);
}

void Batch::shift_times(std::int64_t ns) {
  for (std::size_t c = 0; c < data_->columns.size(); ++c) {
    if (!is_instant(catalogue_columns[c])) continue;
    auto* times = std::get_if<std::vector<std::int64_t>>(&data_->columns[c]);
    if (times == nullptr) continue;
    for (std::int64_t& time : *times)
      if (time != absent_integer && __builtin_add_overflow(time, ns, &time)) time = absent_integer;
  }
}

void Batch::declare(TableId table) { data_->declared[table.index] = true; }
std::size_t Batch::rows(TableId table) const { return data_->rows[table.index]; }

}  // namespace kdiag
