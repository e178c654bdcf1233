// SPDX-License-Identifier: Apache-2.0
// Which adapter reads an input: the one that is surest of its first bytes.
#pragma once

#include <span>

#include <kdiag/adapter.hpp>

namespace kdiag {

/// An adapter that knows an input, and how sure it is of it.
struct Detected {
  const Adapter* adapter = nullptr;
  int score = 0;
};

/// The adapter with the highest sniff score, the first of the table among equals; null when none knows the bytes.
Detected detect(const Head& head, std::span<const Adapter* const> adapters);

}  // namespace kdiag
