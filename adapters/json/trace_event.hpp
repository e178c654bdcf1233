// SPDX-License-Identifier: Apache-2.0
// One event of a trace in the Trace Event Format ("Chrome trace"), as its members stand in the text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "adapters/json/json.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters {

/// Arguments of an event by their keys. Readers ask for many that an event does not have: those of other lengths are
/// told without a look at any.
class EventArgs {
 public:
  EventArgs() = default;
  explicit EventArgs(std::span<const Member> members) : members_(members) {
    for (const Member& member : members) lengths_ |= bit_of(member.key);
  }
  /// The first with this key, or a missing token. Keys are compared without case: "External id" was "external id" in
  /// 2021, "Input Dims" was "Input dims".
  Token find(std::string_view key) const { return (lengths_ & bit_of(key)) == 0 ? Token{} : search(key); }
  std::span<const Member> members() const { return members_; }

 private:
  static std::uint64_t bit_of(std::string_view key) { return std::uint64_t{1} << (key.size() % 64); }
  Token search(std::string_view key) const;

  std::span<const Member> members_;
  std::uint64_t lengths_ = 0;
};

struct TraceEvent {
  Token name, cat, ph, pid, tid, ts, dur;
  Token id, id2, scope;  ///< of asynchronous events
  EventArgs args;

  Token arg(std::string_view key) const { return args.find(key); }
  /// Whether `kdiag annotate` added it to the trace: no fact of it.
  bool of_diagnosis() const { return pid.text == "\"kdiag\""; }
  /// Start in ns as the event states it, in microseconds from the document's origin.
  std::optional<std::int64_t> start_ns() const { return in_range(to_ns(ts, 1000)); }
  std::optional<std::int64_t> dur_ns() const { return in_range(to_ns(dur, 1000)); }
};

/// Sorts an event's members. Views what `members` and `args` view.
TraceEvent read_trace_event(std::span<const Member> members, std::span<const Member> args);

/// The text between the quotes, for categories, phases and keys, which hold no escapes; of other tokens, their text.
std::string_view unquoted(Token token);

}  // namespace kdiag::adapters
