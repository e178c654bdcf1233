// SPDX-License-Identifier: Apache-2.0
#include "mapping/records.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "mapping/json_path.hpp"

namespace kdiag::mapping {
namespace {

constexpr std::size_t most_unused_keys = 1000;  // of JSON lines: more are not told apart (judgement)

std::string_view first_part(std::string_view path) { return path.substr(0, path.find('.')); }

}  // namespace

CellPlaces CellPlaces::named(const LoadedMap& map, std::span<const std::string_view> names) {
  CellPlaces out;
  out.columns_ = names.size();
  for (const std::string& cell : map.cells) {
    const auto found = std::find(names.begin(), names.end(), cell);
    out.places_.push_back(found == names.end() ? std::nullopt
                                               : std::optional(static_cast<std::size_t>(found - names.begin())));
  }
  return out;
}

CellPlaces CellPlaces::unnamed(const LoadedMap& map) {
  if (map.header == LoadedMap::Header::listed)
    return named(map, std::vector<std::string_view>(map.listed.begin(), map.listed.end()));
  CellPlaces out;
  for (const std::string& cell : map.cells) {
    std::size_t number = 0;
    std::from_chars(cell.data(), cell.data() + cell.size(), number);
    out.places_.emplace_back(number - 1);
    out.columns_ = std::max(out.columns_, number);
  }
  return out;
}

std::vector<std::size_t> CellPlaces::missing() const {
  std::vector<std::size_t> out;
  for (std::size_t cell = 0; cell < places_.size(); ++cell)
    if (!places_[cell]) out.push_back(cell);
  return out;
}

std::size_t CellPlaces::unused() const { return columns_ - (places_.size() - missing().size()); }

bool is_header(const LoadedMap& map, std::span<const std::string_view> fields) {
  const std::vector<std::string>& needed = map.needed.empty() ? map.cells : map.needed;
  return std::all_of(needed.begin(), needed.end(), [&](const std::string& name) {
    return std::find(fields.begin(), fields.end(), name) != fields.end();
  });
}

// --- CSV ------------------------------------------------------------------------------------------------------------

bool Records::next_csv() {
  if (!places_ && map_.header != LoadedMap::Header::line) places_ = CellPlaces::unnamed(map_);
  while (lines_.next()) {
    const std::span<const std::string_view> fields = lines_.fields();
    if (!places_) {
      if (is_header(map_, fields)) start_table(fields);
      continue;  // lines above the header are no records
    }
    if (!header_.empty() && std::equal(fields.begin(), fields.end(), header_.begin(), header_.end())) continue;
    if (!has_all_columns(fields) || lines_.note_cut()) continue;
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const auto place = (*places_)[cell];
      cells_[cell] = place && *place < fields.size() ? fields[*place] : std::string_view{};
    }
    return true;
  }
  return false;
}

void Records::start_table(std::span<const std::string_view> names) {
  header_.assign(names.begin(), names.end());
  places_ = CellPlaces::named(map_, names);
  for (const std::size_t cell : places_->missing()) sink_.note(note_id::mapped_column_missing, map_.cells[cell]);
  if (const std::size_t unused = places_->unused(); unused > 0) sink_.note(note_id::unmapped_column, {}, unused);
}

/// A record has as many fields as there are columns: with others, which cell is which cannot be told. Separators at the
/// end of a line do no harm. Where columns are numbered, their number is not known.
bool Records::has_all_columns(std::span<const std::string_view> fields) {
  while (fields.size() > places_->columns() && fields.back().empty()) fields = fields.first(fields.size() - 1);
  const bool more_is_right = map_.header == LoadedMap::Header::numbers;
  if (fields.size() == places_->columns() || (more_is_right && fields.size() > places_->columns())) return true;
  if (!lines_.note_cut(true)) bad_.add(note_id::malformed_value, "number of columns", lines_.line());
  return false;
}

// --- JSON lines -----------------------------------------------------------------------------------------------------

bool Records::next_json() {
  while (lines_.next()) {
    auto record = adapters::parse_json(lines_.record());
    if (!record || record->kind != adapters::JsonValue::Kind::object) {
      if (!lines_.note_cut(true)) bad_.add(note_id::unreadable_record, "no JSON object", lines_.line());
      continue;
    }
    record_ = std::move(*record);
    for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
      const adapters::JsonValue* value = find_path(record_, map_.cells[cell]);
      cells_[cell] = value != nullptr ? scalar_text(*value) : std::string_view{};
    }
    remember_keys(record_);
    return true;
  }
  return false;
}

void Records::remember_keys(const adapters::JsonValue& record) {
  for (const adapters::JsonMember& member : record.members) {
    const bool used = std::any_of(map_.cells.begin(), map_.cells.end(), [&](const std::string& path) {
      return path == member.key || first_part(path) == member.key;
    });
    if (!used && unused_keys_.size() < most_unused_keys) unused_keys_.insert(member.key);
  }
}

Status Records::finish() {
  if (!unused_keys_.empty()) sink_.note(note_id::unmapped_column, {}, unused_keys_.size());
  return lines_.status();
}

}  // namespace kdiag::mapping
