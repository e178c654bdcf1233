// SPDX-License-Identifier: Apache-2.0
// operator new that fails once, when it is told to, and counts what is alive. Linked into a program of its own.
#pragma once

namespace failing {

/// Blocks that were allocated and not freed.
long alive();
/// What was lost on purpose is not counted any more.
void forget_lost(long before);

/// The next allocations, of which one fails: after so many others; negative: none.
void fail_after(long allocations);

struct Seen {
  long made = 0;            ///< allocations since fail_after
  bool failed = false;      ///< the one was reached
  bool thrown = false;      ///< by std::bad_alloc: others have a way without memory, as std::stable_sort does
  bool inside_re2 = false;  ///< which is not written for it, and loses the blocks of what it was compiling
};
Seen end();

}  // namespace failing
