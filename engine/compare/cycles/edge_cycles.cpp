// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/cycles/edge_cycles.hpp"

#include <algorithm>
#include <vector>

#include "base/significance.hpp"
#include "engine/compare/statistics/sample.hpp"

namespace kdiag {
namespace {

bool stands_out_at_an_edge(const std::vector<Cycle>& cycles) {
  std::vector<double> times;
  for (const Cycle& cycle : cycles) times.push_back(static_cast<double>(cycle.ns));
  return std::max(times.front(), times.back()) > statistics::outlier_limit(times);
}

/// Whether there are enough of them, in order of time.
bool has_edges(const std::vector<Cycle>& cycles) {
  return cycles.size() >= least_measured_cycles + 2 &&
         std::all_of(cycles.begin(), cycles.end(), [](const Cycle& cycle) { return cycle.placed; });
}

std::vector<Cycle> cut_edges(std::vector<Cycle>& cycles) {
  std::vector<Cycle> edges = {cycles.front(), cycles.back()};
  cycles.pop_back();
  cycles.erase(cycles.begin());
  return edges;
}

}  // namespace

void set_edges_apart(Cycles& cycles) {
  if (!has_edges(cycles.normal) || !has_edges(cycles.abnormal)) return;
  if (!stands_out_at_an_edge(cycles.normal) && !stands_out_at_an_edge(cycles.abnormal)) return;
  cycles.edges_normal = cut_edges(cycles.normal);
  cycles.edges_abnormal = cut_edges(cycles.abnormal);
}

}  // namespace kdiag
