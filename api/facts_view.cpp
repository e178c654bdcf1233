// SPDX-License-Identifier: Apache-2.0
// `kdiag facts`: what the loaded facts have of the catalogue.
#include <algorithm>
#include <cstdint>

#include <kdiag/kdiag.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "report/facts.hpp"

namespace kdiag {
namespace {

using report::ColumnDescription;
using report::FactsDescription;
using report::TableDescription;

void add_column(ColumnDescription& described, const FactStore& store, ColumnId column) {
  if (!store.has(column)) return;
  described.present = true;
  const std::string_view provider = store.provider(column);
  if (described.provider.empty()) described.provider = provider;
  else if (described.provider.find(provider) == std::string::npos) described.provider.append(", ").append(provider);
}

/// Adds what a run has: rows are summed, a column is present when any run has it.
void add_run(FactsDescription& facts, const FactStore& store) {
  for (TableDescription& described : facts.tables) {
    const TableId table = find_table(described.name);
    if (!store.present(table)) continue;
    described.rows = described.rows.value_or(0) + static_cast<std::int64_t>(store.rows(table));
    for (ColumnDescription& column : described.columns)
      add_column(column, store, find_column(described.name, column.name));
  }
}

}  // namespace

std::string facts_text(const Facts& facts) {
  std::string out;
  const std::vector<RunFacts>& runs = facts.loaded().runs;
  for (const RunFacts& run : runs) {
    FactsDescription described = report::describe_catalogue();
    add_run(described, *run.store);
    if (runs.size() > 1) out += (out.empty() ? "run " : "\nrun ") + run.id + "\n\n";
    out += report::facts_text(described);
  }
  return out;
}

std::string facts_json(const Facts& facts) {
  FactsDescription described = report::describe_catalogue();
  for (const RunFacts& run : facts.loaded().runs) add_run(described, *run.store);
  return report::facts_json(described);
}

std::string catalogue_text() { return report::catalogue_markdown(report::describe_catalogue()); }

}  // namespace kdiag
