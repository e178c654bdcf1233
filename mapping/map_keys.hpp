// SPDX-License-Identifier: Apache-2.0
// The keys of mapping files, for the reader and the JSON Schema.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "dsl/file_keys.hpp"
#include "mapping/loaded_map.hpp"

namespace kdiag::mapping::map_keys {

extern const KeyGroup map_file, match, rows, value;

// What words mean.
const std::vector<std::pair<std::string_view, LoadedMap::Format>>& format_words();
const std::vector<std::pair<std::string_view, ClockDomain>>& clock_words();
const std::vector<std::pair<std::string_view, CellForm>>& form_words();
const std::vector<std::pair<std::string_view, bool>>& decimal_words();  ///< whether it is the comma

}  // namespace kdiag::mapping::map_keys
