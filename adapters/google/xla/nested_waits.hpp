// SPDX-License-Identifier: Apache-2.0
// Waits of JAX that call one another: each is recorded, and the outermost has all the time.
#pragma once

#include <unordered_set>

#include "adapters/google/xla/records.hpp"

namespace kdiag::adapters::xla {

/// The waits for the device that lie within another one of their thread: `jax.block_until_ready()` calls the method of
/// the array that has its name.
std::unordered_set<const Span*> nested_waits(const Records& records);

}  // namespace kdiag::adapters::xla
