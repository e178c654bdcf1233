// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/utilization.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/work/filled_column.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// A training step is counted as three forward passes: the backward pass has two products for each of the forward one
/// (Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", SC 2021).
constexpr double passes_of_training = 3;

/// By how much three forward passes may exceed what was executed: nobody asks for the gradient of the first layer's
/// input (judgement).
constexpr double most_of_executed = 1.1;

/// For how much of the time of products operations must be known, for a figure to say something of all (judgement).
constexpr double least_known = 0.5;

/// Whether operators belong to a backward pass, or to what it computes again: those that have a forward operator, and
/// those below them. Rows stand in the order of the input, which may have children first.
class BackwardOps {
 public:
  explicit BackwardOps(const FactStore& store)
      : forwards_(store.indices(column("ops.forward"))),
        parents_(store.indices(column("ops.parent"))),
        known_(store.rows(table("ops")), open) {}

  bool operator[](std::uint32_t op) {
    std::uint8_t found = forward;
    path_.clear();
    for (std::uint32_t at = op;; at = parents_[at]) {
      if (known_[at] != open) {
        found = known_[at];
        break;
      }
      path_.push_back(at);
      known_[at] = forward;  // ends parents that lead in a circle
      if (!forwards_.empty() && forwards_[at] != absent_index) found = backward;
      if (found == backward || parents_.empty() || parents_[at] == absent_index) break;
    }
    for (const std::uint32_t at : path_) known_[at] = found;
    return found == backward;
  }

 private:
  enum : std::uint8_t { open, forward, backward };
  const std::span<const std::uint32_t> forwards_, parents_;
  std::vector<std::uint8_t> known_;  // by operator
  std::vector<std::uint32_t> path_;
};

bool has_peaks(const FactStore& store, std::uint32_t device) {
  for (const ColumnId peak : {column("devices.peak_fp64"), column("devices.peak_fp32"), column("devices.peak_tf32"),
                              column("devices.peak_fp16"), column("devices.peak_bf16"), column("devices.peak_fp8"),
                              column("devices.peak_int8")})
    if (store.real(peak, device) > 0) return true;
  return false;
}

class UtilizationSums {
 public:
  explicit UtilizationSums(const FactStore& store)
      : store_(store),
        ops_(store.indices(column("kernels.op"))),
        devices_(store.indices(column("kernels.device"))),
        times_(store.integers(column("kernels.dur"))),
        flops_(store.reals(column("ops.flops"))),
        at_peak_(store.integers(column("ops.at_peak"))) {
    sums_.devices.resize(store.rows(table("devices")));
    sums_.steps.resize(store.rows(table("steps")));
    for (std::uint32_t device = 0; device < sums_.devices.size(); ++device) {
      peaks_.push_back(has_peaks(store, device));
      walls_.push_back(worked_wall(store, device));
    }
    if (devices_.empty()) return;
    number_ops();
    add_kernels();
    BackwardOps backward(store);
    for (OwnWork& own : sums_.ops) add_op(own, backward[own.op]);
  }
  Utilizations take() { return std::move(sums_); }

 private:
  bool counts(std::size_t kernel) const { return devices_[kernel] != absent_index && times_[kernel] > 0; }

  /// Most operators launch nothing themselves.
  void number_ops() {
    if (ops_.empty()) return;
    own_.assign(store_.rows(table("ops")), absent_index);
    for (std::size_t kernel = 0; kernel < times_.size(); ++kernel)
      if (counts(kernel) && ops_[kernel] != absent_index) own_[ops_[kernel]] = 0;
    for (std::uint32_t op = 0; op < own_.size(); ++op) {
      if (own_[op] == absent_index) continue;
      own_[op] = static_cast<std::uint32_t>(sums_.ops.size());
      sums_.ops.push_back({.op = op});
    }
  }

  /// As the account of time, work is cut where the wall ends: what a busy queue holds belongs to the time in which it
  /// runs.
  void add_kernels() {
    const auto starts = store_.integers(column("kernels.start"));
    const auto classes = store_.indices(column("kernels.class"));
    const auto steps = store_.indices(column("kernels.step"));
    const std::uint32_t products[] = {store_.strings.find("gemm"), store_.strings.find("conv"),
                                      store_.strings.find("attention")};
    for (std::size_t kernel = 0; kernel < times_.size(); ++kernel) {
      if (!counts(kernel)) continue;
      const std::uint32_t device = devices_[kernel];
      const std::int64_t time = times_[kernel];
      sums_.devices[device].worked = true;
      const Wall* const wall = walls_[device];
      const auto span = starts.empty() ? std::nullopt : span_of(starts[kernel], time);
      const bool timed = wall != nullptr && wall->window && span;
      const auto judged = static_cast<double>(timed ? wall->parts.covered(*span) : time);
      const bool of_products =
          !classes.empty() && classes[kernel] != absent_index &&
          std::find(std::begin(products), std::end(products), classes[kernel]) != std::end(products);
      if (ops_.empty() || ops_[kernel] == absent_index) {
        if (!of_products) continue;
        sums_.devices[device].time += judged;
        if (!steps.empty() && steps[kernel] != absent_index)
          sums_.steps[steps[kernel]].time += static_cast<double>(time);
        continue;
      }
      OwnWork& own = sums_.ops[own_[ops_[kernel]]];
      own.device = device;
      own.time += static_cast<double>(time);
      own.judged += judged;
      if (!of_products) continue;
      own.products += static_cast<double>(time);
      own.judged_products += judged;
    }
  }

