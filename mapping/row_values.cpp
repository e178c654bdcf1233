// SPDX-License-Identifier: Apache-2.0
#include "mapping/row_values.hpp"

#include <algorithm>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/text/calendar_time.hpp"
#include "base/glob.hpp"

namespace kdiag::mapping {
namespace {

bool is_reference(const MappedColumn& about) {
  return !about.column.valid() ? about.name != "end" : info(about.column).type == ColumnType::reference;
}

/// "'dur_us' for kernels.dur"
std::string named(const LoadedMap& map, const MappedRows& rows, const MappedColumn& about) {
  const std::string cell =
      about.value.cell == MappedValue::no_cell ? about.value.constant : map.cells[about.value.cell];
  return "'" + cell + "' for " + std::string(info(rows.table).name) + "." + about.name + ":";
}

}  // namespace

MappedClock::MappedClock(const LoadedMap& map) : stated_(map.clock.has_value()), domain_(map.clock) {
  const auto timed = [](const MappedColumn& about) { return kind_of(about).instant; };
  const bool any = std::any_of(map.rows.begin(), map.rows.end(), [&](const MappedRows& rows) {
    return std::any_of(rows.columns.begin(), rows.columns.end(), timed);
  });
  if (!any) domain_ = ClockDomain::none;
}

std::optional<std::int64_t> MappedClock::read(std::string_view text) {
  const auto time = adapters::parse_calendar_time(text);
  if (!time) return {};
  if (!domain_) domain_ = time->zoned ? ClockDomain::unix_ns : ClockDomain::local_ns;
  const bool utc = domain_ == ClockDomain::unix_ns;
  if (time->zoned ? !utc : utc && !stated_) return {};
  return time->ns;
}

RowValues::RowValues(const LoadedMap& map, const MappedRows& rows, MappedClock& clock, adapters::BadRecords& bad)
    : map_(map), rows_(rows), clock_(clock), bad_(bad), columns_(rows.columns.size()), series_(rows.series.size()) {
  for (const MappedColumn& about : rows.columns) column_kinds_.push_back(kind_of(about));
  for (const MappedColumn& about : rows.series) series_kinds_.push_back(kind_of_series(*find_series(about.name)));
}

bool RowValues::applies(const Records& records) const {
  return std::all_of(rows_.where.begin(), rows_.where.end(), [&](const MappedCondition& condition) {
    return std::any_of(condition.texts.begin(), condition.texts.end(),
                       [&](const std::string& text) { return glob_matches(text, records.cell(condition.cell)); });
  });
}

bool RowValues::read(const Records& records) {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Read read = read_value(rows_.columns[i], column_kinds_[i], records);
    if (read.malformed) return false;
    columns_[i] = std::move(read.value);
  }
  for (std::size_t i = 0; i < series_.size(); ++i)  // each a row of its own
    series_[i] = read_value(rows_.series[i], series_kinds_[i], records).value;
  return says_anything();
}

RowValues::Read RowValues::read_value(const MappedColumn& about, const ValueKind& kind, const Records& records) {
  const MappedValue& value = about.value;
  const std::string_view written =
      value.cell == MappedValue::no_cell ? std::string_view(value.constant) : records.cell(value.cell);
  const auto word = std::find_if(value.words.begin(), value.words.end(),
                                 [written](const auto& pair) { return pair.first == written; });
  const std::string_view text = word == value.words.end() ? written : std::string_view(word->second);
  if (says_missing(text, value, kind, map_)) return {};
  Read out;
  if (value.form == CellForm::name) out.value = std::string(text);
  else if (value.form != CellForm::datetime) out.value = read_cell(text, value, kind, map_.decimal_comma);
  else if (const auto ns = clock_.read(text)) out.value = *ns;
  out.malformed = !out.value;
  if (out.malformed) bad_.add(note_id::malformed_value, named(map_, rows_, about), records.line(), written);
  if (const double* share = kind.unit == Unit::ratio && out.value ? std::get_if<double>(&*out.value) : nullptr;
      share != nullptr && !(*share >= 0 && *share <= 1)) {
    bad_.add(note_id::utilization_out_of_range, named(map_, rows_, about), records.line(), written);
    out.value.reset();
  }
  return out;
}

/// Constants, references and the instant alone say nothing: a record in which all else is missing gives no row. An
/// entry of constants alone speaks for every record.
bool RowValues::says_anything() const {
  bool reads = false;
  bool measures = false;
  bool timed = false;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const MappedColumn& about = rows_.columns[i];
    if (about.value.cell == MappedValue::no_cell) continue;
    reads = true;
    if (is_reference(about)) continue;
    const bool instant = column_kinds_[i].instant && about.name != "end";
    if (columns_[i] && !instant) return true;
    measures = measures || !instant;
    timed = timed || columns_[i].has_value();
  }
  if (!rows_.series.empty())
    return std::any_of(series_.begin(), series_.end(), [](const auto& value) { return value.has_value(); });
  return !reads || (!measures && timed);
}

const CellValue* RowValues::find(std::string_view name) const {
  for (std::size_t i = 0; i < columns_.size(); ++i)
    if (rows_.columns[i].name == name) return columns_[i] ? &*columns_[i] : nullptr;
  return nullptr;
}

std::optional<std::int64_t> RowValues::integer(std::string_view name) const {
  const CellValue* value = find(name);
  const auto* whole = value != nullptr ? std::get_if<std::int64_t>(value) : nullptr;
  return whole != nullptr ? std::optional(*whole) : std::nullopt;
}

std::string_view RowValues::text(std::string_view name) const {
  const CellValue* value = find(name);
  const auto* text = value != nullptr ? std::get_if<std::string>(value) : nullptr;
  return text != nullptr ? std::string_view(*text) : std::string_view{};
}

}  // namespace kdiag::mapping
