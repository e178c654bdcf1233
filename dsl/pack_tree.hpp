// SPDX-License-Identifier: Apache-2.0
// A pack that is a folder, read as one YAML tree: what reads rule files need not know of folders.
#pragma once

#include <vector>

#include "base/interrupt.hpp"
#include "dsl/yaml_tree.hpp"

namespace kdiag {

struct KeptTrees;

/// The texts of a pack. A rule file that holds several rules is all of its pack: `pack` alone. Of a folder `pack` is
/// its pack.yaml, and `rules` are the files beside it that hold one rule each. A file with one rule that lies beside no
/// pack.yaml has no `pack`.
struct PackSource {
  struct OfRule {
    SourcePtr rule;
    SourcePtr tests;     ///< tests/NAME.yaml of the rule file NAME.yaml; null: there is none
    bool wanted = true;  ///< false: the user named other rules of the pack, which may refer to this one
  };
  SourcePtr pack;
  std::vector<OfRule> rules;

  /// The file that stands for the pack in messages.
  const SourcePtr& main() const { return pack ? pack : rules.front().rule; }
  /// Every text, in the order in which they are read.
  std::vector<SourcePtr> all() const;
};

/// A pack of one text, which may hold one rule or several.
PackSource pack_of_text(const SourcePtr& source);

/// The tree of a rule file with several rules, made of all files of the pack: each rule file is an item of `rules`, and
/// its tests are the `tests` of that item. Every node keeps its place in its own file. Errors are those of
/// parse_yaml(); K115 a rule file or a file of tests without its edition, K112 a file of tests that names no rule, K311
/// one that names another rule than the file that it belongs to. `kept`: what was read of earlier texts, and is of this
/// one (dsl/kept_trees.hpp).
YamlNode pack_tree(const PackSource& source, Diagnostics& diagnostics, CancelFlag cancel = nullptr,
                   KeptTrees* kept = nullptr);

}  // namespace kdiag
