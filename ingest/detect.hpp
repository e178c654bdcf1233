// SPDX-License-Identifier: Apache-2.0
// Which adapter reads an input: the one that is surest of its first bytes.
#pragma once

#include <span>

#include <kdiag/adapter.hpp>

namespace kdiag {

/// The adapter with the highest sniff score, the first of the table among equals; null when none knows the bytes.
const Adapter* detect(const Head& head, std::span<const Adapter* const> adapters);

}  // namespace kdiag
