// SPDX-License-Identifier: Apache-2.0
// The diagnostics of one file in the order in which it is read, and not too many.
#pragma once

#include <cstddef>
#include <span>

#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// More diagnostics of one file than this are not shown (judgement: nobody reads them, and each costs a look for its
/// line).
inline constexpr std::size_t most_file_diagnostics = 100;

/// Sorts the diagnostics from the `first` on, all of one file or of those of one pack, by place; K107 says how many
/// were cut off.
void arrange(Diagnostics& diagnostics, std::size_t first, std::span<const SourcePtr> sources);

}  // namespace kdiag
