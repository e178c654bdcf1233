// SPDX-License-Identifier: Apache-2.0
// A part of the facts of a run, written as a test states facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/catalogue.hpp>

#include "engine/facts/fact_store.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// A row of the run; with another duration when it stands for several.
struct CutRow {
  std::uint32_t row = 0;
  std::optional<std::int64_t> dur = {};
};

/// A table that is stated, with some of its rows in their order. Without rows it is recorded and empty.
struct CutTable {
  TableId table;
  std::vector<CutRow> rows;
};

/// Which facts are kept. Rows of other tables that kept rows refer to come along, as far as their columns are kept.
struct FactCut {
  std::vector<CutTable> tables;
  std::vector<bool> columns = std::vector<bool>(catalogue_columns.size());  ///< by place in the catalogue
  std::size_t rows() const;
};

/// The kept facts as tables of a test, in the values' own units; instants count from the first of them.
std::vector<TestTable> cut_facts(const FactStore& store, const FactCut& cut);

/// The facts of a test under a key (`facts`, `baseline`) as YAML, each line behind `margin`; rows that differ by equal
/// steps of time are one line.
std::string facts_yaml(const std::vector<TestTable>& tables, const std::string& key, const std::string& margin);

/// A text as a YAML scalar that reads back as the same: quoted where it must be.
std::string yaml_text(std::string_view text);

/// Nanoseconds as a literal: "4us".
std::string time_text(std::int64_t ns);

}  // namespace kdiag
