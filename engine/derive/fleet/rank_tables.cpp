// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/rank_tables.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "engine/derive/fleet/activities.hpp"
#include "engine/derive/fleet/kernel_durations.hpp"
#include "engine/derive/fleet/step_samples.hpp"

namespace kdiag {

void derive_rank_tables(FactStore& store) {
  derive_activities(store);
  derive_kernel_durations(store);
  derive_step_samples(store);
}

void count_ranks_of_findings(FactStore& store) {
  const auto rule = store.indices(column("findings.rule"));
  const auto rank = store.indices(column("findings.rank"));
  if (rule.empty() || rank.empty()) return;
  std::map<std::uint32_t, std::set<std::uint32_t>> having;
  for (std::size_t row = 0; row < rule.size(); ++row)
    if (rule[row] != absent_index && rank[row] != absent_index) having[rule[row]].insert(rank[row]);
  std::vector<std::int32_t> ranks;
  for (const std::uint32_t id : rule) {
    const auto found = having.find(id);
    ranks.push_back(found == having.end() ? absent_small : static_cast<std::int32_t>(found->second.size()));
  }
  store.replace(column("findings.ranks"), std::move(ranks), "derived");
}

}  // namespace kdiag
