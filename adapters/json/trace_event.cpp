// SPDX-License-Identifier: Apache-2.0
#include "adapters/json/trace_event.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

/// Whether a key is this word. A comparison with a text of known length takes one or two instructions.
template <std::size_t Size>
bool is(std::string_view key, const char (&word)[Size]) {
  return key.size() == Size - 1 && std::memcmp(key.data(), word, Size - 1) == 0;
}

}  // namespace

Token EventArgs::search(std::string_view key) const {
  const auto found = std::find_if(members_.begin(), members_.end(), [key](const Member& member) {
    // Most keys of the same length differ in their first letter.
    return member.key.size() == key.size() && lower(member.key.front()) == lower(key.front()) &&
           (member.key == key || equal_but_for_case(member.key, key));
  });
  return found == members_.end() ? Token{} : found->value;
}

TraceEvent read_trace_event(std::span<const Member> members, std::span<const Member> args) {
  TraceEvent event;
  event.args = EventArgs(args);
  for (const auto& [key, value] : members) {
    if (is(key, "name")) event.name = value;
    else if (is(key, "cat")) event.cat = value;
    else if (is(key, "ph")) event.ph = value;
    else if (is(key, "pid")) event.pid = value;
    else if (is(key, "tid")) event.tid = value;
    else if (is(key, "ts")) event.ts = value;
    else if (is(key, "dur")) event.dur = value;
    else if (is(key, "id")) event.id = value;
    else if (is(key, "id2")) event.id2 = value;
    else if (is(key, "scope")) event.scope = value;
  }
  return event;
}

std::string_view unquoted(Token token) {
  return token.is_string() ? token.text.substr(1, token.text.size() - 2) : token.text;
}

}  // namespace kdiag::adapters
