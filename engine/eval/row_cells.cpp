// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/row_cells.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace kdiag {
namespace {

/// The facts for want of which some rows of `changes` compare nothing; empty when all of them compare.
Causes not_compared(const FactStore& store, const std::uint32_t* rows, std::size_t size) {
  Causes causes;
  const auto missing = store.indices(column("changes.missing"));
  for (std::size_t i = 0; i < size && !missing.empty(); ++i) {
    const std::uint32_t row = rows ? rows[i] : static_cast<std::uint32_t>(i);
    std::string_view facts = row == absent_index ? std::string_view{} : store.strings[missing[row]];
    while (!facts.empty()) {
      const std::size_t end = std::min(facts.find(' '), facts.size());
      merge_causes(causes, {{std::string(facts.substr(0, end)), "not recorded in both runs"}});
      facts.remove_prefix(std::min(end + 1, facts.size()));
    }
  }
  return causes;
}

template <class T>
constexpr bool is_integer = std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::int32_t>;

/// A number that is compared with numbers of type T, or an id with ids, as what both are compared.
template <class T>
auto operand_for(const Scalar& value) {
  if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint8_t>)
    return std::get<std::uint32_t>(value);
  else if (const auto* real = std::get_if<double>(&value)) return *real;
  else return static_cast<double>(std::get<std::int64_t>(value));
}

template <class At, class U>
RowValues compare_each(const RowCells& cells, At at, CompareOp op, U value) {
  return with_comparison(op, [&](auto holds) {
    return decide_each(cells, at, [holds, value](auto cell) { return holds(static_cast<U>(cell), value); });
  });
}

}  // namespace

Causes causes_of_absence(const FactStore& store, ColumnId column, const std::uint32_t* rows, std::size_t size) {
  if (table_of(column) == table("changes"))
    if (Causes causes = not_compared(store, rows, size); !causes.empty()) return causes;
  const ColumnInfo& about = info(column);
  return {{std::string(about.table) + "." + std::string(about.name),
           store.has(column) ? "not recorded for some rows" : "not recorded"}};
}

RowCells::RowCells(const FactStore& store, ColumnId column, const std::vector<std::uint32_t>* rows, std::size_t size)
    : rows_(rows ? rows->data() : nullptr), size_(size), store_(&store), column_(column) {
  switch (info(column).type) {
    case ColumnType::integer: data_ = store.integers(column).data(); break;
    case ColumnType::small_integer: data_ = store.smalls(column).data(); break;
    case ColumnType::real: data_ = store.reals(column).data(); break;
    default: data_ = store.indices(column).data();
  }
}

RowCells::RowCells(RowValues computed) : computed_(std::move(computed)) {
  std::visit(
      [&](const auto& data) {
        data_ = data.data();
        size_ = data.size();
      },
      computed_.data);
}

Causes RowCells::causes() const {
  return store_ != nullptr ? causes_of_absence(*store_, column_, rows_, size_) : computed_.causes;
}

RowValues compare_cells(const RowCells& cells, CompareOp op, const Scalar& value) {
  return cells.visit([&](auto at) {
    using T = std::decay_t<decltype(at(0))>;
    if constexpr (is_integer<T>)
      if (const auto* integer = std::get_if<std::int64_t>(&value)) return compare_each(cells, at, op, *integer);
    return compare_each(cells, at, op, operand_for<T>(value));
  });
}

RowValues find_cells(const RowCells& cells, const std::vector<Scalar>& members) {
  return cells.visit([&](auto at) {
    using T = std::decay_t<decltype(at(0))>;
    // Integers are found exactly, beside reals that are compared as such.
    std::vector<std::int64_t> integers;
    std::vector<std::decay_t<decltype(operand_for<T>(members.front()))>> others;
    for (const Scalar& member : members) {
      if (is_integer<T> && member.index() == 0) integers.push_back(std::get<std::int64_t>(member));
      else others.push_back(operand_for<T>(member));
    }
    const auto among = [](const auto& wanted, auto cell) {
      return std::find(wanted.begin(), wanted.end(), cell) != wanted.end();
    };
    using U = typename decltype(others)::value_type;
    return decide_each(cells, at, [&](auto cell) {
      if constexpr (is_integer<T>)
        if (among(integers, std::int64_t{cell})) return true;
      return among(others, static_cast<U>(cell));
    });
  });
}

}  // namespace kdiag
