// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/equal_cycles.hpp"

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include <kdiag/format.hpp>
#include <kdiag/wall_basis.hpp>

#include "base/number.hpp"
#include "engine/compare/changes/change.hpp"
#include "engine/compare/input_sizes.hpp"
#include "engine/compare/statistics/sample.hpp"
#include "engine/compare/work.hpp"

namespace kdiag {
namespace {

// Judgement.
constexpr std::size_t least_functions = 3;
constexpr double most_functions = 0.9;

void divide_times(std::vector<Cycle>& cycles, double by) {
  for (Cycle& cycle : cycles) cycle.ns = Number(static_cast<double>(cycle.ns) / by).rounded();
}

/// Makes both the work of the smaller cycle.
void scale(Cycles& cycles, double ratio) {
  if (ratio < 1) {
    cycles.work_normal = 1 / ratio;
    divide_times(cycles.normal, cycles.work_normal);
    divide_times(cycles.edges_normal, cycles.work_normal);
  } else {
    cycles.work_abnormal = ratio;
    divide_times(cycles.abnormal, cycles.work_abnormal);
    divide_times(cycles.edges_abnormal, cycles.work_abnormal);
  }
}

Obstacle other_anchors(const Cycles& cycles) {
  return {"a cycle of the normal run is a call of " + cycles.name_normal + ", one of the abnormal run a call of " +
              cycles.name + ", and what devices do in them has no common ratio",
          "record both runs by the calls of one function"};
}

std::int64_t working_devices(const FactStore& store) {
  std::set<std::uint32_t> devices;
  for (const auto& [id, device] : {std::pair(table("kernel_stats"), column("kernel_stats.device")),
                                   std::pair(table("functions"), column("functions.device"))})
    for (std::uint32_t row = 0; row < store.rows(id); ++row)
      if (const std::uint32_t on = store.index(device, row); on != absent_index) devices.insert(on);
  return static_cast<std::int64_t>(devices.size());
}

/// A run without work of a device is as long as its host was recorded.
Obstacle only_host(const ComparedPair& pair) {
  const bool normal = pair.normal.wall().basis == WallBasis::host;
  const PairSide &host = normal ? pair.normal : pair.abnormal, &other = normal ? pair.abnormal : pair.normal;
  if (host.wall().basis != WallBasis::host || other.wall().basis != WallBasis::device) return {};
  if (working_devices(host.store()) > 0) return {};  // totals, without a timeline
  return {std::string("nothing that a device did was recorded of the ") + (normal ? "normal" : "abnormal") +
              " run, and the other is measured by the work of its devices",
          "record the device in both runs, if both use one"};
}

Obstacle other_walls(const ComparedPair& pair) {
  const WallBasis before = pair.normal.wall().basis, after = pair.abnormal.wall().basis;
  if (before == after) return {};
  if (before != WallBasis::steps && after != WallBasis::steps) return only_host(pair);
  const std::string marked = before == WallBasis::steps ? "normal" : "abnormal";
  return {"only the " + marked + " run marks its steps, and the other is measured as a whole, with what comes before " +
              "and after its steps",
          "mark the steps in both runs, or name the same range of both with --anchor or --within"};
}

/// Totals that list no kernel of the graphs that were launched are no measure of what the device did.
Obstacle unlisted_work(const ComparedPair& pair) {
  const auto waits = [](const PairSide& side) {
    return side.store().integer(column("runs.unlisted_device_time"), 0) > 0;
  };
  const bool normal = waits(pair.normal), abnormal = waits(pair.abnormal);
  if (!normal && !abnormal) return {};
  return {
      "the host of " +
          std::string(normal && abnormal ? "both runs"
                      : normal           ? "the normal run"
                                         : "the abnormal run") +
          " waited for far more work of the device than the totals list: kernels of device graphs are not in them",
      "record graphs kernel by kernel in both runs (nsys profile --cuda-graph-trace=node, rocprofv3 --kernel-trace)"};
}

Obstacle other_devices(const ComparedPair& pair) {
  const FactStore &normal = pair.normal.store(), &abnormal = pair.abnormal.store();
  if (normal.rows(table("ranks")) > 0 || abnormal.rows(table("ranks")) > 0) return {};
  const std::int64_t before = working_devices(normal), after = working_devices(abnormal);
  if (before == after || before == 0 || after == 0) return {};
  const auto words = [](std::int64_t n) { return format_count(n) + (n == 1 ? " device" : " devices"); };
  return {words(before) + " did the work of the normal run, " + words(after) + " that of the abnormal run",
          "record both runs on as many devices, or choose one of them with --device"};
}

bool of_other_makers(const ComparedPair& pair) {
  const auto maker = [](const PairSide& side) {
    return side.device == absent_index ? std::string_view{} : side.store().text(column("devices.vendor"), side.device);
  };
  const std::string_view before = maker(pair.normal), after = maker(pair.abnormal);
  return !before.empty() && !after.empty() && before != after;
}

/// What --per does for runs of other sizes. `repeats`: there are cycles whose samples it can state; `asked`: it was
/// given.
std::string advice_on_samples(bool repeats, bool asked) {
  if (repeats) return "say how many samples a cycle has in each: --per images=32,64";
  if (asked) return "mark the steps in both runs: --per counts the samples of a cycle, and nothing repeats here";
  return "mark the steps in both runs and say how many samples a cycle has in each: --per images=32,64";
}

Obstacle other_sizes(const ComparedPair& pair, const std::string& advice, CancelFlag cancel) {
  const auto said = [&advice](const SharedSizes& sizes, const std::string& what, const std::string& how) {
    const auto count = [](std::size_t n) { return format_count(static_cast<std::int64_t>(n)); };
    return Obstacle{count(sizes.other) + " of " + count(sizes.names) + " " + what + " that both runs have " + how +
                        ": batch size or length of the inputs differ",
                    "compare runs with the same batch size and inputs, or " + advice};
  };
  const SharedSizes operators = operator_sizes(pair, cancel);
  if (of_other_sizes(operators)) return said(operators, "operators", "work on other shapes");
  // On equal inputs other grids are another library, compiler or device.
  if (of_same_sizes(operators) || of_other_makers(pair)) return {};
  if (const SharedSizes kernels = kernel_sizes(pair, cancel); of_other_sizes(kernels))
    return said(kernels, "kernels", "are launched with other grids");
  return {};
}

struct WeightedRatio {
  double ratio = 0, weight = 0;
};

/// Half of the weight lies below it.
double weighted_median(std::vector<WeightedRatio> ratios, double sum) {
  std::sort(ratios.begin(), ratios.end(), [](const auto& a, const auto& b) { return a.ratio < b.ratio; });
  double below = 0;
  for (const WeightedRatio& own : ratios)
    if ((below += own.weight) >= sum / 2) return own.ratio;
  return 1;
}

/// What totals of both runs list: kernels, else operators. Nothing of runs with a clock.
std::vector<NamedWork> listed_work(const ComparedPair& pair, CancelFlag cancel) {
  if (pair.normal.ledger == nullptr)
    return pair.normal.wall().basis == WallBasis::none ? operators_of(pair, cancel) : std::vector<NamedWork>();
  const bool totals = pair.normal.ledger->basis == LedgerBasis::serial && pair.abnormal.device != absent_index;
  return totals ? kernels_of(pair, cancel) : std::vector<NamedWork>();
}

/// How many times the work of a whole run that has no clock another one does: totals of runs of other lengths. By the
/// time of what is called, since some is called once at the start of each. Nothing where it is called about as often,
/// where names do not agree, and where some are in one of the runs alone.
std::optional<double> whole_run_ratio(const ComparedPair& pair, CancelFlag cancel) {
  std::vector<WeightedRatio> ratios;
  double sum = 0, agreed = 0;
  for (const NamedWork& own : listed_work(pair, cancel)) {
    if (own.calls_normal <= 0 || own.calls_abnormal <= 0) return std::nullopt;
    ratios.push_back({static_cast<double>(own.calls_abnormal) / static_cast<double>(own.calls_normal),
                      static_cast<double>(own.ns_normal)});
    sum += ratios.back().weight;
  }
  const double ratio = weighted_median(ratios, sum);
  for (const WeightedRatio& own : ratios)
    if (about_as_often(own.ratio, ratio)) agreed += own.weight;
  const bool enough = sum > 0 && agreed >= most_functions * sum;
  return enough && !about_as_often(ratio, 1) ? std::optional(ratio) : std::nullopt;
}

}  // namespace

std::optional<double> common_call_ratio(const ComparedPair& pair, CancelFlag cancel) {
  const CycleCounts counts = device_cycles_of(pair);
  std::vector<double> ratios;
  for (const NamedWork& function : device_functions_of(pair, cancel))
    if (function.calls_normal > 0 && function.calls_abnormal > 0)
      ratios.push_back(function.calls_abnormal_per(counts) / function.calls_normal_per(counts));
  const std::optional<double> middle = statistics::median(ratios);
  if (!middle || ratios.size() < least_functions) return std::nullopt;
  const auto alike = std::count_if(ratios.begin(), ratios.end(), [&](double r) { return about_as_often(r, *middle); });
  return static_cast<double>(alike) >= most_functions * static_cast<double>(ratios.size()) ? middle : std::nullopt;
}

EqualCycles equal_cycles(const ComparedPair& pair, const CycleRequest& request, CancelFlag cancel) {
  EqualCycles out{find_cycles(pair, request.anchor, cancel), {}};
  // A whole run is no cycle whose samples somebody could have counted.
  const bool said = request.per != nullptr && out.cycles.basis != CycleBasis::run;
  if (said) {
    scale(out.cycles, request.per->abnormal / request.per->normal);
  } else if (!out.cycles.name_normal.empty()) {
    const std::optional<double> ratio = common_call_ratio(pair, cancel);
    if (ratio) scale(out.cycles, *ratio);
    else out.obstacle = other_anchors(out.cycles);
  } else if (out.cycles.basis == CycleBasis::run) {
    if (const std::optional<double> ratio = whole_run_ratio(pair, cancel)) scale(out.cycles, *ratio);
  }
  if (!out.obstacle && out.cycles.basis == CycleBasis::run) out.obstacle = other_walls(pair);
  if (!out.obstacle) out.obstacle = unlisted_work(pair);
  if (!out.obstacle) out.obstacle = other_devices(pair);
  const bool repeats = out.cycles.basis != CycleBasis::run;
  if (!out.obstacle && !said)
    out.obstacle = other_sizes(pair, advice_on_samples(repeats, request.per != nullptr), cancel);
  return out;
}

}  // namespace kdiag
