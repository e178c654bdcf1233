// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/change_columns.hpp"

#include <functional>
#include <string_view>
#include <utility>

#include "base/number.hpp"

namespace kdiag {
namespace {

/// Fills columns; one without any value stays absent.
class ChangeColumns {
 public:
  ChangeColumns(FactStore& store, const std::vector<Change>& rows) : store_(store), rows_(rows) {
    store_.resize(table("changes"), rows.size());
  }

  /// `text_of` gives a text; empty is absent.
  template <class TextOf>
  void texts(ColumnId id, TextOf text_of) {
    fill<std::uint32_t>(id, absent_index, [&](const Change& row) {
      const std::string_view text = text_of(row);
      return text.empty() ? absent_index : store_.strings.intern(text);
    });
  }
  void rows_of(ColumnId id, std::uint32_t Change::*member) {
    fill<std::uint32_t>(id, absent_index, [&](const Change& row) { return row.*member; });
  }
  void flags(ColumnId id, std::optional<bool> Change::*member) {
    fill<std::uint32_t>(id, absent_index,
                        [&](const Change& row) { return row.*member ? std::uint32_t{*(row.*member)} : absent_index; });
  }
  /// `value_of`: a member, or a function that gives an optional number.
  template <class ValueOf>
  void whole(ColumnId id, ValueOf value_of) {
    fill<std::int64_t>(id, absent_integer, [&](const Change& row) {
      const std::optional<double> value = std::invoke(value_of, row);
      return value ? Number(*value).rounded() : absent_integer;
    });
  }
  template <class ValueOf>
  void reals(ColumnId id, ValueOf value_of) {
    std::vector<double> values;
    bool any = false;
    for (const Change& row : rows_) {
      const std::optional<double> value = std::invoke(value_of, row);
      values.push_back(value.value_or(absent_real));
      any = any || value;
    }
    if (any) store_.replace(id, std::move(values), "derived");
  }

 private:
  template <class T, class ValueOf>
  void fill(ColumnId id, T absent, ValueOf value_of) {
    std::vector<T> values;
    bool any = false;
    for (const Change& row : rows_) {
      values.push_back(value_of(row));
      any = any || values.back() != absent;
    }
    if (any) store_.replace(id, std::move(values), "derived");
  }

  FactStore& store_;
  const std::vector<Change>& rows_;
};

std::optional<double> longer_of(const Change& row) {
  if (row.longer) return row.longer;
  const bool shares = row.share && row.share_before;
  const auto times = shares ? over(row.share, row.share_before) : over(row.each, row.each_before);
  return times ? std::optional(*times - 1) : std::nullopt;
}

std::optional<double> more_of(const Change& row) {
  if (row.more) return row.more;
  return row.each && row.each_before ? times(*row.each - *row.each_before, row.calls) : std::nullopt;
}

}  // namespace

void add_changes(FactStore& store, const std::vector<Change>& rows) {
  ChangeColumns columns(store, rows);
  columns.texts(column("changes.kind"), [](const Change& row) { return name_of(row.kind); });
  columns.texts(column("changes.name"), [](const Change& row) -> std::string_view { return row.name; });
  columns.texts(column("changes.class"), [](const Change& row) -> std::string_view { return row.group; });
  columns.rows_of(column("changes.device"), &Change::device);
  columns.rows_of(column("changes.rank"), &Change::rank);
  columns.texts(column("changes.basis"), [](const Change& row) { return name_of(row.basis); });
  columns.texts(column("changes.present"), [](const Change& row) { return name_of(row.present); });
  columns.whole(column("changes.calls"), &Change::calls);
  columns.reals(column("changes.calls_before"), &Change::calls_before);
  columns.whole(column("changes.each"), &Change::each);
  columns.whole(column("changes.each_before"), &Change::each_before);
  columns.whole(column("changes.total"), &Change::total);
  columns.whole(column("changes.total_before"), &Change::total_before);
  columns.reals(column("changes.share"), &Change::share);
  columns.reals(column("changes.share_before"), &Change::share_before);
  columns.reals(column("changes.longer"), longer_of);
  columns.whole(column("changes.more"), more_of);
  columns.reals(column("changes.together"), &Change::together);
  columns.reals(column("changes.slower_names"), &Change::slower_names);
  columns.flags(column("changes.alike"), &Change::alike);
  columns.reals(column("changes.blocks"), &Change::blocks);
  columns.reals(column("changes.blocks_before"), &Change::blocks_before);
  columns.reals(column("changes.threads"), &Change::threads);
  columns.reals(column("changes.threads_before"), &Change::threads_before);
  columns.reals(column("changes.value"), &Change::value);
  columns.reals(column("changes.value_before"), &Change::value_before);
  columns.texts(column("changes.missing"), [](const Change& row) -> std::string_view { return row.missing; });
}

}  // namespace kdiag
