// SPDX-License-Identifier: Apache-2.0
// The rule files that are compiled into the library.
#pragma once

#include <span>
#include <string_view>

namespace kdiag {

struct BuiltinPack {
  std::string_view name;  ///< "builtin/clocks.yaml"
  std::string_view text;
  std::string_view image;  ///< the tree of the text, see dsl/yaml_image.hpp
};

/// A Lua script that rules of a built-in pack name.
struct BuiltinScript {
  std::string_view name;  ///< "builtin/lua/bimodal_steps.lua"
  std::string_view text;
};

/// In alphabetical order of their names. Made from rules/*.yaml by rules/embed_packs.cpp.
std::span<const BuiltinPack> builtin_packs();
/// All of rules/lua/, in the same order.
std::span<const BuiltinScript> builtin_scripts();

}  // namespace kdiag
