// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/work_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

/// By how much three forward passes may exceed what was executed: nobody asks for the gradient of the first layer's
/// input (judgement).
constexpr double most_of_executed = 1.1;

/// Which operators belong to a backward pass, or to what it computes again: those that have a forward operator, and
/// those below them. Rows stand in the order of the input, which may have children first.
std::vector<bool> backward_ops(const FactStore& store) {
  enum : std::uint8_t { open, forward, backward };
  const std::size_t count = store.rows(table("ops"));
  const auto forwards = store.indices(column("ops.forward"));
  const auto parents = store.indices(column("ops.parent"));
  std::vector<std::uint8_t> state(count, open);
  std::vector<std::uint32_t> path;
  for (std::uint32_t op = 0; op < count; ++op) {
    std::uint8_t found = forward;
    path.clear();
    for (std::uint32_t at = op;; at = parents[at]) {
      if (state[at] != open) {
        found = state[at];
        break;
      }
      path.push_back(at);
      state[at] = forward;  // ends parents that lead in a circle
      if (!forwards.empty() && forwards[at] != absent_index) found = backward;
      if (found == backward || parents.empty() || parents[at] == absent_index) break;
    }
    for (const std::uint32_t at : path) state[at] = found;
  }
  std::vector<bool> out(count);
  std::transform(state.begin(), state.end(), out.begin(), [](std::uint8_t one) { return one == backward; });
  return out;
}

bool multiplies(std::string_view kernel_class) {
  return kernel_class == "gemm" || kernel_class == "conv" || kernel_class == "attention";
}

bool has_peaks(const FactStore& store, std::uint32_t device) {
  for (const ColumnId peak : {column("devices.peak_fp64"), column("devices.peak_fp32"), column("devices.peak_tf32"),
                              column("devices.peak_fp16"), column("devices.peak_bf16"), column("devices.peak_fp8"),
                              column("devices.peak_int8")})
    if (store.real(peak, device) > 0) return true;
  return false;
}

/// What an operator launched itself, in ns.
struct OwnWork {
  std::uint32_t device = absent_index;
  double time = 0;      ///< of all its kernels
  double judged = 0;    ///< within what is judged
  double products = 0;  ///< of that, kernels of products, convolutions and attention
  double share() const { return time > 0 ? judged / time : 0; }
};

/// Sums of the calls of an operator with the same sizes.
struct Calls {
  std::uint32_t name = absent_index, shapes = absent_index;
  std::int64_t count = 0;
  double time = 0, attainable = 0;
  std::optional<double> flops;
  double above() const { return time - attainable; }
};

