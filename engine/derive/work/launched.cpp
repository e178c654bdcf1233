// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/launched.hpp"

namespace kdiag::work {

std::vector<Launched> launched_by_op(const FactStore& store) {
  std::vector<Launched> launched(store.rows(table("ops")));
  const auto ops = store.indices(column("kernels.op"));
  const auto times = store.integers(column("kernels.dur"));
  if (ops.empty() || times.empty()) return launched;
  for (std::uint32_t kernel = 0; kernel < ops.size(); ++kernel) {
    if (ops[kernel] == absent_index || times[kernel] < 0) continue;
    Launched& of = launched[ops[kernel]];
    of.all += static_cast<double>(times[kernel]);
    if (times[kernel] <= of.longest_time) continue;
    of.longest = kernel;
    of.longest_time = times[kernel];
  }
  return launched;
}

}  // namespace kdiag::work
