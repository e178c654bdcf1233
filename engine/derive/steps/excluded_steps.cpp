// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/steps/excluded_steps.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "engine/derive/rows/scope.hpp"

namespace kdiag {

std::vector<OneOffCost> excluded_steps(const FactStore& store, const TimedSteps& timed, std::uint32_t slot) {
  std::vector<OneOffCost> costs;
  if (store.walls[slot].basis != WallBasis::steps || chooses_time(store.scope)) return costs;
  const std::span<const std::uint32_t> steps = timed.of(slot);
  constexpr std::pair<std::string_view, std::string_view> kinds[] = {{"warmup", "warm-up"}, {"partial", "cut-off end"}};
  for (const auto& [kind, what] : kinds) {
    OneOffCost cost{.what = std::string(what), .ns = 0, .judged = false, .rule = {}, .steps = {}};
    for (std::size_t position = 0; position < steps.size(); ++position) {
      const std::uint32_t row = steps[position];
      if (store.text(column("steps.kind"), row) != kind) continue;
      const std::int64_t index = store.integer(column("steps.index"), row);
      const std::int64_t number = index == absent_integer ? static_cast<std::int64_t>(position) : index;
      cost.ns += store.integer(column("steps.dur"), row);
      cost.steps = std::pair(cost.steps ? cost.steps->first : number, number);
    }
    if (cost.ns > 0) costs.push_back(std::move(cost));
  }
  return costs;
}

}  // namespace kdiag
