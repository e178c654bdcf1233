// SPDX-License-Identifier: Apache-2.0
// What is inside a Batch.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include <kdiag/fact.hpp>

#include "base/string_pool.hpp"
#include "engine/facts/batch_mistake.hpp"
#include "engine/facts/load_budget.hpp"

namespace kdiag {

/// Identity of an entity row: its table, the row it belongs to (rank, device or parent), and two key values.
struct EntityKey {
  std::uint16_t table = 0;
  std::uint32_t owner = absent_index;
  std::int64_t first = 0;
  std::int64_t second = 0;
  friend bool operator==(const EntityKey&, const EntityKey&) = default;
};
struct EntityKeyHash {
  std::size_t operator()(const EntityKey& key) const {
    std::uint64_t hash = static_cast<std::uint64_t>(key.first) * 0x9E3779B97F4A7C15U;
    hash ^= (static_cast<std::uint64_t>(key.second) + 0x517CC1B727220A95U) * 0xBF58476D1CE4E5B9U;
    hash ^= (static_cast<std::uint64_t>(key.owner) << 16U) + key.table + (hash >> 29U);
    return static_cast<std::size_t>(hash * 0x94D049BB133111EBU);
  }
};
using EntityIndex = std::unordered_map<EntityKey, std::uint32_t, EntityKeyHash>;

struct Batch::Data {
  StringPool strings;
  std::vector<ColumnData> columns = std::vector<ColumnData>(catalogue_columns.size());
  std::vector<std::uint32_t> rows = std::vector<std::uint32_t>(catalogue_tables.size());
  std::vector<bool> declared = std::vector<bool>(catalogue_tables.size());
  EntityIndex entities;
  std::vector<std::vector<EntityKey>> entity_keys =
      std::vector<std::vector<EntityKey>>(catalogue_tables.size());  // by table and row
  BatchMistake mistake;
  BudgetCharge held;         ///< of the reading in which it is filled
  std::uint32_t growth = 0;  ///< since that was counted, about

  /// Counts what it has now against the limits of the reading.
  void count();
};

/// Another batch of the same rows and texts, which counts against no budget.
Batch copy_of(const Batch& batch);

}  // namespace kdiag
