// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/missing_tasks.hpp"

#include <algorithm>
#include <cstdlib>

namespace kdiag::adapters::ascend {
namespace {

constexpr std::int64_t tolerance_ns = 2000;                 // starts are printed with one to three decimals of a us
constexpr std::int64_t longest_ns = 3'600'000'000'000'000;  // no time of a task; keeps the sums in range

}  // namespace

void MissingTasks::add(std::int64_t start_ns, std::int64_t dur_ns, std::int64_t wait_ns) {
  if (std::abs(start_ns) > INT64_MAX / 4 || dur_ns > longest_ns || wait_ns > longest_ns) return;
  if (!ends_.empty() && wait_ns > 0) {
    ++judged_;
    const std::int64_t began_to_wait = start_ns - wait_ns;
    if (std::any_of(ends_.begin(), ends_.end(),
                    [=](std::int64_t end) { return std::abs(end - began_to_wait) <= tolerance_ns; }))
      ++fitting_;
  }
  ends_.push_front(start_ns + dur_ns);
  if (ends_.size() > window) ends_.pop_back();
}

}  // namespace kdiag::adapters::ascend