  void add_op(OwnWork& own, bool backward) {
    const std::int64_t at_peak = at_peak_.empty() ? absent_integer : at_peak_[own.op];
    const bool has_flops = !flops_.empty() && !std::isnan(flops_[own.op]);
    // What has no peak, or was faster than it, is as good as not known.
    own.known = has_flops && (!peaks_[own.device] || at_peak != absent_integer);
    const double least = own.known && peaks_[own.device] ? static_cast<double>(at_peak) : 0;
    const auto add = [&](Utilization& sum, double time, double products, double share) {
      sum.time += own.known ? time : products;
      if (!own.known) return;
      sum.known_time += time;
      sum.at_peak += least * share;
      (backward ? sum.backward_at_peak : sum.forward_at_peak) += least * share;
    };
    if (own.judged > 0) add(sums_.devices[own.device], own.judged, own.judged_products, own.share());
    if (const std::uint32_t step = store_.index(column("ops.step"), own.op); step != absent_index)
      add(sums_.steps[step], own.time, own.products, 1);
  }

  const FactStore& store_;
  const std::span<const std::uint32_t> ops_, devices_;  // of kernels
  const std::span<const std::int64_t> times_;           // of kernels
  const std::span<const double> flops_;                 // of operators
  const std::span<const std::int64_t> at_peak_;         // of operators
  std::vector<bool> peaks_;                             // by device
  std::vector<const Wall*> walls_;                      // by device
  std::vector<std::uint32_t> own_;                      // place in sums_.ops by operator
  Utilizations sums_;
};

/// What each step adds to the time of those before it in its rank: from the end of the one before, or its own start
/// where that is later, to its end. Hosts run ahead, so that steps overlap with what devices still have to do. 0 where
/// it adds nothing.
std::vector<double> times_of_steps(const FactStore& store) {
  const SpanColumns spans{store.integers(column("steps.start")), store.integers(column("steps.dur"))};
  std::vector<double> times(store.rows(table("steps")), 0);
  std::vector<std::uint32_t> order;
  for (std::uint32_t step = 0; step < times.size(); ++step)
    if (spans[step]) order.push_back(step);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return spans.start[a] < spans.start[b]; });
  std::unordered_map<std::uint32_t, std::int64_t> ends;
  for (const std::uint32_t step : order) {
    const Interval span = *spans[step];
    const auto [before, first] = ends.try_emplace(store.index(column("steps.rank"), step), span.end);
    const std::int64_t begin = first ? span.start : std::max(span.start, before->second);
    times[step] = static_cast<double>(std::max<std::int64_t>(0, span.end - begin));
    before->second = std::max(before->second, span.end);
  }
  return times;
}

}  // namespace

std::optional<double> Utilization::hardware_share(double span) const {
  if (!(at_peak > 0) || !(span > 0)) return std::nullopt;
  return at_peak / span;
}

std::optional<double> Utilization::model_share(double span) const {
  // Much more than the device did is no figure: fewer passes were trained, or links between the passes are missing.
  const double passes = passes_of_training * forward_at_peak;
  if (!(forward_at_peak > 0) || !(backward_at_peak > 0) || passes > most_of_executed * at_peak || !(span > 0))
    return std::nullopt;
  return passes / span;
}

const Wall* worked_wall(const FactStore& store, std::uint32_t device) {
  const std::uint32_t slot = rank_slot_of_device(store, device);
  return slot < store.walls.size() && store.walls[slot].length > 0 ? &store.walls[slot] : nullptr;
}

Utilizations utilizations_of(const FactStore& store) { return UtilizationSums(store).take(); }

void derive_utilization(FactStore& store) {
  if (!store.has(column("ops.at_peak"))) return;
  const Utilizations sums = utilizations_of(store);
  work::FilledColumn<double> device_hfu(store, column("devices.hfu")), device_mfu(store, column("devices.mfu"));
  work::FilledColumn<double> step_hfu(store, column("steps.hfu")), step_mfu(store, column("steps.mfu"));
  const auto fill = [](const Utilization& sum, std::size_t row, double span, auto& hfu, auto& mfu) {
    if (sum.known_share() < least_known) return;
    if (const auto share = sum.hardware_share(span)) hfu.set(row, *share);
    if (const auto share = sum.model_share(span)) mfu.set(row, *share);
  };
  std::unordered_map<std::uint32_t, double> workers;  // by rank
  for (std::uint32_t device = 0; device < sums.devices.size(); ++device) {
    if (sums.devices[device].worked) ++workers[store.index(column("devices.rank"), device)];
    if (const Wall* const wall = worked_wall(store, device))
      fill(sums.devices[device], device, static_cast<double>(wall->length), device_hfu, device_mfu);
  }
  const std::vector<double> times = times_of_steps(store);
  for (std::uint32_t step = 0; step < sums.steps.size(); ++step)
    fill(sums.steps[step], step, times[step] * workers[store.index(column("steps.rank"), step)], step_hfu, step_mfu);
}

}  // namespace kdiag
