// SPDX-License-Identifier: Apache-2.0
// What the host did by the named ranges around it, where operators and calls do not tell.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/pair.hpp"

namespace kdiag {

struct RangeTotal {
  std::int64_t calls = 0, ns = 0;
  bool whole = false;  ///< they cover nearly all of the wall: the cycle or the program, which tell no place in it
};

/// Ranges of the rank's threads by name, with the time in the wall that lies in no other range, operator or call inside
/// of them. A number at the end of names that occur once each is not part of the name. Throws Interrupted.
std::map<std::string, RangeTotal> host_ranges(const PairSide& side, CancelFlag cancel);

}  // namespace kdiag
