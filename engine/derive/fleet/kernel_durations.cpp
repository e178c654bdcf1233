// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/kernel_durations.hpp"

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/derive/fleet/duration_sketch.hpp"

namespace kdiag {

void derive_kernel_durations(FactStore& store) {
  if (store.present(table("kernel_durations"))) return;
  const auto device = store.indices(column("kernels.device"));
  const auto name = store.indices(column("kernels.class"));
  const auto dur = store.integers(column("kernels.dur"));
  if (device.empty() || name.empty() || dur.empty()) return;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, std::int64_t> buckets;
  for (std::size_t row = 0; row < dur.size(); ++row)
    if (device[row] != absent_index && name[row] != absent_index && dur[row] >= 0)
      ++buckets[{device[row], name[row], fleet::sketched(dur[row])}];
  store.resize(table("kernel_durations"), buckets.size());
  if (buckets.empty()) return;
  std::vector<std::uint32_t> devices, names;
  std::vector<std::int64_t> durations, counts;
  for (const auto& [bucket, count] : buckets) {
    devices.push_back(std::get<0>(bucket));
    names.push_back(std::get<1>(bucket));
    durations.push_back(std::get<2>(bucket));
    counts.push_back(count);
  }
  store.replace(column("kernel_durations.device"), std::move(devices), "derived");
  store.replace(column("kernel_durations.class"), std::move(names), "derived");
  store.replace(column("kernel_durations.dur"), std::move(durations), "derived");
  store.replace(column("kernel_durations.count"), std::move(counts), "derived");
}

}  // namespace kdiag
