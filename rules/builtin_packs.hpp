// SPDX-License-Identifier: Apache-2.0
// The rule files that are compiled into the library.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kdiag {

/// A Lua script of a built-in pack.
struct BuiltinText {
  std::string_view name;  ///< "builtin/launch/graph_capture.lua"
  std::string_view text;
};

/// A file of which the text is packed with those of others.
struct PackedFile {
  std::string_view name;  ///< "builtin/clocks/throttled.yaml", its tests "builtin/clocks/tests/throttled.yaml"
  std::size_t size;
};

/// Files with their texts, one behind the other and packed (base/packed_text): a fifth of what they are.
struct PackedFiles {
  std::span<const PackedFile> files;
  std::string_view packed;
};

struct BuiltinPack {
  std::span<const PackedFile> files;  ///< "builtin/clocks/pack.yaml" first, then a file for each rule
  std::string_view image;             ///< the tree of these texts, see dsl/yaml_image.hpp
};

/// In alphabetical order of their names. Made from the folders of rules/ by rules/embed_packs.cpp.
std::span<const BuiltinPack> builtin_packs();
/// The files of all packs, in the same order: each start needs them.
PackedFiles builtin_rule_texts();
/// The tests of all their rules, in the same order: more than half of all text, and few ask for them.
PackedFiles builtin_test_texts();
/// Their Lua scripts, in the same order.
std::span<const BuiltinText> builtin_scripts();

}  // namespace kdiag
