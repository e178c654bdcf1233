// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/separated_calls.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#include <kdiag/format.hpp>

#include "engine/compare/changes/change.hpp"
#include "engine/compare/statistics/shift.hpp"

namespace kdiag {
namespace {

// Judgement.
constexpr double surely = 0.01, most_of_the_change = 0.5, nearly_all = 0.9;
// Times by which a call must grow to be sure that no clock, link or neighbour did it, and then its data may have.
constexpr double other_data = 1.5;
constexpr double worth_a_look = 0.1;  // of the time of all copies
// Times by which few calls must differ, and how long the slower ones must take, to be beyond what a cold start does.
constexpr double beyond_chance = 3, least_of_few = 1e6;
// As much of one call against one, which an idle clock or a first use may slow down as a whole: 210 MHz beside 1,980.
constexpr double beyond_clocks = 10;
// Calls of each run of which a first use slows down one, and how long the slower ones must take then.
constexpr std::int64_t several = 3;
constexpr double least_of_several = 1e5;
constexpr double few_reach = 0.25;  // of the calls that may reach those of the other run

std::size_t calls(std::int64_t count) { return static_cast<std::size_t>(std::max<std::int64_t>(count, 0)); }

bool as_often(const NamedWork& work, const CycleCounts& counts) {
  return work.calls_normal > 0 && work.calls_abnormal > 0 &&
         about_as_often(work.calls_abnormal_per(counts), work.calls_normal_per(counts));
}

bool all_longer(const NamedWork& work) {
  return work.shortest_abnormal && work.longest_normal && *work.shortest_abnormal > *work.longest_normal;
}
bool all_shorter(const NamedWork& work) {
  return work.longest_abnormal && work.shortest_normal && *work.longest_abnormal < *work.shortest_normal;
}
/// Whether there are calls enough to tell two samples apart.
bool sure_by_ranks(const NamedWork& work) {
  return statistics::least_rank_p(calls(work.calls_normal), calls(work.calls_abnormal)) <= surely;
}
/// Whether few calls are so far apart, and so long, that no start did it, and of one call no clock. Several that no
/// clock sets apart may be shorter: a start slows down the first of them.
bool times_apart(const NamedWork& work) {
  const auto least = all_longer(work) ? work.shortest_abnormal : work.shortest_normal;
  const auto most = all_longer(work) ? work.longest_normal : work.longest_abnormal;
  const bool single = work.calls_normal == 1 && work.calls_abnormal == 1;
  const double enough = single ? beyond_clocks : beyond_chance;
  const auto at_least = [&](double ns, double factor) {
    return static_cast<double>(*least) >= std::max(ns, factor * static_cast<double>(*most));
  };
  const bool repeated = std::min(work.calls_normal, work.calls_abnormal) >= several;
  return at_least(least_of_few, enough) || (repeated && at_least(least_of_several, beyond_clocks));
}

/// At most which part of calls with a mean and a least time can take `limit` or more (Markov's inequality).
double part_above(std::int64_t ns, std::int64_t count, std::int64_t least, std::int64_t limit) {
  if (count <= 0 || limit <= least) return 1;
  return (static_cast<double>(ns) / static_cast<double>(count) - static_cast<double>(least)) /
         static_cast<double>(limit - least);
}
/// Whether most calls of the faster run take less than any of the slower one, which its longest, the first, may not.
bool mostly_longer(const NamedWork& work) {
  return work.shortest_normal && work.shortest_abnormal &&
         part_above(work.ns_normal, work.calls_normal, *work.shortest_normal, *work.shortest_abnormal) <= few_reach;
}
bool mostly_shorter(const NamedWork& work) {
  return work.shortest_normal && work.shortest_abnormal &&
         part_above(work.ns_abnormal, work.calls_abnormal, *work.shortest_abnormal, *work.shortest_normal) <= few_reach;
}

bool separated(const NamedWork& work, const CycleCounts& counts) {
  if (!as_often(work, counts)) return false;
  if (all_longer(work) || all_shorter(work)) return sure_by_ranks(work) || times_apart(work);
  return (mostly_longer(work) || mostly_shorter(work)) && sure_by_ranks(work);
}

/// By how many times what a call has grew; 1 where that is not known.
double times(const NamedWork& work, std::int64_t before, std::int64_t after) {
  if (work.calls_normal <= 0 || work.calls_abnormal <= 0 || before <= 0) return 1;
  return static_cast<double>(after) / static_cast<double>(before) * static_cast<double>(work.calls_normal) /
         static_cast<double>(work.calls_abnormal);
}
double times(const NamedWork& work) { return times(work, work.ns_normal, work.ns_abnormal); }

/// By how many times the data of a copy grew: its bytes, else its time.
double data_times(const NamedWork& copy) {
  return copy.bytes_normal && copy.bytes_abnormal ? times(copy, *copy.bytes_normal, *copy.bytes_abnormal) : times(copy);
}

/// Whether copies over the host's link grew, or shrank, for each call in the direction of the run; a trifle beside all
/// that is copied tells nothing.
bool other_amount_of_data(const std::vector<NamedWork>& copies, bool longer) {
  double sum = 0;
  for (const NamedWork& copy : copies) sum += static_cast<double>(copy.ns_normal + copy.ns_abnormal);
  return std::any_of(copies.begin(), copies.end(), [longer, sum](const NamedWork& copy) {
    const bool linked = copy.name.starts_with("h2d") || copy.name.starts_with("d2h");
    const bool much = static_cast<double>(copy.ns_normal + copy.ns_abnormal) >= worth_a_look * sum;
    return linked && much && (longer ? data_times(copy) >= other_data : data_times(copy) <= 1 / other_data);
  });
}

std::string range(const NamedWork& work) {
  const bool longer = all_longer(work) || (!all_shorter(work) && mostly_longer(work));
  const std::string calls_now =
      work.name + ", " + format_count(work.calls_abnormal) + (work.calls_abnormal == 1 ? " call: " : " calls: ");
  if (!all_longer(work) && !all_shorter(work)) {
    const auto mean = [](std::int64_t ns, std::int64_t count) { return format_duration(ns / count); };
    return longer ? calls_now + mean(work.ns_normal, work.calls_normal) + " in the mean before, at least " +
                        format_duration(*work.shortest_abnormal) + " now"
                  : calls_now + "at least " + format_duration(*work.shortest_normal) + " before, " +
                        mean(work.ns_abnormal, work.calls_abnormal) + " in the mean now";
  }
  const auto before = longer ? work.longest_normal : work.shortest_normal;
  const auto after = longer ? work.shortest_abnormal : work.longest_abnormal;
  return calls_now + (longer ? "at most " : "at least ") + format_duration(*before) + " before, " +
         (longer ? "at least " : "at most ") + format_duration(*after) + " now";
}

/// Whether nearly all time is that of functions that both runs call often, and each takes as long as before.
bool calls_take_as_long(const Work& work, const CycleCounts& counts) {
  double sum = 0, alike = 0;
  for (const std::vector<NamedWork>* list : {&work.kernels, &work.copies})
    for (const NamedWork& own : *list) {
      const double ns = static_cast<double>(std::max(own.ns_normal, own.ns_abnormal));
      sum += ns;
      const bool often = as_often(own, counts) && sure_by_ranks(own);
      if (often && std::abs(times(own) - 1) <= least_noise_floor) alike += ns;
    }
  return sum > 0 && alike >= nearly_all * sum;
}

}  // namespace

std::optional<Judged> judge_separated_calls(const CycleEntry& run, const Work& work, const CycleCounts& counts) {
  if (run.basis != CycleBasis::run || !run.change) return std::nullopt;
  if (std::abs(*run.change) <= least_noise_floor && calls_take_as_long(work, counts))
    return Judged{Verdict::neutral, "calls of kernels and copies take as long as in the normal run, within " +
                                        format_share(least_noise_floor)};
  if (std::abs(*run.change) <= assumed_noise_floor) return std::nullopt;
  const bool longer = *run.change > 0;
  if (other_amount_of_data(work.copies, longer)) return std::nullopt;
  const double whole = static_cast<double>(*run.abnormal_ns - *run.normal_ns);
  double told = 0;
  std::size_t names = 0;
  bool all = true;
  const NamedWork* most = nullptr;
  for (const std::vector<NamedWork>* list : {&work.kernels, &work.copies})
    for (const NamedWork& own : *list) {
      if (!separated(own, counts)) continue;
      told += own.growth(counts);
      if ((own.growth(counts) > 0) != longer) continue;
      ++names;
      all = all && (all_longer(own) || all_shorter(own));
      if (most == nullptr || std::abs(own.growth(counts)) > std::abs(most->growth(counts))) most = &own;
    }
  if (most == nullptr || told / whole < most_of_the_change) return std::nullopt;
  // Where calls overlap, the mean of the faster run tells of most of its calls alone, and the least of all of the
  // other.
  const bool every = all || longer;
  return Judged{longer ? Verdict::regression : Verdict::improvement,
                std::string(every ? "every call of " : "most calls of ") +
                    (names == 1 ? "one function" : format_count(static_cast<std::int64_t>(names)) + " functions") +
                    " of the device" + (every ? " takes " : " take ") + (longer ? "longer" : "less") + " than " +
                    (all || !longer ? "any" : "most") + " in the normal run (" + range(*most) + ")"};
}

}  // namespace kdiag
