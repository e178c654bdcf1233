// SPDX-License-Identifier: Apache-2.0
// The key that begins a file: what kind of file it is, and in which edition of the language it is written.
#pragma once

#include <string_view>

#include "dsl/yaml_tree.hpp"

namespace kdiag {

inline constexpr std::string_view rules_edition = "kdiag", tests_edition = "kdiag_test",
                                  project_edition = "kdiag_project";

/// K115 unless the mapping says `kdiag: 1`, `kdiag_test: 1` or `kdiag_project: 1`, whichever is `wanted`; K110 when
/// that is no text.
void check_edition(const YamlNode& root, std::string_view wanted, Diagnostics& diagnostics);

/// K115: a file of which that edition was wanted is empty.
void tell_empty(const SourcePtr& source, std::string_view wanted, Diagnostics& diagnostics);

}  // namespace kdiag
