// SPDX-License-Identifier: Apache-2.0
// What editors ask of rule files while they are written.
//
//     auto files = std::make_shared<const kdiag::FileReader>(kdiag::FileReader{
//         .read = [&](const std::string& path) { return unsaved(path); }, .over_file_system = true});
//     auto rules = kdiag::load_rules("throttle.yaml", {.files = files});
//     show(kdiag::mistakes_of(rules));
#pragma once

#include <string_view>

#include <kdiag/diagnostic.hpp>
#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/result.hpp>
#include <kdiag/tools.hpp>

namespace kdiag {

/// What a text is, which file_kind() says of a file. `path` tells Lua by its ending.
KDIAG_API FileKind kind_of_text(std::string_view path, std::string_view text);

/// What `kdiag rules check` says of rules that were loaded, or could not be: errors, warnings, mistakes in scripts and
/// tests, and notes for authors, in this order.
KDIAG_API Diagnostics mistakes_of(const Result<RuleSet>& rules);

}  // namespace kdiag
