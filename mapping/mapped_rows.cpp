// SPDX-License-Identifier: Apache-2.0
#include "mapping/mapped_rows.hpp"

#include <algorithm>
#include <variant>

#include <kdiag/note_ids.hpp>

#include "adapters/names/api_names.hpp"
#include "adapters/rows/kernel_rows.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::mapping {
namespace {

ColumnId column_of(Row row, std::string_view name) { return find_column(info(row.table).name, name); }

void set_value(Batch& batch, Row row, ColumnId column, const CellValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) batch.set(row, column, std::string_view(*text));
  else if (const auto* real = std::get_if<double>(&value)) batch.set(row, column, *real);
  else if (const auto* flag = std::get_if<bool>(&value)) batch.set(row, column, *flag);
  else batch.set(row, column, std::get<std::int64_t>(value));
}

}  // namespace

MappedRowWriter::MappedRowWriter(const LoadedMap& map, adapters::BadRecords& bad) : map_(map), bad_(bad) {
  for (const MappedRows& rows : map.rows)
    refers_to_steps_ = refers_to_steps_ || rows.table == table("steps") || rows.find("step") != nullptr;
  begin_batch();
}

void MappedRowWriter::begin_batch() {
  for (const MappedRows& rows : map_.rows) batch_.declare(rows.table);
}

Batch MappedRowWriter::take() {
  Batch out = std::exchange(batch_, Batch());
  rows_ = 0;
  begin_batch();
  return out;
}

void MappedRowWriter::add(const RowValues& values, std::uint64_t line) {
  if (values.rows().table == table("samples")) return add_samples(values);
  std::optional<std::int64_t> start = values.integer("start");
  std::optional<std::int64_t> dur = values.integer("dur");
  if (const auto end = values.integer("end")) {
    if (start) dur = *end - *start;
    else if (dur) start = *end - *dur;
  }
  if (dur && *dur < 0) return bad_.add(note_id::negative_duration, {}, line);
  const Row row = row_for(values);
  if (row.index == absent_index)
    return bad_.add(note_id::malformed_value, "no id for " + std::string(info(values.rows().table).name), line);
  ++rows_;
  set_columns(values, row);
  if (start) batch_.set(row, column_of(row, "start"), *start);
  if (dur) batch_.set(row, column_of(row, "dur"), *dur);
  set_what_names_say(values, row);
}

void MappedRowWriter::add_samples(const RowValues& values) {
  const auto time = values.integer("time");
  if (!time) return;  // missing: a sample of no instant
  const Row on = device(values, "device");
  for (std::size_t i = 0; i < values.rows().series.size(); ++i) {
    const auto& value = values.series(i);
    if (!value) continue;
    const SeriesInfo& series = *find_series(values.rows().series[i].name);
    const Row row = batch_.add(table("samples"));
    ++rows_;
    batch_.set(row, column("samples.series"), series.name);
    batch_.set(row, column("samples.time"), *time);
    batch_.set(row, column("samples.value"), std::get<double>(*value));
    batch_.set(row, column("samples.unit"), base_unit(series.unit));
    if (on.index != absent_index) batch_.set(row, column("samples.device"), on);
  }
}

Row MappedRowWriter::row_for(const RowValues& values) {
  const TableId wanted = values.rows().table;
  if (wanted == table("steps")) return described_step(values);
  if (wanted == table("ranks")) return rank(values, "id");
  if (wanted == table("devices")) return device(values, "id");
  if (wanted == table("streams")) return stream(values, "id");
  if (wanted == table("threads")) return thread(values, "id");
  return batch_.add(wanted);
}

/// The step that others refer to by its index, unless a record before described one of that index.
Row MappedRowWriter::described_step(const RowValues& values) {
  if (!values.integer("index")) return batch_.add(table("steps"));
  StepRow& known = steps_[{values.integer("rank").value_or(-1), *values.integer("index")}];
  if (known.row.index == absent_index || known.described) known.row = batch_.add(table("steps"));
  known.described = true;
  return known.row;
}

