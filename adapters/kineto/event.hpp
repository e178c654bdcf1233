// SPDX-License-Identifier: Apache-2.0
// One event of a Kineto trace as its members stand in the text, and what its category means.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "adapters/util/instants.hpp"
#include "adapters/util/json.hpp"

namespace kdiag::adapters::kineto {

struct Event {
  Token name, cat, ph, pid, tid, ts, dur;
  std::span<const Member> args;

  /// The first argument with this key, or a missing token. Keys are compared without case: "External id" was
  /// "external id" in 2021, "Input Dims" was "Input dims".
  Token arg(std::string_view key) const;
  /// Start in ns, relative to the document's base time.
  std::optional<std::int64_t> start_ns() const { return in_range(to_ns(ts, 1000)); }
  std::optional<std::int64_t> dur_ns() const { return in_range(to_ns(dur, 1000)); }
};

/// Sorts an event's members. Views what `members` and `args` view.
Event read_event(std::span<const Member> members, std::span<const Member> args);

/// What an event is, by `cat` (any case), `ph` and, where the category is missing or shared, by name.
enum class EventKind : std::uint8_t {
  ignored,  ///< known and carries nothing that other events do not say: flows, sync records, sort indices
  unknown,  ///< a category that this adapter does not know
  op,       ///< framework operator on the host
  call,     ///< runtime or driver call
  kernel,
  copy,
  memset,
  host_range,    ///< user annotation
  device_range,  ///< the device work under a user annotation
  overhead,      ///< the profiler's own cost
  window,        ///< what the profiler recorded
  python_call,
  allocation,
  out_of_memory,
  counter,
  thread_name,
};
EventKind kind_of(const Event& event);

/// The three components of `[x, y, z]` or `"[x, y, z]"`; nothing for other shapes.
struct Dim3 {
  std::int64_t x = 0, y = 0, z = 0;
};
std::optional<Dim3> to_dim3(Token token);

/// An integer, also where the text before it names it: 7 of "stream 7".
std::optional<std::int64_t> trailing_integer(Token token);

}  // namespace kdiag::adapters::kineto