/// Sums of a device.
struct DeviceWork {
  double flops = 0, at_peak = 0, forward_at_peak = 0, backward_at_peak = 0;
  double known_time = 0, time = 0;
  bool peaks = false, worked = false;
  std::unordered_map<std::uint64_t, Calls> calls;  ///< by the ids of name and shapes
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
    for (std::uint32_t device = 0; device < devices_.size(); ++device)
      devices_[device].peaks = has_peaks(store, device);
    add_kernels();
    const std::vector<bool> backward = backward_ops(store);
    for (std::uint32_t op = 0; op < ops_; ++op)
      if (own_[op].judged > 0) add_op(op, backward[op]);
  }

  std::vector<WorkEntry> entries() {
    std::vector<WorkEntry> out;
    for (std::uint32_t device = 0; device < devices_.size(); ++device) {
      const DeviceWork& work = devices_[device];
      const bool known = work.flops > 0 && std::isfinite(work.flops);
      if (device_in_scope(store_, device) && (known || (model_flops_ > 0 && work.worked)))
        out.push_back(entry_of(device));
    }
    return out;
  }

 private:
  const Wall* wall_of(std::uint32_t device) const {
    const std::uint32_t slot = rank_slot_of_device(store_, device);
    return slot < store_.walls.size() && store_.walls[slot].length > 0 ? &store_.walls[slot] : nullptr;
  }

  /// As the account of time, work is cut where the wall ends: what a busy queue holds belongs to the time in which it
  /// runs.
  void add_kernels() {
    const auto ops = store_.indices(column("kernels.op"));
    const auto starts = store_.integers(column("kernels.start"));
    const auto times = store_.integers(column("kernels.dur"));
    const auto classes = store_.indices(column("kernels.class"));
    const auto devices = store_.indices(column("kernels.device"));
    if (devices.empty()) return;
    for (std::size_t kernel = 0; kernel < times.size(); ++kernel) {
      const std::uint32_t device = devices[kernel];
      const std::int64_t time = times[kernel];
      if (device == absent_index || time <= 0) continue;
      devices_[device].worked = true;
      const Wall* const wall = wall_of(device);
      const bool timed = wall != nullptr && wall->window && !starts.empty() && starts[kernel] != absent_integer;
      const auto judged =
          static_cast<double>(timed ? wall->parts.covered({starts[kernel], starts[kernel] + time}) : time);
      const bool of_products =
          !classes.empty() && classes[kernel] != absent_index && multiplies(store_.strings[classes[kernel]]);
      if (ops.empty() || ops[kernel] == absent_index) {
        if (of_products) devices_[device].time += judged;
        continue;
      }
      OwnWork& own = own_[ops[kernel]];
      own.device = device;
      own.time += static_cast<double>(time);
      own.judged += judged;
      if (of_products) own.products += judged;
    }
  }

  std::int64_t at_peak(std::uint32_t op) const { return at_peak_.empty() ? absent_integer : at_peak_[op]; }

  void add_op(std::uint32_t op, bool backward) {
    const OwnWork& own = own_[op];
    DeviceWork& device = devices_[own.device];
    const bool has_flops = !flops_.empty() && !std::isnan(flops_[op]);
    // What has no peak, or was faster than it, is as good as not known.
    const bool known = has_flops && (!device.peaks || at_peak(op) != absent_integer);
    device.time += known ? own.judged : own.products;
    if (known) {
      device.known_time += own.judged;
      device.flops += flops_[op] * own.share();
    }
    if (known && device.peaks) {
      const double time = static_cast<double>(at_peak(op)) * own.share();
      device.at_peak += time;
      (backward ? device.backward_at_peak : device.forward_at_peak) += time;
    }
    const std::int64_t least = attainable_.empty() ? absent_integer : attainable_[op];
    if (least == absent_integer) return;
    const std::uint32_t name = store_.index(column("ops.name"), op), shapes = store_.index(column("ops.shapes"), op);
    Calls& calls = device.calls[(std::uint64_t{name} << 32) | shapes];
    calls.name = name;
    calls.shapes = shapes;
    ++calls.count;
    calls.time += own.judged;
    calls.attainable += static_cast<double>(least) * own.share();
    if (has_flops) calls.flops = calls.flops.value_or(0) + flops_[op] * own.share();
  }

  WorkEntry entry_of(std::uint32_t device) const {
    const DeviceWork& work = devices_[device];
    WorkEntry entry;
    if (const std::int64_t id = store_.integer(column("devices.id"), device); id != absent_integer) entry.device = id;
    if (const std::uint32_t rank = store_.index(column("devices.rank"), device); rank != absent_index)
      if (const std::int32_t id = store_.small(column("ranks.id"), rank); id != absent_small) entry.rank = id;
    if (std::isfinite(work.flops)) entry.flops = work.flops;
    entry.known_share = work.time > 0 ? work.known_time / work.time : 0;
    if (const Wall* const of = wall_of(device)) {
      const auto wall = static_cast<double>(of->length);
      entry.stated_share = stated_share(device, wall);
      if (entry.flops > 0) entry.rate = entry.flops / wall * 1e9;
      if (work.at_peak > 0) entry.peak_share = work.at_peak / wall;
      // Much more than the device did is no figure: fewer passes were trained, or links between the passes are missing.
      const double passes = passes_of_training * work.forward_at_peak;
      if (work.forward_at_peak > 0 && work.backward_at_peak > 0 && passes <= most_of_executed * work.at_peak)
        entry.model_share = passes / wall;
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

  std::vector<OperatorGap> largest_gaps(const DeviceWork& work) const {
    std::vector<const Calls*> above;
    for (const auto& [key, calls] : work.calls)
      if (calls.above() > 0) above.push_back(&calls);
    const auto text = [&](std::uint32_t id) { return id == absent_index ? std::string_view() : store_.strings[id]; };
    const std::size_t count = std::min(most_gaps, above.size());
    std::partial_sort(above.begin(), above.begin() + static_cast<std::ptrdiff_t>(count), above.end(),
                      [&](const Calls* a, const Calls* b) {
                        if (a->above() != b->above()) return a->above() > b->above();
                        return std::pair(text(a->name), text(a->shapes)) < std::pair(text(b->name), text(b->shapes));
                      });
    std::vector<OperatorGap> out;
    for (std::size_t i = 0; i < count; ++i)
      out.push_back({.op = std::string(text(above[i]->name)),
                     .shapes = std::string(text(above[i]->shapes)),
                     .calls = above[i]->count,
                     .time_ns = std::llround(above[i]->time),
                     .attainable_ns = std::llround(above[i]->attainable),
                     .flops = above[i]->flops});
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
