// SPDX-License-Identifier: Apache-2.0
// YAML that was parsed before, in pieces that can be used again: of a text of which a line changed.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "dsl/yaml_tree.hpp"

namespace kdiag {

/// By a piece, with what stands around it while it is parsed, its tree.
struct KeptTrees {
  std::unordered_map<std::string, YamlNode> pieces;
  std::size_t bytes = 0;  ///< of these texts
};

/// As parse_yaml(), with the same tree and the same diagnostics. A piece is a top-level key with its value, or an item
/// of the list that it holds; only pieces whose text is not known are parsed. A text with a mistake, or one that cannot
/// be taken apart, is parsed as a whole.
YamlNode parse_yaml(const SourcePtr& source, Diagnostics& diagnostics, CancelFlag cancel, KeptTrees& kept);

}  // namespace kdiag
