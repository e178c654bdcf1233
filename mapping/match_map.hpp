// SPDX-License-Identifier: Apache-2.0
// Which inputs a mapping is for.
#pragma once

#include <string>
#include <string_view>

#include <kdiag/adapter.hpp>

#include "mapping/loaded_map.hpp"

namespace kdiag::mapping {

/// Why an input is not one of the mapping, as what can be said of it: "it has no column 'dur_us'". Empty when it is:
/// when its name matches, and its first records have the columns that the mapping needs.
std::string mismatch(const LoadedMap& map, std::string_view name, const Head& head);

}  // namespace kdiag::mapping
