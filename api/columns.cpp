// SPDX-License-Identifier: Apache-2.0
#include <kdiag/columns.hpp>

#include "engine/loaded_facts.hpp"

namespace kdiag {
namespace {

const FactStore& store_of(const Facts& facts, std::size_t run) { return *facts.loaded().runs[run].store; }

}  // namespace

std::size_t run_count(const Facts& facts) { return facts.loaded().runs.size(); }

std::optional<std::size_t> row_count(const Facts& facts, std::size_t run, TableId table) {
  const FactStore& store = store_of(facts, run);
  if (!store.present(table)) return {};
  return store.rows(table);
}

ColumnValues column_values(const Facts& facts, std::size_t run, ColumnId column) {
  return std::visit(
      [](const auto& values) -> ColumnValues {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) return {};
        else return std::span(values);
      },
      store_of(facts, run).data(column));
}

std::string_view column_provider(const Facts& facts, std::size_t run, ColumnId column) {
  const FactStore& store = store_of(facts, run);
  return store.has(column) ? store.provider(column) : std::string_view{};
}

std::string_view text_of(const Facts& facts, std::size_t run, std::uint32_t id) {
  return store_of(facts, run).strings[id];
}

std::size_t text_count(const Facts& facts, std::size_t run) { return store_of(facts, run).strings.size(); }

}  // namespace kdiag
