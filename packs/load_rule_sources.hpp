// SPDX-License-Identifier: Apache-2.0
// Rules from texts that were read already, with some of the built-in packs.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "dsl/pack_tree.hpp"

namespace kdiag {

/// Checks the rules of all sources, and of the files that these import, together. Of the built-in packs those keep
/// their rules of which `keep` says so; the defines of all come along.
Result<RuleSet> load_rule_sources(const std::vector<PackSource>& sources,
                                  const std::function<bool(std::string_view pack_file)>& keep,
                                  const RuleOptions& options = {});

}  // namespace kdiag
