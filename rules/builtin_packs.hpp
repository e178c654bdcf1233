// SPDX-License-Identifier: Apache-2.0
// The rule files that are compiled into the library.
#pragma once

#include <span>
#include <string_view>

namespace kdiag {

/// A file of a built-in pack: of its rules, of their tests, or a Lua script.
struct BuiltinText {
  std::string_view name;  ///< "builtin/clocks/throttled.yaml"
  std::string_view text;
};

struct BuiltinPack {
  std::span<const BuiltinText> files;  ///< as PackSource::all() has them, "builtin/clocks/pack.yaml" first
  std::string_view image;              ///< the tree of these texts, see dsl/yaml_image.hpp
};

/// In alphabetical order of their names. Made from the folders of rules/ by rules/embed_packs.cpp.
std::span<const BuiltinPack> builtin_packs();
/// Their Lua scripts, in the same order.
std::span<const BuiltinText> builtin_scripts();

}  // namespace kdiag
