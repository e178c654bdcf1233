// SPDX-License-Identifier: Apache-2.0
// Mistakes in the layout of a YAML file, named by what the author did, not by what the parser stumbled over.
#pragma once

#include <cstddef>
#include <optional>

#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// K101 for a byte at which the parser gave up: a tab in the indentation, a list item left of those above it, and of a
/// `: ` that it did not take, whether the line above lacks a blank behind its colon, or this one stands further right
/// than its neighbours.
std::optional<Diagnostic> layout_mistake(const SourcePtr& source, std::size_t offset, bool colon_refused);

}  // namespace kdiag
