// SPDX-License-Identifier: Apache-2.0
// Columns of derived rows, of which there is none where no row has a value.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/facts/absent_value.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Stores a column; where all its values are absent there is none, as where facts were written and read again.
template <class T>
void replace_known(FactStore& store, ColumnId column, std::vector<T> values, std::string_view provider = "derived") {
  if (std::any_of(values.begin(), values.end(), [](T value) { return !is_absent(value); }))
    store.replace(column, std::move(values), provider);
  else store.clear(column);
}

}  // namespace kdiag
