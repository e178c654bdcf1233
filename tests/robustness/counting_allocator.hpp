// SPDX-License-Identifier: Apache-2.0
// malloc that counts: what a program holds, and the most that it held. Linked into a program of its own, for all of its
// libraries. Nothing is counted in builds with a sanitizer, which has a malloc of its own.
#pragma once

#include <cstddef>

namespace counting {

/// Whether anything is counted.
bool enabled();
/// Bytes that are allocated now.
std::size_t held();
/// The most since the last call of reset_peak.
std::size_t peak();
/// From now on the peak is what is held now.
void reset_peak();

}  // namespace counting
