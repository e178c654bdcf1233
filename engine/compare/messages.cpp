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

/// The shortest time of each operation and size.
using Messages = std::map<std::pair<std::string_view, std::int64_t>, std::int64_t>;

Messages messages_of(const FactStore& store, CancelFlag cancel) {
  Messages out;
  for (std::size_t row = 0; row < store.rows(table("comms")); ++row) {
    stop_if(cancel);
    const std::string_view op = store.text(column("comms.op"), row);
    const std::int64_t bytes = store.integer(column("comms.bytes"), row), dur = store.integer(column("comms.dur"), row);
    if (op.empty() || bytes == absent_integer || bytes <= 0 || dur == absent_integer || dur <= 0) continue;
    const auto [known, added] = out.try_emplace({op, bytes}, dur);
    if (!added) known->second = std::min(known->second, dur);
  }
  return out;
}

}  // namespace

std::optional<Judged> judge_messages(const FactStore& normal, const FactStore& abnormal, CancelFlag cancel) {
  const Messages before = messages_of(normal, cancel);
  std::vector<double> changes;
  std::string most;  // the kind whose time changed by the largest factor
  double factor = 1;
  for (const auto& [kind, dur] : messages_of(abnormal, cancel)) {
    const auto same = before.find(kind);
    if (same == before.end()) continue;
    const double ratio = static_cast<double>(dur) / static_cast<double>(same->second);
    changes.push_back(ratio - 1);
    if (std::max(ratio, 1 / ratio) <= factor) continue;
    factor = std::max(ratio, 1 / ratio);
    most = std::string(kind.first) + " of " + format_value({static_cast<double>(kind.second), "bytes"});
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
  return Judged{Verdict::inconclusive,
                "messages take " + change + " in the median of " + kinds + " (from " + signed_change(changes.front()) +
                    " to " + signed_change(changes.back()) + ", most in " + most +
                    "), unconfirmed: one test against another does not tell change from chance",
                "repeat the test in both states, and see what comes again"};
}

}  // namespace kdiag
