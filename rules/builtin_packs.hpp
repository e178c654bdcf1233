// SPDX-License-Identifier: Apache-2.0
// The rule files that are compiled into the library.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kdiag {

/// A file of a built-in pack: of its rules, or a Lua script.
struct BuiltinText {
  std::string_view name;  ///< "builtin/clocks/throttled.yaml"
  std::string_view text;
};

struct BuiltinPack {
  std::span<const BuiltinText> files;  ///< "builtin/clocks/pack.yaml" first, then a file for each rule
  std::string_view image;              ///< the tree of these texts, see dsl/yaml_image.hpp
};

/// The files of the rules' tests. They are half of all text, and few ask for them, so they are packed
/// (base/packed_text).
struct BuiltinTests {
  struct File {
    std::string_view name;  ///< "builtin/clocks/tests/throttled.yaml"
    std::size_t size;
  };
  std::span<const File> files;
  std::string_view packed;  ///< their texts, one behind the other
};

/// In alphabetical order of their names. Made from the folders of rules/ by rules/embed_packs.cpp.
std::span<const BuiltinPack> builtin_packs();
/// The tests of all their rules, in the same order.
BuiltinTests builtin_tests();
/// Their Lua scripts, in the same order.
std::span<const BuiltinText> builtin_scripts();

}  // namespace kdiag
