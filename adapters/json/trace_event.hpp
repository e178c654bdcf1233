// SPDX-License-Identifier: Apache-2.0
// One event of a trace in the Trace Event Format ("Chrome trace"), as its members stand in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "adapters/io/instants.hpp"
#include "adapters/json/json.hpp"

namespace kdiag::adapters {

struct TraceEvent {
  Token name, cat, ph, pid, tid, ts, dur;
  Token id, id2, scope;  ///< of asynchronous events
  std::span<const Member> args;

  /// The first argument with this key, or a missing token. Keys are compared without case: "External id" was
  /// "external id" in 2021, "Input Dims" was "Input dims".
  Token arg(std::string_view key) const;
  /// Start in ns as the event states it, in microseconds from the document's origin.
  std::optional<std::int64_t> start_ns() const { return in_range(to_ns(ts, 1000)); }
  std::optional<std::int64_t> dur_ns() const { return in_range(to_ns(dur, 1000)); }
};

/// Sorts an event's members. Views what `members` and `args` view.
TraceEvent read_trace_event(std::span<const Member> members, std::span<const Member> args);

/// The text between the quotes, for categories, phases and keys, which hold no escapes; of other tokens, their text.
std::string_view unquoted(Token token);

}  // namespace kdiag::adapters
