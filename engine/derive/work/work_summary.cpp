// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/work_summary.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/derive/rows/scope.hpp"
#include "engine/derive/work/utilization.hpp"

namespace kdiag {
namespace {

constexpr std::size_t most_gaps = 20;  // one screen (judgement)

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
  double flops = 0;
  std::unordered_map<std::uint64_t, Calls> calls;  ///< by the ids of name and shapes
};

class WorkSummary {
 public:
  WorkSummary(const FactStore& store, double model_flops)
      : store_(store),
        flops_(store.reals(column("ops.flops"))),
        attainable_(store.integers(column("ops.attainable"))),
        model_flops_(model_flops),
        utilizations_(utilizations_of(store)),
        devices_(store.rows(table("devices"))) {
    for (const OwnWork& own : utilizations_.ops)
      if (own.judged > 0) add_op(own);
  }

  std::vector<WorkEntry> entries() {
    std::vector<WorkEntry> out;
    for (std::uint32_t device = 0; device < devices_.size(); ++device) {
      const DeviceWork& work = devices_[device];
      const bool known = work.flops > 0 && std::isfinite(work.flops);
      if (device_in_scope(store_, device) && (known || (model_flops_ > 0 && utilizations_.devices[device].worked)))
        out.push_back(entry_of(device));
    }
    return out;
  }

 private:
  void add_op(const OwnWork& own) {
    const std::uint32_t op = own.op;
    DeviceWork& device = devices_[own.device];
    const bool has_flops = !flops_.empty() && !std::isnan(flops_[op]);
    if (own.known) device.flops += flops_[op] * own.share();
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
    const Utilization& used = utilizations_.devices[device];
    WorkEntry entry;
    if (const std::int64_t id = store_.integer(column("devices.id"), device); id != absent_integer) entry.device = id;
    if (const std::uint32_t rank = store_.index(column("devices.rank"), device); rank != absent_index)
      if (const std::int32_t id = store_.small(column("ranks.id"), rank); id != absent_small) entry.rank = id;
    if (std::isfinite(work.flops)) entry.flops = work.flops;
    entry.known_share = used.known_share();
    if (const Wall* const of = worked_wall(store_, device)) {
      const auto wall = static_cast<double>(of->length);
      entry.stated_share = stated_share(device, wall);
      if (entry.flops > 0) entry.rate = entry.flops / wall * 1e9;
      entry.peak_share = used.hardware_share(wall);
      entry.model_share = used.model_share(wall);
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
    const auto worked = static_cast<double>(std::count_if(utilizations_.devices.begin(), utilizations_.devices.end(),
                                                          [](const Utilization& one) { return one.worked; }));
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
  const std::span<const double> flops_;
  const std::span<const std::int64_t> attainable_;
  const double model_flops_;
  const Utilizations utilizations_;
  std::vector<DeviceWork> devices_;
};

}  // namespace

std::vector<WorkEntry> summarise_work(const FactStore& store, double model_flops) {
  if (model_flops <= 0 && (!store.has(column("ops.flops")) || !store.has(column("kernels.op")))) return {};
  return WorkSummary(store, model_flops).entries();
}

}  // namespace kdiag
