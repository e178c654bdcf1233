// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/changes/change.hpp"

namespace kdiag {

std::string not_in_both(const ComparedRuns& runs, std::initializer_list<TableId> tables) {
  std::string out;
  for (const TableId id : tables)
    if (!runs.run.present(id) || !runs.baseline.present(id))
      out += (out.empty() ? "" : " ") + std::string(info(id).name);
  return out;
}

void set_shares(Change& change, std::optional<double> calls, std::optional<double> whole) {
  change.share = over(times(calls, change.each), whole);
  change.share_before = over(times(calls, change.each_before), whole);
}

}  // namespace kdiag
