// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/subject_groups.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <variant>

namespace kdiag {
namespace {

/// Single events and their totals.
constexpr std::pair<TableId, TableId> totals_of[] = {
    {table("kernels"), table("kernel_stats")},
    {table("api"), table("api_stats")},
    {table("copies"), table("copy_stats")},
    {table("ops"), table("op_stats")},
};

/// Tables whose rows stand for the same things.
std::vector<TableId> family_of(TableId id) {
  for (const auto& [events, totals] : totals_of)
    if (id == events || id == totals) return {events, totals};
  return {id};
}

std::optional<ColumnId> column_of(TableId id, std::string_view name) {
  const ColumnId found = find_column(info(id).name, name);
  if (!found.valid() || info(found).traits.transient) return {};
  return found;
}

/// A value as bits that are equal for equal values; nothing where it is absent.
std::optional<std::uint64_t> bits_at(const ColumnData& data, std::uint32_t row) {
  return std::visit(
      [row](const auto& values) -> std::optional<std::uint64_t> {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::monostate>) {
          return {};
        } else {
          const auto value = values[row];
          using T = std::decay_t<decltype(value)>;
          if constexpr (std::is_same_v<T, double>) {
            if (std::isnan(value)) return {};
            return std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);
          } else {
            constexpr bool integer = std::is_same_v<T, std::int64_t>;
            constexpr bool small = std::is_same_v<T, std::int32_t>;
            if (integer && std::cmp_equal(value, absent_integer)) return {};
            if (small && std::cmp_equal(value, absent_small)) return {};
            if (!integer && !small && std::cmp_equal(value, absent_index)) return {};
            return static_cast<std::uint64_t>(value);
          }
        }
      },
      data);
}

}  // namespace

TableId events_of(TableId id) {
  for (const auto& [events, totals] : totals_of)
    if (id == totals) return events;
  return {};
}

bool SubjectGroups::optional(ColumnId key) {
  return target_of(key) == table("devices") || target_of(key) == table("ranks");
}

SubjectGroups::SubjectGroups(const FactStore& store, const SubjectSpec& spec, const RowList& rows)
    : store_(store), spec_(spec) {
  std::map<Key, std::uint32_t> numbers;
  std::vector<std::vector<std::uint32_t>> members;
  const auto add = [&](std::uint32_t row) {
    Key key, name;
    for (const ColumnId column : spec_.keys) {
      const auto bits = bits_at(store_.data(column), row);
      if (!bits && !optional(column)) return;
      key.push_back(bits.value_or(absent_index));
      if (!optional(column)) name.push_back(*bits);
    }
    const auto [found, added] = numbers.try_emplace(std::move(key), static_cast<std::uint32_t>(members.size()));
    if (added) {
      members.emplace_back();
      names_.push_back(std::move(name));
    }
    members[found->second].push_back(row);
  };
  if (rows)
    for (const std::uint32_t row : *rows) add(row);
  else
    for (std::uint32_t row = 0; row < store.rows(spec.table); ++row) add(row);
  for (auto& group : members) rows_.push_back(std::make_shared<const std::vector<std::uint32_t>>(std::move(group)));
}

std::vector<SubjectGroups::Place> SubjectGroups::places_in(TableId id) const {
  const std::vector<TableId> family = family_of(spec_.table);
  const auto in_family = [&](TableId other) { return std::find(family.begin(), family.end(), other) != family.end(); };
  const auto place_of = [&](ColumnId key) -> std::optional<Place> {
    const std::string_view name = info(key).name;
    const auto own = column_of(id, name);
    const bool same_reference = own && !info(key).target.empty() && info(*own).target == info(key).target;
    if (own && (in_family(id) || same_reference)) return Place{{}, *own};
    if (key == column("functions.name") && id == table("comparisons")) return Place{{}, column("comparisons.function")};
    const ColumnRange range = columns_of(id);
    for (std::uint16_t i = 0; i < range.count; ++i) {
      const ColumnId reference{static_cast<std::uint16_t>(range.first + i)};
      if (info(reference).type != ColumnType::reference || info(reference).traits.transient) continue;
      const TableId target = find_table(info(reference).target);
      if (!in_family(target)) continue;
      if (const auto there = column_of(target, name)) return Place{reference, *there};
    }
    return {};
  };
  std::vector<Place> out;
  for (const ColumnId key : spec_.keys) {
    if (optional(key)) continue;
    const auto place = place_of(key);
    if (!place) return {};
    out.push_back(*place);
  }
  return out;
}

std::optional<ColumnId> SubjectGroups::missing_in(TableId id) const {
  if (store_.rows(id) == 0) return {};
  for (const Place& place : places_in(id)) {
    if (place.reference && !store_.has(*place.reference)) return place.reference;
    if (!store_.has(place.column)) return place.column;
  }
  return {};
}

std::optional<SubjectGroups::Key> SubjectGroups::key_at(const std::vector<Place>& places, std::uint32_t row) const {
  Key key;
  for (const Place& place : places) {
    const std::uint32_t at = place.reference ? store_.index(*place.reference, row) : row;
    if (at == absent_index) return {};
    const auto bits = bits_at(store_.data(place.column), at);
    if (!bits) return {};
    key.push_back(*bits);
  }
  return key;
}

RowList SubjectGroups::rows(TableId id, std::uint32_t group) const {
  static const auto none = std::make_shared<const std::vector<std::uint32_t>>();
  const std::scoped_lock lock(mutex_);
  const auto [table_index, added] = index_.try_emplace(id.index);
  if (added) {
    std::map<Key, std::vector<std::uint32_t>> members;
    const std::vector<Place> places = places_in(id);
    for (std::uint32_t row = 0; row < store_.rows(id); ++row)
      if (auto key = key_at(places, row)) members[std::move(*key)].push_back(row);
    for (auto& [key, rows] : members)
      table_index->second.emplace(key, std::make_shared<const std::vector<std::uint32_t>>(std::move(rows)));
  }
  const auto found = table_index->second.find(names_[group]);
  return found == table_index->second.end() ? none : found->second;
}

}  // namespace kdiag
