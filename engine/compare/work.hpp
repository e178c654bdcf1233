// SPDX-License-Identifier: Apache-2.0
// What two runs did, name by name: kernels, operators, runtime calls and copies.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>

#include "base/interrupt.hpp"
#include "engine/compare/cycles/cycles.hpp"
#include "engine/compare/cycles/pair.hpp"

namespace kdiag {

/// One name in both runs; totals of the whole run.
struct NamedWork {
  std::string name;  ///< as the abnormal run calls it, else as the normal one does; of several names their family's
  bool communication = false;
  bool in_normal = false, in_abnormal = false;
  bool renamed = false;  ///< in both runs, but not under the same names: a family, or a name that a tool cut
  std::int64_t calls_normal = 0, calls_abnormal = 0;
  std::int64_t ns_normal = 0, ns_abnormal = 0;
  double waited_normal = 0, waited_abnormal = 0;  ///< ns of it in which the host waited for the device
  /// Shortest and longest call, of kernels and copies of one name; absent where the input states none.
  std::optional<std::int64_t> shortest_normal = {}, longest_normal = {}, shortest_abnormal = {}, longest_abnormal = {};
  std::optional<std::int64_t> bytes_normal = {}, bytes_abnormal = {};  ///< of copies, where all sizes are known

  double calls_normal_per(const CycleCounts& n) const { return static_cast<double>(calls_normal) / n.normal; }
  double calls_abnormal_per(const CycleCounts& n) const { return static_cast<double>(calls_abnormal) / n.abnormal; }
  /// By how much its time per cycle grew: all of it, and the part that comes from more (or fewer) calls at the normal
  /// run's time per call; the rest comes from the time per call.
  double growth(const CycleCounts& n) const;
  double growth_by_calls(const CycleCounts& n) const;
  /// The part of it that is waiting for the device.
  double growth_by_waiting(const CycleCounts& n) const;
};

struct Work {
  std::vector<NamedWork> kernels;    ///< of the compared device; matched as functions are (joined_names)
  std::vector<NamedWork> copies;     ///< of the compared device, by kind and memories
  std::vector<NamedWork> operators;  ///< of its rank; times are inclusive; empty when only one run has any
  std::vector<NamedWork> calls;      ///< of its rank; likewise
  std::vector<NamedWork> ranges;     ///< of its rank's threads, without what lies inside of them; likewise
  /// Of inputs that state these by cycle: of the host, over all threads, and of devices, over all of them; and how many
  /// cycles have any. Recordings lack functions in the cycles at their edges.
  std::vector<NamedWork> host_functions, device_functions;
  CycleCounts host_cycles, device_cycles;
};

/// Of a run whose wall is that of its device, operators and calls count as far as they lie in it: what the host did
/// before and after is no part of the time that is compared. Throws Interrupted.
/// Cycles with functions are counted by the work of `cycles`.
Work work_of(const ComparedPair& pair, const Cycles& cycles, CancelFlag cancel = nullptr);

/// Kernels of the compared device, with totals of the whole runs, and operators of its rank by their host time. Throw
/// Interrupted.
std::vector<NamedWork> kernels_of(const ComparedPair& pair, CancelFlag cancel = nullptr);
std::vector<NamedWork> operators_of(const ComparedPair& pair, CancelFlag cancel = nullptr);

/// Functions of devices that both inputs state by cycle, and how many cycles have any; as in Work. Throws Interrupted.
std::vector<NamedWork> device_functions_of(const ComparedPair& pair, CancelFlag cancel = nullptr);
CycleCounts device_cycles_of(const ComparedPair& pair);

/// How alike two lists of calls are, from 0 (nothing in common) to 1 (the same names as often, per cycle): the sum of
/// the smaller numbers of calls over the sum of the larger ones (weighted Jaccard similarity). Nothing of empty lists.
std::optional<double> similarity(const std::vector<NamedWork>& work, const CycleCounts& cycles);

/// The same, of what has the same names in both runs. Collectives count under any: libraries number them anew.
std::optional<double> similarity_by_name(const std::vector<NamedWork>& work, const CycleCounts& cycles);

/// The names whose time per cycle changed most, `most` of them: largest change first, but those whose change is mostly
/// waiting for the device behind the others, since it tells what the device took. An operator that only passes on the
/// change of one around it (as often, within 5 % of its change) is left out. Throws Interrupted.
std::vector<ChangeEntry> largest_changes(const Work& work, const CycleCounts& cycles, std::size_t most,
                                         CancelFlag cancel = nullptr);

}  // namespace kdiag
