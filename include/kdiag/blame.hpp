// SPDX-License-Identifier: Apache-2.0
// What an idle device waits for: the words of `idle.blame`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace kdiag {

/// What would have had to end earlier for a device to have work. Finer than the cause (`idle.cause`), which stays the
/// line of the ledger: each nanosecond of idle time has at most one of each. How each is found: docs/blame.md.
enum class Blame : std::uint8_t {
  blocking_call,
  other_device,
  input,
  host_collective,
  allocation,
  copy_call,
  slow_call,
  first_use,
  compile,
  gc,
  capture,
  system_call,
  launch_bound,
  launch_latency,
  queued,
  host_work,
  python,
  unrecorded,
  unused,
};

struct BlameInfo {
  Blame blame;
  std::string_view name;
  std::string_view doc;  ///< what the device waits for, and what decides that it is this
};

/// By Blame, in its order.
inline constexpr BlameInfo catalogue_blames[] = {
    {Blame::blocking_call, "blocking_call",
     "The thread that launches is in a call that waits for the device, or has not begun anything since it returned. "
     "The device ran dry inside the call."},
    {Blame::other_device, "other_device",
     "Another device of the same process runs kernels, and the call or queue waits for it. This device has its turn "
     "later."},
    {Blame::input, "input", "The thread that launches is in a range of data loading. The next batch is not there."},
    {Blame::host_collective, "host_collective",
     "The thread that launches is in a range of communication of the host. It waits for other ranks."},
    {Blame::allocation, "allocation",
     "The thread that launches allocates, releases or registers memory. Many of these calls wait for the device "
     "first."},
    {Blame::copy_call, "copy_call",
     "A copy call keeps the host for longer than queueing takes: it moves the data through a staging buffer. Time in "
     "which the copy itself runs is not idle."},
    {Blame::slow_call, "slow_call",
     "The thread that launches is in another runtime call, or in a launch call that takes far longer than a launch. "
     "It is no first use, since the call was slow before or comes again."},
    {Blame::first_use, "first_use",
     "Code is loaded: by a call that loads a module or library, or inside the first launch of a kernel. A process pays "
     "it once for each kernel or module."},
    {Blame::compile, "compile",
     "Code is compiled or linked, as calls, ranges and Python functions of compilers tell. It comes again with each "
     "new shape."},
    {Blame::gc, "gc",
     "Python collects garbage, as a range or a call of gc.collect tells. Collections without an event are not "
     "guessed."},
    {Blame::capture, "capture",
     "The host records launches into a device graph, between the calls that begin and end a capture. Nothing was meant "
     "to run."},
    {Blame::system_call, "system_call",
     "The thread that launches sits in a recorded call of the operating system: reading, polling, sleeping, waiting "
     "for "
     "a lock. No operator or runtime call around it says more."},
    {Blame::launch_bound, "launch_bound",
     "A short gap in front of work that was launched too late, where most kernels are shorter than a launch takes or a "
     "blocking call follows most launches. Each launch costs the host more than the device needs for the work."},
    {Blame::launch_latency, "launch_latency",
     "A short gap in front of work that had been launched before the device fell idle. The device needs a moment from "
     "one kernel to the next."},
    {Blame::queued, "queued",
     "The launch call had returned and the work did not start. It waits for an event, another stream, a peer, or "
     "something that was not recorded."},
    {Blame::host_work, "host_work",
     "The thread that launches does something else: operators, Python, or work between recorded events. It falls "
     "behind the device."},
    {Blame::python, "python",
     "No operator or call was recorded on the host for 100 ms and more, but a Python function or a named range was. "
     "The host works or waits in it."},
    {Blame::unrecorded, "unrecorded",
     "Nothing was recorded on the host for 100 ms and more. The trace does not say what it did."},
    {Blame::unused, "unused", "The device ran nothing at all in the time that is judged. It was offered no work."},
};

inline constexpr std::size_t blame_count = std::size(catalogue_blames);

constexpr const BlameInfo& info(Blame blame) { return catalogue_blames[static_cast<std::size_t>(blame)]; }
constexpr std::string_view name_of(Blame blame) { return info(blame).name; }

namespace catalogue_detail {
constexpr bool blames_in_order() {
  for (std::size_t i = 0; i < blame_count; ++i)
    if (static_cast<std::size_t>(catalogue_blames[i].blame) != i) return false;
  return true;
}
static_assert(blames_in_order(), "a row of catalogue_blames for each Blame, in the same order");
}  // namespace catalogue_detail

}  // namespace kdiag
