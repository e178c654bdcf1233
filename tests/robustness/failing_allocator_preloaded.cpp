// SPDX-License-Identifier: Apache-2.0
// The failing allocator for a program of another language, which loads it with LD_PRELOAD and calls these.
#include "tests/robustness/failing_allocator.hpp"

extern "C" {
long failing_alive() { return failing::alive(); }
void failing_forget_lost(long before) { failing::forget_lost(before); }
void failing_fail_after(long allocations) { failing::fail_after(allocations); }
/// What happened since then: allocations, and whether one failed by std::bad_alloc, inside of RE2.
void failing_end(long* made, int* thrown, int* inside_re2) {
  const failing::Seen seen = failing::end();
  *made = seen.made;
  *thrown = seen.thrown ? 1 : 0;
  *inside_re2 = seen.inside_re2 ? 1 : 0;
}
}
