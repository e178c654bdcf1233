// SPDX-License-Identifier: Apache-2.0
// What a build of the tests is checked by.
#pragma once

namespace kdiag::tests {

/// Tests that repeat one thing thousands of times do so less often under the thread sanitizer: it looks at all of each
/// buffer that is allocated and freed, and takes a hundred times as long.
#ifdef __SANITIZE_THREAD__
inline constexpr bool thread_sanitizer = true;
#else
inline constexpr bool thread_sanitizer = false;
#endif

}  // namespace kdiag::tests
