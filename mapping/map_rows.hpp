// SPDX-License-Identifier: Apache-2.0
// Reads the entries of `rows` of a mapping file.
#pragma once

#include <string_view>
#include <vector>

#include "dsl/node_reader.hpp"
#include "dsl/yaml_tree.hpp"
#include "mapping/loaded_map.hpp"

namespace kdiag::mapping {

/// Tables that a mapping can fill: those that kdiag does not derive itself, and whose rows stand for themselves.
std::vector<std::string_view> mappable_tables();

/// Adds the entries to `map`, of which all else has been read. Errors: K110-K113, K220, K224, K301, K302, K309, K323,
/// K324.
void read_map_rows(const YamlNode& rows, LoadedMap& map, NodeReader& reader);

/// A column of the input by its name, path or number: its index in `cells`. Errors: K224 no number where columns have
/// no names, K301 no such column where the mapping lists them.
std::size_t read_cell_name(const YamlNode& node, LoadedMap& map, NodeReader& reader);

}  // namespace kdiag::mapping
