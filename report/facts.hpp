// SPDX-License-Identifier: Apache-2.0
// The catalogue of facts, and what a trace has of it, as text, JSON and Markdown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kdiag::report {

struct ColumnDescription {
  std::string name, type, dimension;  ///< dimension: empty for names and plain numbers
  std::string doc, since;
  bool present = false;  ///< at least one row has a value
  std::string provider;  ///< who supplied it; empty when unknown
};

struct TableDescription {
  std::string name, doc, since;
  std::optional<std::int64_t> rows;  ///< unset: the table is absent, which is not the same as empty
  std::vector<ColumnDescription> columns;
};

struct SeriesDescription {
  std::string name, dimension, doc;
};

struct WordDescription {
  std::string name, doc;
};

struct FactsDescription {
  std::vector<TableDescription> tables;
  std::vector<SeriesDescription> series;
  std::vector<WordDescription> blames;   ///< the words of `idle.blame`
  std::vector<WordDescription> changes;  ///< the words of `changes.kind`
};

/// The catalogue with every fact absent: fill in `rows`, `present` and `provider` to describe a trace. Columns that
/// only exist while a trace is loaded are left out.
FactsDescription describe_catalogue();

/// Present tables with their columns, absent ones by name, for terminals.
std::string facts_text(const FactsDescription& facts);

/// { "tables": [ { "name", "rows", "columns": [ { "name", "type", "dimension", "present", "provider" } ] } ] } for
/// every table of the catalogue; rows null where the table is absent.
std::string facts_json(const FactsDescription& facts);

/// Every table, column, series and blame with its meaning, as a Markdown page: docs/facts.md.
std::string catalogue_markdown(const FactsDescription& facts);

}  // namespace kdiag::report
