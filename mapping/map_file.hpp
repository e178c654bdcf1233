// SPDX-License-Identifier: Apache-2.0
// Reads mapping files: how a custom format becomes facts.
#pragma once

#include <kdiag/diagnostic.hpp>

#include "base/interrupt.hpp"
#include "mapping/loaded_map.hpp"

namespace kdiag::mapping {

/// Reads and checks a mapping file; what has an error is left out. All diagnostics at once, in the order of the file:
/// K101-K107, K110-K115, K220, K224, K301, K302, K309, K312, K323, K324. Throws Interrupted soon after `cancel` was
/// set.
LoadedMap parse_map(const SourcePtr& source, Diagnostics& diagnostics, CancelFlag cancel = nullptr);

}  // namespace kdiag::mapping
