// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvidia_smi/query_rows.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/text/calendar_time.hpp"
#include "adapters/text/units.hpp"
#include "base/ascii.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

// More rows of one instant are no GPUs of a machine, but samples in one second of a clock; judgement.
constexpr std::int64_t most_unnamed = 32;

/// "03-11-2026 15:13:16": the day or the month first, divided by the same mark.
struct OwnDate {
  std::string_view first, second;  ///< of two digits each
  std::string_view year, rest;
};
std::optional<OwnDate> own_date(std::string_view text) {
  constexpr std::size_t length = 10;
  constexpr std::string_view marks = "-/.";
  if (text.size() <= length || marks.find(text[2]) == std::string_view::npos || text[5] != text[2]) return std::nullopt;
  const OwnDate date{text.substr(0, 2), text.substr(3, 2), text.substr(6, 4), text.substr(length)};
  for (const std::string_view part : {date.first, date.second, date.year})
    if (part.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
  return date;
}

/// A date, or seconds since 1970 as scripts write them, with a fraction or in ms.
std::optional<CalendarTime> parse_time(std::string_view text) {
  if (const auto date = parse_calendar_time(text)) return date;
  constexpr std::int64_t earliest = 1'000'000'000, second = 1'000'000'000;  // 2001, before there were CUDA devices
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits != 10 && digits != 13) return std::nullopt;
  const auto ns = to_ns(Token{text}, digits == 10 ? second : second / 1000);
  if (!ns || *ns < earliest * second) return std::nullopt;
  CalendarTime out;
  out.ns = *ns;
  out.zoned = true;
  return out;
}

std::optional<CalendarTime> time_since_start(std::string_view text, std::int64_t unit) {
  const auto ns = to_ns(Token{text}, unit);
  if (!ns || *ns < 0) return std::nullopt;
  CalendarTime out;
  out.ns = *ns;
  return out;
}

/// Whether a value shows that a utilization is in percent: it says so, or is more than a fraction is where it was
/// measured badly.
bool is_in_percent(std::string_view cell) {
  constexpr double most_of_fraction = 2;  // judgement
  const bool stated = cell.ends_with('%');
  const auto value = to_real(Token{trim(cell.substr(0, cell.size() - (stated ? 1 : 0)))});
  return value && (stated || *value > most_of_fraction);
}

}  // namespace

