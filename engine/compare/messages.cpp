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

/// How the messages that both runs have changed.
struct Changes {
  std::vector<double> of_kinds;                    ///< sorted
  std::string most;                                ///< the kind whose time changed by the largest factor
  std::size_t large = 0, longer = 0, shorter = 0;  ///< kinds of large messages: all, those that surely take other times
  bool named = true;                               ///< the operation of all of them is stated

  double median() const { return statistics::quantile(of_kinds, 0.5); }
};

Changes changes_of(const Messages& before, const Messages& after) {
  Changes out;
  double factor = 1;
  for (const auto& [kind, dur] : after) {
    const auto same = before.find(kind);
    if (same == before.end()) continue;
    const double ratio = static_cast<double>(dur) / static_cast<double>(same->second);
    out.of_kinds.push_back(ratio - 1);
    out.named = out.named && !kind.first.empty();
    if (kind.second >= large_bytes) {
      ++out.large;
      out.longer += ratio >= surely_other ? 1 : 0;
      out.shorter += ratio <= 1 / surely_other ? 1 : 0;
    }
    if (std::max(ratio, 1 / ratio) <= factor) continue;
    factor = std::max(ratio, 1 / ratio);
    out.most = name_of_kind(kind);
  }
  std::sort(out.of_kinds.begin(), out.of_kinds.end());
  return out;
}

/// "messages take 50 % longer in the median of 3 kinds and sizes (from +50 % to +100 %, most in all_reduce of 4 KiB)"
std::string in_words(const Changes& changes) {
  const double median = changes.median();
  const std::string change = std::abs(median) <= least_noise_floor
                                 ? "about as long"
                                 : format_share(std::abs(median)) + (median > 0 ? " longer" : " less time");
  return "messages take " + change + " in the median of " + std::to_string(changes.of_kinds.size()) +
         " kinds and sizes (from " + signed_change(changes.of_kinds.front()) + " to " +
         signed_change(changes.of_kinds.back()) + ", most in " + changes.most + ")";
}

}  // namespace

std::optional<Judged> judge_messages(const FactStore& normal, const FactStore& abnormal, CancelFlag cancel) {
  const Changes changes = changes_of(messages_of(normal, cancel), messages_of(abnormal, cancel));
  if (changes.of_kinds.size() < least_kinds) return {};
  if (changes.of_kinds.front() == 0 && changes.of_kinds.back() == 0)
    return Judged{Verdict::neutral, "messages of all " + std::to_string(changes.of_kinds.size()) +
                                        " kinds and sizes take exactly as long"};
  const std::string taken = in_words(changes);
  const auto ranks_before = ranks_of(normal), ranks = ranks_of(abnormal);
  if (ranks_before && ranks && *ranks_before != *ranks)
    return Judged{Verdict::inconclusive,
                  taken + ", but " + std::to_string(*ranks_before) + " ranks sent them before and " +
                      std::to_string(*ranks) + " after: that is other work",
                  "repeat the test with as many ranks in both states"};
  if (!changes.named)
    return Judged{Verdict::inconclusive, taken + ", but the tables do not state of which operation",
                  "keep the lines around the tables, or the command that printed them"};
  const std::string all_large = "; each of the " + std::to_string(changes.large) + " sizes from 1 MiB on takes ";
  // Not where the smaller ones say the opposite.
  if (changes.large >= least_kinds && changes.longer == changes.large && changes.median() > -least_noise_floor)
    return Judged{Verdict::regression, taken + all_large + "at least 50 % longer, which is no chance", {}};
  if (changes.large >= least_kinds && changes.shorter == changes.large && changes.median() < least_noise_floor)
    return Judged{Verdict::improvement, taken + all_large + "at most two thirds of the time, which is no chance", {}};
  return Judged{Verdict::inconclusive,
                taken + ", unconfirmed: one test against another does not tell change from chance",
                "repeat the test in both states, and see what comes again"};
}

}  // namespace kdiag