void MappedRowWriter::set_columns(const RowValues& values, Row row) {
  for (std::size_t i = 0; i < values.rows().columns.size(); ++i) {
    const MappedColumn& about = values.rows().columns[i];
    const auto& value = values.column(i);
    const bool of_the_row = about.column.valid();  // not `end`, nor the id that it is found by
    if (!value || !of_the_row || (info(row.table).traits.entity && about.name == "id")) continue;
    if (info(about.column).type != ColumnType::reference) set_value(batch_, row, about.column, *value);
    else if (const Row target = reference(values, about.name); target.index != absent_index)
      batch_.set(row, about.column, target);
  }
}

/// What readers of other formats take from names, unless the mapping states it.
void MappedRowWriter::set_what_names_say(const RowValues& values, Row row) {
  const std::string_view name = values.text("name");
  if (name.empty()) return;
  const bool classed = values.rows().find("class") != nullptr;
  if (row.table == table("kernels") && !classed) adapters::name_kernel(batch_, row, name, classes_);
  if (row.table == table("kernel_stats") && !classed) batch_.set(row, column("kernel_stats.class"), classes_(name));
  if (row.table == table("api")) {
    const std::string_view base = adapters::base_call_name(name);
    batch_.set(row, column("api.name"), base);
    if (values.rows().find("is_launch") == nullptr)
      batch_.set(row, column("api.is_launch"), adapters::is_launch_call(base));
    if (values.rows().find("is_sync") == nullptr)
      batch_.set(row, column("api.is_sync"), adapters::is_blocking_call(base));
  }
}

// --- References -----------------------------------------------------------------------------------------------------

Row MappedRowWriter::reference(const RowValues& values, std::string_view key) {
  if (key == "rank") return rank(values, key);
  if (key == "device") return device(values, key);
  if (key == "stream") return stream(values, key);
  if (key == "thread") return thread(values, key);
  return step(values, key);
}

std::optional<std::int64_t> MappedRowWriter::id_of(const RowValues& values, std::string_view key,
                                                   std::string_view kind) {
  const std::string_view name = values.text(key);
  if (name.empty()) return values.integer(key);
  auto& numbers = numbers_[std::string(kind)];
  return numbers.try_emplace(std::string(name), static_cast<std::int64_t>(numbers.size())).first->second;
}

Row MappedRowWriter::rank(const RowValues& values, std::string_view key) {
  const auto id = values.integer(key);
  return id ? batch_.rank(*id) : Row{};
}

Row MappedRowWriter::device(const RowValues& values, std::string_view key) {
  const auto id = id_of(values, key, "device");
  if (!id) return {};
  const Row row = batch_.device(*id, rank(values, "rank"));
  if (const std::string_view name = values.text(key); !name.empty()) batch_.set(row, column("devices.uuid"), name);
  return row;
}

Row MappedRowWriter::stream(const RowValues& values, std::string_view key) {
  const auto id = id_of(values, key, "stream");
  if (!id) return {};
  const Row on = device(values, "device");
  const Row row = batch_.stream(on.index != absent_index ? on : batch_.device(0, rank(values, "rank")), *id);
  if (const std::string_view name = values.text(key); !name.empty()) batch_.set(row, column("streams.name"), name);
  return row;
}

Row MappedRowWriter::thread(const RowValues& values, std::string_view key) {
  const auto id = id_of(values, key, "thread");
  if (!id) return {};
  const Row row = batch_.thread(values.integer("process").value_or(0), *id, rank(values, "rank"));
  if (const std::string_view name = values.text(key); !name.empty()) batch_.set(row, column("threads.name"), name);
  return row;
}

Row MappedRowWriter::step(const RowValues& values, std::string_view key) {
  const auto index = values.integer(key);
  if (!index) return {};
  StepRow& known = steps_[{values.integer("rank").value_or(-1), *index}];
  if (known.row.index == absent_index) {
    known.row = batch_.add(table("steps"));
    batch_.set(known.row, column("steps.index"), *index);
  }
  return known.row;
}

}  // namespace kdiag::mapping
