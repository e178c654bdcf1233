// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/barriers.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_map>

#include "engine/derive/rows/row_groups.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag::fleet {
namespace {

/// The steps of one rank, by start.
struct RankStep {
  Interval span;
  std::uint32_t step = no_step;  ///< absent of steps that are not steady
};

std::vector<std::int64_t> steady_steps(const FactStore& store) {
  const auto index = store.integers(column("steps.index"));
  const auto kind = store.indices(column("steps.kind"));
  const std::uint32_t steady = store.strings.find("steady");
  std::set<std::int64_t> steps;
  for (std::size_t row = 0; row < index.size(); ++row)
    if (index[row] != absent_integer && (kind.empty() || kind[row] == absent_index || kind[row] == steady))
      steps.insert(index[row]);
  return {steps.begin(), steps.end()};
}

std::vector<RankStep> steps_of(const FactStore& store, std::span<const std::uint32_t> rows,
                               const std::vector<std::int64_t>& numbers) {
  const SpanColumns spans{store.integers(column("steps.start")), store.integers(column("steps.dur"))};
  std::vector<RankStep> steps;
  for (const std::uint32_t row : rows) {
    if (!spans[row]) continue;
    const auto number = std::lower_bound(numbers.begin(), numbers.end(), store.integer(column("steps.index"), row));
    const bool steady = number != numbers.end() && *number == store.integer(column("steps.index"), row);
    steps.push_back({*spans[row], steady ? static_cast<std::uint32_t>(number - numbers.begin()) : no_step});
  }
  std::sort(steps.begin(), steps.end(),
            [](const RankStep& a, const RankStep& b) { return a.span.start < b.span.start; });
  return steps;
}

/// The barrier of each row of `comms`.
std::vector<std::uint32_t> number_barriers(const FactStore& store, std::size_t& count) {
  const auto match = store.integers(column("comms.match"));
  std::vector<std::uint32_t> barriers(store.rows(table("comms")));
  std::unordered_map<std::int64_t, std::uint32_t> known;
  std::uint32_t next = 0;
  for (std::size_t row = 0; row < barriers.size(); ++row) {
    if (match.empty() || match[row] == absent_integer) barriers[row] = next++;
    else if (const auto [at, made] = known.try_emplace(match[row], next); made) barriers[row] = next++;
    else barriers[row] = at->second;
  }
  count = next;
  return barriers;
}

/// Sets the local work of a rank's calls, which are in order.
void set_local_work(Barriers& barriers, std::size_t begin, std::size_t end) {
  const auto by_end = barriers.by_end.begin();
  std::sort(by_end + static_cast<std::ptrdiff_t>(begin), by_end + static_cast<std::ptrdiff_t>(end),
            [&](std::uint32_t a, std::uint32_t b) { return barriers.calls[a].span.end < barriers.calls[b].span.end; });
  std::size_t ended = begin;
  for (std::size_t i = begin + 1; i < end; ++i) {
    Call& call = barriers.calls[i];
    std::int64_t since = barriers.calls[i - 1].span.start;
    for (; ended < end && barriers.calls[barriers.by_end[ended]].span.end <= call.span.start; ++ended) {
    }
    if (ended > begin) since = std::max(since, barriers.calls[barriers.by_end[ended - 1]].span.end);
    call.local = call.span.start - since;
  }
}

void set_steps(Barriers& barriers, std::size_t begin, std::size_t end, const std::vector<RankStep>& steps,
               bool any_steps) {
  std::size_t step = 0;
  std::uint32_t last = no_step, place = 0;
  for (std::size_t i = begin; i < end; ++i) {
    Call& call = barriers.calls[i];
    while (step < steps.size() && steps[step].span.end <= call.span.start) ++step;
    const bool inside = step < steps.size() && steps[step].span.start <= call.span.start;
    call.step = !any_steps ? 0 : inside ? steps[step].step : no_step;
    place = call.step == last ? place + 1 : 0;
    last = call.step;
    call.place = place;
  }
}

}  // namespace

Barriers barriers_of(const FactStore& store) {
  Barriers barriers;
  const std::size_t ranks = store.rows(table("ranks"));
  const SpanColumns spans{store.integers(column("comms.start")), store.integers(column("comms.dur"))};
  const RowGroups of_rank(store.indices(column("comms.rank")), store.rows(table("comms")), ranks);
  const RowGroups step_rows(store.indices(column("steps.rank")), store.rows(table("steps")), ranks);
  std::size_t count = 0;
  const std::vector<std::uint32_t> numbers = number_barriers(store, count);
  barriers.members.resize(count);
  barriers.transfer.assign(count, latest_instant);
  barriers.steps = steady_steps(store);
  const bool any_steps = !barriers.steps.empty();
  if (!any_steps) barriers.steps.push_back(0);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const std::size_t begin = barriers.calls.size();
    barriers.first.push_back(begin);
    for (const std::uint32_t row : of_rank.of(rank)) {
      if (!spans[row] || spans[row]->length() == 0) continue;
      Call call;
      call.barrier = numbers[row];
      call.row = row;
      call.span = *spans[row];
      barriers.calls.push_back(call);
      ++barriers.members[call.barrier];
      barriers.transfer[call.barrier] = std::min(barriers.transfer[call.barrier], call.span.length());
    }
    const std::size_t end = barriers.calls.size();
    std::stable_sort(barriers.calls.begin() + static_cast<std::ptrdiff_t>(begin), barriers.calls.end(),
                     [](const Call& a, const Call& b) { return a.span.start < b.span.start; });
    barriers.by_end.resize(end);
    std::iota(barriers.by_end.begin() + static_cast<std::ptrdiff_t>(begin), barriers.by_end.end(),
              static_cast<std::uint32_t>(begin));
    set_local_work(barriers, begin, end);
    const std::vector<RankStep> steps = steps_of(store, step_rows.of(rank), barriers.steps);
    set_steps(barriers, begin, end, steps, any_steps);
    const std::int64_t last = end > begin ? barriers.calls[barriers.by_end[end - 1]].span.end : 0;
    barriers.tail.push_back(end > begin && !steps.empty() ? std::max<std::int64_t>(0, steps.back().span.end - last)
                                                          : 0);
  }
  barriers.first.push_back(barriers.calls.size());
  return barriers;
}

}  // namespace kdiag::fleet
