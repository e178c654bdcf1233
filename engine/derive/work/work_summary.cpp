// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/work_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"

namespace kdiag {
namespace {

constexpr std::size_t most_gaps = 20;  // one screen (judgement)

/// A training step is counted as three forward passes: the backward pass has two products for each of the forward one
/// (Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", SC 2021).
constexpr double passes_of_training = 3;

/// Which operators belong to a backward pass, or to what it computes again: those below one that has a forward
/// operator.
std::vector<bool> backward_ops(const FactStore& store) {
  const std::size_t count = store.rows(table("ops"));
  std::vector<bool> backward(count);
  const auto forward = store.indices(column("ops.forward"));
  const auto parents = store.indices(column("ops.parent"));
  if (forward.empty()) return backward;
  for (std::uint32_t op = 0; op < count; ++op)  // parents start before their children, and stand before them
    backward[op] = forward[op] != absent_index ||
                   (!parents.empty() && parents[op] != absent_index && parents[op] < op && backward[parents[op]]);
  return backward;
}

bool multiplies(std::string_view kernel_class) {
  return kernel_class == "gemm" || kernel_class == "conv" || kernel_class == "attention";
}

/// What an operator launched itself.
struct OwnWork {
  std::uint32_t device = absent_index;
  std::int64_t time = 0;
  bool multiplies = false;  ///< by the classes of its kernels
};

/// Sums of a device.
struct DeviceWork {
  double flops = 0, at_peak = 0, forward_at_peak = 0, backward_at_peak = 0;
  std::int64_t known_time = 0, time = 0;
  bool has_peaks = false;
  bool worked = false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, OperatorGap> gaps;  ///< by the ids of name and shapes
};

class WorkSummary {
 public:
  WorkSummary(const FactStore& store, double model_flops)
      : store_(store),
        ops_(store.rows(table("ops"))),
        flops_(store.reals(column("ops.flops"))),
        at_peak_(store.integers(column("ops.at_peak"))),
        attainable_(store.integers(column("ops.attainable"))),
        model_flops_(model_flops),
        own_(ops_),
        devices_(store.rows(table("devices"))) {
    add_kernels();
    for (std::uint32_t op = 0; op < ops_; ++op)
      if (own_[op].device != absent_index && at_peak(op) != absent_integer) devices_[own_[op].device].has_peaks = true;
    const std::vector<bool> backward = backward_ops(store);
    for (std::uint32_t op = 0; op < ops_; ++op)
      if (own_[op].device != absent_index) add_op(op, backward[op]);
  }

  std::vector<WorkEntry> entries() {
    std::vector<WorkEntry> out;
    for (std::uint32_t device = 0; device < devices_.size(); ++device)
      if (devices_[device].flops > 0 || (model_flops_ > 0 && devices_[device].worked)) out.push_back(entry_of(device));
    return out;
  }

 private:
  void add_kernels() {
    const auto ops = store_.indices(column("kernels.op"));
    const auto times = store_.integers(column("kernels.dur"));
    const auto classes = store_.indices(column("kernels.class"));
    const auto devices = store_.indices(column("kernels.device"));
    if (times.empty() || devices.empty()) return;
    for (const std::uint32_t kernel : rows_in_scope(store_, table("kernels"))) {
      if (devices[kernel] == absent_index || times[kernel] < 0) continue;
      devices_[devices[kernel]].worked = true;
      const bool of_products =
          !classes.empty() && classes[kernel] != absent_index && multiplies(store_.strings[classes[kernel]]);
      if (ops.empty() || ops[kernel] == absent_index) {
        if (of_products) devices_[devices[kernel]].time += times[kernel];
        continue;
      }
      OwnWork& own = own_[ops[kernel]];
      own.device = devices[kernel];
      own.time += times[kernel];
      own.multiplies = own.multiplies || of_products;
    }
  }

  std::int64_t at_peak(std::uint32_t op) const { return at_peak_.empty() ? absent_integer : at_peak_[op]; }

