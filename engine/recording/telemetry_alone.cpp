// SPDX-License-Identifier: Apache-2.0
#include "engine/recording/telemetry_alone.hpp"

#include <algorithm>
#include <iterator>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

bool of_telemetry_alone(const FactStore& store) {
  constexpr std::string_view of_telemetry[] = {"runs", "ranks", "devices", "samples", "notes", "changes"};
  if (store.rows(table("samples")) == 0) return false;
  return std::all_of(std::begin(catalogue_tables), std::end(catalogue_tables), [&](const TableInfo& about) {
    const bool may_be =
        std::find(std::begin(of_telemetry), std::end(of_telemetry), about.name) != std::end(of_telemetry);
    return may_be || store.rows(find_table(about.name)) == 0;
  });
}

}  // namespace kdiag