bool any_first_line(std::string_view text, const std::function<bool(std::span<const std::string_view>)>& test,
                    char separator, std::size_t lines) {
  for (std::size_t line = 0; line < lines && !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (test(header_fields(text.substr(0, end), separator))) return true;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return false;
}

bool shows_percent(std::string_view text, char separator) {
  std::optional<QueryHeader> header;
  const auto is_first = [&header](std::span<const std::string_view> fields) {
    header = QueryHeader::parse(fields, true);
    return header.has_value();
  };
  if (!any_first_line(text, is_first, separator) || !header->bare_utilization()) return false;
  return any_first_line(
      text,
      [&header](std::span<const std::string_view> fields) {
        return fields.size() == header->columns().size() && is_in_percent(fields[*header->bare_utilization()]);
      },
      separator, std::string_view::npos);
}

std::optional<char> query_separator(std::string_view text) {
  for (const char separator : {',', ';', '\t'}) {
    const bool in_percent = shows_percent(text, separator);
    const auto is_header = [in_percent](std::span<const std::string_view> fields) {
      const auto header = QueryHeader::parse(fields, in_percent);
      return header && !header->of_command();
    };
    if (any_first_line(text, is_header, separator)) return separator;
  }
  return std::nullopt;
}

bool has_rows_below_command(std::string_view text) {
  std::size_t asked = 0;  // properties, by the command on the line above
  return any_first_line(text, [&asked](std::span<const std::string_view> fields) {
    if (asked > 0 && fields.size() == asked) return true;
    const auto header = QueryHeader::parse(fields);
    if (header && header->of_command()) asked = header->columns().size();
    else if (!fields.empty() && !fields.front().empty() && !fields.front().starts_with("```")) asked = 0;
    return false;
  });
}

namespace {

/// Whether a column of numbers can say which GPU a row is of: "gpu", "card", "dev_index", "id"; not "sample".
bool may_name_gpus(std::string_view name) {
  constexpr std::string_view parts[] = {"gpu", "card", "dev", "index", "idx"};
  std::string plain;
  for (const char c : name) plain += lower(c);
  return plain == "id" || plain.ends_with("_id") ||
         std::any_of(std::begin(parts), std::end(parts),
                     [&plain](std::string_view part) { return plain.find(part) != std::string::npos; });
}

}  // namespace

std::string naming_column(std::string_view text, char separator) {
  std::optional<QueryHeader> header;
  std::vector<std::vector<std::string>> rows;  // of the first instant
  any_first_line(
      text,
      [&](std::span<const std::string_view> fields) {
        if (auto another = QueryHeader::parse(fields, true)) {
          if (!header) header = std::move(another);
          return false;
        }
        const auto time = header ? header->find(QueryRole::timestamp) : std::nullopt;
        if (!time || fields.size() != header->columns().size()) return false;
        if (!rows.empty() && rows.front()[*time] != fields[*time]) return true;
        rows.emplace_back(fields.begin(), fields.end());
        return false;
      },
      separator);
  const auto differs = [&rows](std::size_t place) {
    std::set<std::string> values;
    for (const auto& row : rows) values.insert(row[place]);
    return values.size() == rows.size();
  };
  if (rows.size() < 2) return {};
  for (const QueryRole role : {QueryRole::index, QueryRole::uuid, QueryRole::bus_id})
    if (const auto place = header->find(role); place && differs(*place)) return {};
  for (std::size_t place = 0; place < header->columns().size(); ++place) {
    const QueryColumn& column = header->columns()[place];
    const bool counts =
        std::all_of(rows.begin(), rows.end(), [place](const auto& row) { return parse_count(row[place]).has_value(); });
    const bool plain = column.name.find('.') == std::string::npos;  // no property of the tool, or one of no use
    const bool no_fact = column.role == QueryRole::index || column.role == QueryRole::unknown ||
                         (column.role == QueryRole::unused && plain);
    if (no_fact && counts && may_name_gpus(column.name) && differs(place)) return column.name;
  }
  return {};
}

void QueryRows::start_table(QueryHeader table) {
  if (!table.find(QueryRole::timestamp)) sink_.note(note_id::assumed_times);
  if (!table.names_gpus()) sink_.note(note_id::assumed_device);
  rows_.start_table(std::move(table));
}

std::optional<QueryRows::Place> QueryRows::place_of(std::span<const std::string_view> fields) {
  const auto wrong = [this](std::string_view id, std::string_view what) {
    sink_.note(id, what);
    return std::nullopt;
  };
  if (!complete(fields)) return wrong(note_id::malformed_value, "number of columns");
  Place place;
  if (names_times()) {
    const std::string_view text = cell(fields, QueryRole::timestamp);
    auto time = header().since_start() > 0 ? time_since_start(text, header().since_start()) : parse_time(text);
    if (!time) time = time_of_own_date(text);
    unread_time_ = unread_time_ || !time;
    if (!time) return wrong(note_id::malformed_value, "timestamp");
    if (!zoned_) zoned_ = time->zoned;
    if (*zoned_ != time->zoned)
      return wrong(note_id::malformed_value, time->zoned ? "timestamp with a zone" : "timestamp without a zone");
    place.time = time->ns;
  }
  const auto gpu = gpu_of(fields, place.time);
  if (!gpu) return wrong(note_id::malformed_value, "which GPU");
  place.gpu = *gpu;
  return place;
}

/// A time whose date names the day and the month in one order or the other. A number above 12 says which; as long as
/// there is none the day comes first, which is of no matter within one day.
std::optional<CalendarTime> QueryRows::time_of_own_date(std::string_view text) {
  const auto date = own_date(text);
  if (!date) return std::nullopt;
  if (date->first > "12") day_first_ = true;
  else if (date->second > "12" && !assumed_order_) day_first_ = false;
  if (!day_first_) {
    day_first_ = assumed_order_ = true;
    sink_.note(note_id::assumed_date_order);
  }
  const auto [day, month] = *day_first_ ? std::pair(date->first, date->second) : std::pair(date->second, date->first);
  return parse_calendar_time(std::string(date->year) + '-' + std::string(month) + '-' + std::string(day) +
                             std::string(date->rest));
}

std::optional<std::int64_t> QueryRows::index_of(std::span<const std::string_view> fields) const {
  return parse_count(cell(fields, QueryRole::index));
}

/// The cell of a role; empty when there is none.
std::string_view QueryRows::cell(std::span<const std::string_view> fields, QueryRole role) const {
  const auto place = header().find(role);
  return place && *place < fields.size() ? fields[*place] : std::string_view{};
}

/// The GPU a row is of: its index, else its uuid or bus id numbered as they appear, else its place among the rows of
/// one instant. Nothing when other rows are named and this one is not.
std::optional<std::int64_t> QueryRows::gpu_of(std::span<const std::string_view> fields,
                                              std::optional<std::int64_t> time) {
  if (const auto index = index_of(fields)) return index;
  for (QueryRole role : {QueryRole::uuid, QueryRole::bus_id})
    if (const std::string_view name = cell(fields, role); !is_missing_word(name))
      return numbers_.try_emplace(std::string(name), static_cast<std::int64_t>(numbers_.size())).first->second;
  if (header().names_gpus()) return std::nullopt;
  place_ = time && time == last_time_ ? place_ + 1 : 0;
  last_time_ = time;
  if (place_ >= most_unnamed) return std::nullopt;
  return place_;
}

}  // namespace kdiag::adapters