  void add_op(std::uint32_t op, bool backward) {
    const OwnWork& own = own_[op];
    DeviceWork& device = devices_[own.device];
    const bool has_flops = !flops_.empty() && !std::isnan(flops_[op]);
    // What has no peak, or was faster than it, is as good as not known.
    const bool known = has_flops && (!device.has_peaks || at_peak(op) != absent_integer);
    if (known || own.multiplies) device.time += own.time;
    if (known) {
      device.known_time += own.time;
      device.flops += flops_[op];
    }
    if (known && device.has_peaks) {
      const auto time = static_cast<double>(at_peak(op));
      device.at_peak += time;
      (backward ? device.backward_at_peak : device.forward_at_peak) += time;
    }
    const std::int64_t least = attainable_.empty() ? absent_integer : attainable_[op];
    if (least == absent_integer) return;
    const std::uint32_t name = store_.index(column("ops.name"), op), shapes = store_.index(column("ops.shapes"), op);
    OperatorGap& gap = device.gaps[{name, shapes}];
    ++gap.calls;
    gap.time_ns += own.time;
    gap.attainable_ns += least;
    if (has_flops) gap.flops = gap.flops.value_or(0) + flops_[op];
  }

  WorkEntry entry_of(std::uint32_t device) {
    DeviceWork& work = devices_[device];
    WorkEntry entry;
    if (const std::int64_t id = store_.integer(column("devices.id"), device); id != absent_integer) entry.device = id;
    if (const std::uint32_t rank = store_.index(column("devices.rank"), device); rank != absent_index)
      if (const std::int32_t id = store_.small(column("ranks.id"), rank); id != absent_small) entry.rank = id;
    entry.flops = work.flops;
    entry.known_share =
        static_cast<double>(work.known_time) / static_cast<double>(std::max<std::int64_t>(work.time, 1));
    const std::uint32_t slot = rank_slot_of_device(store_, device);
    if (slot < store_.walls.size() && store_.walls[slot].length > 0) {
      const auto wall = static_cast<double>(store_.walls[slot].length);
      entry.stated_share = stated_share(device, wall);
      entry.rate = work.flops / wall * 1e9;
      if (work.has_peaks) {
        entry.peak_share = work.at_peak / wall;
        if (work.forward_at_peak > 0 && work.backward_at_peak > 0)
          entry.model_share = passes_of_training * work.forward_at_peak / wall;
      }
    }
    entry.gaps = largest_gaps(work);
    return entry;
  }

  /// What the user says of the model, shared by the devices that worked, at the peak of bfloat16, or of half precision
  /// where there is none: what such figures are quoted for (Chowdhery et al., "PaLM", 2022, appendix B).
  std::optional<double> stated_share(std::uint32_t device, double wall) const {
    double peak = store_.real(column("devices.peak_bf16"), device);
    if (!(peak > 0)) peak = store_.real(column("devices.peak_fp16"), device);
    if (model_flops_ <= 0 || !(peak > 0)) return std::nullopt;
    const auto worked = static_cast<double>(
        std::count_if(devices_.begin(), devices_.end(), [](const DeviceWork& one) { return one.worked; }));
    return model_flops_ / worked / (peak * wall * 1e-9);
  }

  std::vector<OperatorGap> largest_gaps(DeviceWork& work) {
    std::vector<OperatorGap> out;
    for (auto& [key, gap] : work.gaps) {
      if (gap.time_ns <= gap.attainable_ns) continue;
      if (key.first != absent_index) gap.op = store_.strings[key.first];
      if (key.second != absent_index) gap.shapes = store_.strings[key.second];
      out.push_back(std::move(gap));
    }
    const auto above = [](const OperatorGap& gap) { return gap.time_ns - gap.attainable_ns; };
    std::stable_sort(out.begin(), out.end(), [&](const auto& a, const auto& b) { return above(a) > above(b); });
    if (out.size() > most_gaps) out.resize(most_gaps);
    return out;
  }

  const FactStore& store_;
  const std::size_t ops_;
  const std::span<const double> flops_;
  const std::span<const std::int64_t> at_peak_, attainable_;
  const double model_flops_;
  std::vector<OwnWork> own_;
  std::vector<DeviceWork> devices_;
};

}  // namespace

std::vector<WorkEntry> summarise_work(const FactStore& store, double model_flops) {
  if (model_flops <= 0 && (!store.has(column("ops.flops")) || !store.has(column("kernels.op")))) return {};
  return WorkSummary(store, model_flops).entries();
}

}  // namespace kdiag
