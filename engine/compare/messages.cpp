// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/messages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/format.hpp>

#include "engine/compare/statistics/sample.hpp"

namespace kdiag {
namespace {

constexpr std::size_t least_kinds = 3;
// By which each kind of large messages changes, in the same direction, before it is no chance: each is the mean of some
// twenty messages, and those of one test differ by a few percent from those of the next. Judgement.
constexpr double surely_other = 1.5;
constexpr std::int64_t large_bytes = 1 << 20;  // smaller ones are mostly latency, which varies (judgement)

/// The shortest time of each operation and size.
using Messages = std::map<std::pair<std::string_view, std::int64_t>, std::int64_t>;

Messages messages_of(const FactStore& store, CancelFlag cancel) {
  Messages out;
  for (std::size_t row = 0; row < store.rows(table("comms")); ++row) {
    stop_if(cancel);
    const std::string_view op = store.text(column("comms.op"), row);
    const std::int64_t bytes = store.integer(column("comms.bytes"), row), dur = store.integer(column("comms.dur"), row);
    if (bytes == absent_integer || bytes <= 0 || dur == absent_integer || dur <= 0) continue;
    const auto [known, added] = out.try_emplace({op, bytes}, dur);
    if (!added) known->second = std::min(known->second, dur);
  }
  return out;
}

/// How many ranks send the messages; nothing where that is not stated, or not the same of all.
std::optional<std::int64_t> ranks_of(const FactStore& store) {
  std::optional<std::int64_t> ranks;
  for (std::size_t row = 0; row < store.rows(table("comms")); ++row) {
    const std::int32_t size = store.small(column("comms.group_size"), row);
    if (size == absent_small || (ranks && *ranks != size)) return std::nullopt;
    ranks = size;
  }
  return ranks;
}

std::string name_of_kind(const std::pair<std::string_view, std::int64_t>& kind) {
  return (kind.first.empty() ? "messages" : std::string(kind.first)) + " of " +
         format_value({static_cast<double>(kind.second), "bytes"});
}

}  // namespace

std::optional<Judged> judge_messages(const FactStore& normal, const FactStore& abnormal, CancelFlag cancel) {
  const Messages before = messages_of(normal, cancel);
  const auto ranks_before = ranks_of(normal), ranks = ranks_of(abnormal);
  const bool other_ranks = ranks_before && ranks && *ranks_before != *ranks;
  std::vector<double> changes;
  std::size_t large = 0, longer = 0, shorter = 0;
  std::string most;  // the kind whose time changed by the largest factor
  double factor = 1;
  for (const auto& [kind, dur] : messages_of(abnormal, cancel)) {
    const auto same = before.find(kind);
    if (same == before.end()) continue;
    const double ratio = static_cast<double>(dur) / static_cast<double>(same->second);
    changes.push_back(ratio - 1);
    if (kind.second >= large_bytes) {
      ++large;
      longer += ratio >= surely_other ? 1 : 0;
      shorter += ratio <= 1 / surely_other ? 1 : 0;
    }
    if (std::max(ratio, 1 / ratio) <= factor) continue;
    factor = std::max(ratio, 1 / ratio);
    most = name_of_kind(kind);
  }
  if (changes.size() < least_kinds) return {};
  std::sort(changes.begin(), changes.end());
  const std::string kinds = std::to_string(changes.size()) + " kinds and sizes";
  if (changes.front() == 0 && changes.back() == 0)
    return Judged{Verdict::neutral, "messages of all " + kinds + " take exactly as long"};
  const double median = statistics::quantile(changes, 0.5);
  const std::string change = std::abs(median) <= least_noise_floor
                                 ? "about as long"
                                 : format_share(std::abs(median)) + (median > 0 ? " longer" : " less time");
  const std::string taken = "messages take " + change + " in the median of " + kinds + " (from " +
                            signed_change(changes.front()) + " to " + signed_change(changes.back()) + ", most in " +
                            most + ")";
  if (other_ranks)
    return Judged{Verdict::inconclusive,
                  taken + ", but " + std::to_string(*ranks_before) + " ranks sent them before and " +
                      std::to_string(*ranks) + " after: that is other work",
                  "repeat the test with as many ranks in both states"};
  if (large >= least_kinds && (longer == large || shorter == large))
    return Judged{longer == large ? Verdict::regression : Verdict::improvement,
                  taken + "; each size from 1 MiB on by half as much again or more, which is no chance",
                  {}};
  return Judged{Verdict::inconclusive,
                taken + ", unconfirmed: one test against another does not tell change from chance",
                "repeat the test in both states, and see what comes again"};
}

}  // namespace kdiag
