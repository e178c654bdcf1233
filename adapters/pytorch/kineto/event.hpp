// SPDX-License-Identifier: Apache-2.0
// What an event of a Kineto trace is, by its category.
#pragma once

#include <cstdint>
#include <optional>

#include "adapters/json/trace_event.hpp"

namespace kdiag::adapters::kineto {

using Event = TraceEvent;

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
  loading,       ///< the program fetches a batch
  exchange,      ///< the host's side of a collective
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

/// An integer, also where text before or behind it says what it counts: 7 of "stream 7", 4242 of "4242(Python)".
std::optional<std::int64_t> named_integer(Token token);

}  // namespace kdiag::adapters::kineto
