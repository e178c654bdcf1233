// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rocprof/columns.hpp"

namespace kdiag::adapters::rocprof {

TableKind kind_of(const Header& header) {
  using enum Column;
  const bool timed = header.has(begin, end);
  if (header.has(function) && timed) return TableKind::calls;
  if (header.has(direction, source, destination) && timed) return TableKind::copies;
  if (header.has(name, calls, total)) return TableKind::totals;
  if (header.has(node, agent_type)) return TableKind::agents;
  if (!header.has(kernel, agent)) return TableKind::none;
  // rocprof v1 and v2 append a column per counter; rocprofv3, whose rows say their kind, has counters of their own
  // rows.
  if (header.has(counter_name) || (!header.has(kind) && !header.unknown().empty())) return TableKind::counters;
  return header.has(dispatch) || timed ? TableKind::dispatches : TableKind::none;
}

}  // namespace kdiag::adapters::rocprof
