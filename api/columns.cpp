// SPDX-License-Identifier: Apache-2.0
#include <kdiag/columns.hpp>

#include "engine/derive/rows/scope.hpp"
#include "engine/facts/loaded_facts.hpp"

namespace kdiag {
namespace {

/// Null when there is no such run, and for a program whose ids mean other tables and columns.
const FactStore* store_of(const Facts& facts, std::size_t run, std::uint64_t catalogue = catalogue_hash) {
  if (!same_catalogue(catalogue)) return nullptr;
  const std::vector<RunFacts>& runs = facts.loaded().runs;
  return run < runs.size() ? runs[run].store.get() : nullptr;
}

bool is_column(ColumnId column) { return column.valid(); }

}  // namespace

std::size_t run_count(const Facts& facts) { return facts.loaded().runs.size(); }

bool same_catalogue(std::uint64_t catalogue) { return catalogue == catalogue_hash; }

std::optional<std::size_t> row_count(const Facts& facts, std::size_t run, TableId table, std::uint64_t catalogue) {
  const FactStore* store = store_of(facts, run, catalogue);
  if (store == nullptr || !table.valid() || !store->present(table)) return {};
  return store->rows(table);
}

std::vector<std::uint32_t> rows_in_part(const Facts& facts, std::size_t run, TableId table, std::uint64_t catalogue) {
  return row_count(facts, run, table, catalogue) ? rows_in_part(*store_of(facts, run), table)
                                                 : std::vector<std::uint32_t>{};
}

ColumnValues column_values(const Facts& facts, std::size_t run, ColumnId column, std::uint64_t catalogue) {
  const FactStore* store = store_of(facts, run, catalogue);
  if (store == nullptr || !is_column(column)) return {};
  return std::visit(
      [](const auto& values) -> ColumnValues {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) return {};
        else return std::span(values);
      },
      store->data(column));
}

std::string_view column_provider(const Facts& facts, std::size_t run, ColumnId column, std::uint64_t catalogue) {
  const FactStore* store = store_of(facts, run, catalogue);
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
