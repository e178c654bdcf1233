// SPDX-License-Identifier: Apache-2.0
#include <kdiag/columns.hpp>

#include "engine/derive/rows/scope.hpp"
#include "engine/facts/loaded_facts.hpp"

namespace kdiag {
namespace {

/// Null when there is no such run.
const FactStore* store_of(const Facts& facts, std::size_t run) {
  const std::vector<RunFacts>& runs = facts.loaded().runs;
  return run < runs.size() ? runs[run].store.get() : nullptr;
}

bool is_column(ColumnId column) { return column.valid(); }

}  // namespace

std::size_t run_count(const Facts& facts) { return facts.loaded().runs.size(); }

std::optional<std::size_t> row_count(const Facts& facts, std::size_t run, TableId table) {
  const FactStore* store = store_of(facts, run);
  if (store == nullptr || !table.valid() || !store->present(table)) return {};
  return store->rows(table);
}

std::vector<std::uint32_t> rows_in_part(const Facts& facts, std::size_t run, TableId table) {
  return row_count(facts, run, table) ? rows_in_part(*store_of(facts, run), table) : std::vector<std::uint32_t>{};
}

ColumnValues column_values(const Facts& facts, std::size_t run, ColumnId column) {
  const FactStore* store = store_of(facts, run);
  if (store == nullptr || !is_column(column)) return {};
  return std::visit(
      [](const auto& values) -> ColumnValues {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) return {};
        else return std::span(values);
      },
      store->data(column));
}

std::string_view column_provider(const Facts& facts, std::size_t run, ColumnId column) {
  const FactStore* store = store_of(facts, run);
  return store != nullptr && is_column(column) && store->has(column) ? store->provider(column) : std::string_view{};
}

std::string_view text_of(const Facts& facts, std::size_t run, std::uint32_t id) {
  return id < text_count(facts, run) ? store_of(facts, run)->strings[id] : std::string_view{};
}

std::size_t text_count(const Facts& facts, std::size_t run) {
  const FactStore* store = store_of(facts, run);
  return store == nullptr ? 0 : store->strings.size();
}

}  // namespace kdiag
