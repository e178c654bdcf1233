// SPDX-License-Identifier: Apache-2.0
// What repeats in both runs, so that one repetition can be compared with the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/compare.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/pair.hpp"

namespace kdiag {

struct Cycle {
  std::int64_t index = 0;  ///< of the step as the input states it, else place among the cycles
  std::int64_t ns = 0;
  std::optional<Interval> span = {};  ///< when it was, where that is known
  bool placed = true;                 ///< whether the input says its number, or when it was
};

/// The cycles of both runs, in order of time where it is known.
struct Cycles {
  CycleBasis basis = CycleBasis::none;  ///< none when neither has a time
  std::string name;                     ///< of the range, the kernel, or the function whose calls the steps are
  std::vector<Cycle> normal, abnormal;
  std::string name_normal = {};  ///< of steps that are calls of another function there; else empty
  /// The first and the last step of each run, where they are left out of the others (edge_cycles.hpp); else empty.
  std::vector<Cycle> edges_normal = {}, edges_abnormal = {};
  /// How many times the work of the smaller cycle one of each run does; their times are those of the smaller one.
  double work_normal = 1, work_abnormal = 1;
};

/// How many cycles each run's totals are divided by.
struct CycleCounts {
  double normal = 1, abnormal = 1;
};

/// Of the cycles, by their work: 1 where the run is its own cycle, unless totals tell that one did more (equal_cycles).
CycleCounts counts_of(const Cycles& cycles);
/// Whether the cycles are nearly all of both runs, so that totals of the runs can be divided by their numbers.
bool cover_runs(const ComparedPair& pair, const Cycles& cycles);
/// How much of the work of a whole run there is: what repeats begins once more than it is measured from one start to
/// the next. Where cycles leave much of a run out, as many as would fill it.
CycleCounts whole_counts(const ComparedPair& pair, const Cycles& cycles);

/// "step 12" and "step 13" are one range, called "step", if each name occurs once. A name that is a number stays.
std::string without_number(std::string_view name);

/// A range or kernel repeats from this number on (judgement: fewer say nothing about spread).
inline constexpr std::size_t least_repetitions = 5;

/// The first that both runs have: the ranges called `anchor`, or the steps that are its calls, when it is not empty;
/// judged steps; user ranges of one name, at least least_repetitions of them and over at least half of the wall
/// (judgement), those that cover most; a kernel that repeats (find_repetition); the wall itself as one cycle. A range
/// lasts from its start to its end. Throws Interrupted.
Cycles find_cycles(const ComparedPair& pair, std::string_view anchor, CancelFlag cancel = nullptr);

}  // namespace kdiag
