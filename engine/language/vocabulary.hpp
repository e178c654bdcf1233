// SPDX-License-Identifier: Apache-2.0
// The words that a column of texts can hold, where the catalogue lists them all.
#pragma once

#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>

namespace kdiag {

/// The words of `idle.cause`, `copies.kind`, ...; empty for columns that can hold any text.
const std::vector<std::string_view>& words_of(ColumnId column);

}  // namespace kdiag
