// SPDX-License-Identifier: Apache-2.0
// A YAML tree as bytes: what is known when kdiag is built need not be parsed each time it starts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "dsl/yaml_tree.hpp"

namespace kdiag {

/// The bytes of a tree that pack_tree() made of `sources` without a diagnostic. Numbers are LEB128; places are bytes of
/// the files, which the image does not hold. A text that stands in the file as it is, as most do, is not stored; of
/// others the places of their characters are stored as runs of bytes that follow each other. Members of rules that
/// judging does not need, or not before a rule fires, are stored so that they can be passed over. Tests of rules are
/// left out of a pack before.
std::string yaml_image(const YamlNode& root, std::span<const SourcePtr> sources);

/// How much of a pack is read.
enum class ImageDetail : std::uint8_t {
  whole,
  decisions,          ///< of a rule that is judged, only what decides whether it fires (RuleParts::decision), of others
                      ///< only what other rules and the user can refer to (RuleParts::outline)
  without_comparing,  ///< the same; of rules of a pack that compares only what they are, too (RuleParts::compared)
  least,              ///< the same; no defines of a pack that compares, which besides its rules only those of a user
                      ///< and queries can name
};

/// The tree again, with places in `sources`, which must hold the texts of which the tree was made. An image comes from
/// the build of this very library: it is trusted, and bytes that are none are a mistake of kdiag (asserted).
YamlNode tree_of_image(std::string_view image, std::span<const SourcePtr> sources,
                       ImageDetail detail = ImageDetail::whole);

/// All of a rule, from the place where a tree of the same image had a part of it.
YamlNode rule_of_image(std::string_view image, std::span<const SourcePtr> sources, std::size_t place);

}  // namespace kdiag
