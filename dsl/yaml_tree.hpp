// SPDX-License-Identifier: Apache-2.0
// YAML as a tree with exact places. The only place that knows the YAML library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>

#include "base/interrupt.hpp"
#include "dsl/yaml_scalar.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

// Limits of one file; language.md.
inline constexpr std::size_t most_yaml_bytes = 1024 * 1024;
inline constexpr std::size_t deepest_yaml = 64;

struct YamlMember;

struct YamlNode {
  /// `invalid`: a diagnostic has already been given for it, so that readers pass over it.
  enum class Kind : std::uint8_t { null, scalar, sequence, mapping, invalid };
  Kind kind = Kind::null;
  ScalarStyle style = ScalarStyle::plain;
  SourceText text;  ///< of scalars: decoded, with the place of each byte
  Span span;        ///< the scalar; of lists and mappings where they begin
  std::vector<YamlNode> items;
  std::vector<YamlMember> members;     ///< in the order of the file, no key twice
  RuleParts parts = RuleParts::whole;  ///< of an image: whether members were passed over (dsl/yaml_image.hpp)
  std::size_t image_place = 0;         ///< of a mapping whose members were: where the image has it

  bool is(Kind wanted) const { return kind == wanted; }
  /// The value of a mapping's key; nullptr when there is none.
  const YamlNode* find(std::string_view key) const;
};

struct YamlMember {
  YamlNode key;  ///< a scalar
  YamlNode value;
};

/// Parses one document. Refused, each with a diagnostic and the rest of the file still read where that is possible:
/// K101 what is no YAML, and keys that are not words; K102 bytes that are no text; K103 duplicate keys; K104 anchors,
/// aliases and merge keys; K105 tags; K106 a second document; K107 more than `most_yaml_bytes` or deeper than
/// `deepest_yaml`. Returns null for an empty document, an invalid node when nothing could be read. Throws Interrupted
/// at the next node once `cancel` is set.
YamlNode parse_yaml(const SourcePtr& source, Diagnostics& diagnostics, CancelFlag cancel = nullptr);

}  // namespace kdiag
