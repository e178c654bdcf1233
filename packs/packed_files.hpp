// SPDX-License-Identifier: Apache-2.0
// The built-in files, unpacked.
#pragma once

#include <vector>

#include <kdiag/diagnostic.hpp>

#include "rules/builtin_packs.hpp"

namespace kdiag {

/// The files with their texts, in their order.
std::vector<SourcePtr> unpack_files(const PackedFiles& files);

}  // namespace kdiag
