// SPDX-License-Identifier: Apache-2.0
#include "adapters/json/trace_event.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace kdiag::adapters {
Token TraceEvent::arg(std::string_view key) const {
  const auto found = std::find_if(args.begin(), args.end(),
                                  [key](const Member& member) { return equal_but_for_case(member.key, key); });
  return found == args.end() ? Token{} : found->value;
}

TraceEvent read_trace_event(std::span<const Member> members, std::span<const Member> args) {
  TraceEvent event;
  event.args = args;
  for (const Member& member : members) {
    if (member.key == "name") event.name = member.value;
    else if (member.key == "cat") event.cat = member.value;
    else if (member.key == "ph") event.ph = member.value;
    else if (member.key == "pid") event.pid = member.value;
    else if (member.key == "tid") event.tid = member.value;
    else if (member.key == "ts") event.ts = member.value;
    else if (member.key == "dur") event.dur = member.value;
    else if (member.key == "id") event.id = member.value;
    else if (member.key == "id2") event.id2 = member.value;
    else if (member.key == "scope") event.scope = member.value;
  }
  return event;
}

std::string_view unquoted(Token token) {
  return token.is_string() ? token.text.substr(1, token.text.size() - 2) : token.text;
}

}  // namespace kdiag::adapters
