// SPDX-License-Identifier: Apache-2.0
// How the command ends when it is asked to: at once, and in order where something would be left behind.
#pragma once

#include <atomic>

namespace kdiag::cli {

/// Set by the first Ctrl-C, SIGTERM or SIGHUP.
extern std::atomic<bool> interrupted;

/// The first Ctrl-C asks for an orderly end, the second one is not caught any more. A command that has not come to its
/// end 20 ms later (judgement: it feels immediate) ends where it is, with the exit code of an interrupted one:
/// it may be in the middle of a system call, or give back the memory of two large traces piece by piece.
void catch_signals();

/// While one lives, an interrupted command is left to end by itself: files are put in their place or removed first.
class OrderlyEnd {
 public:
  OrderlyEnd();
  ~OrderlyEnd();
  OrderlyEnd(const OrderlyEnd&) = delete;
  OrderlyEnd& operator=(const OrderlyEnd&) = delete;
};

/// Whether a line of progress stands on the terminal, which an end in the middle has to wipe.
extern std::atomic<bool> progress_shown;
inline constexpr char wipe_line[] = "\r\x1b[K";

}  // namespace kdiag::cli
