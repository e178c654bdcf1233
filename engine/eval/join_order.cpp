// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/join_order.hpp"

#include <algorithm>
#include <limits>

namespace kdiag {
namespace {

using Integers = std::vector<std::int64_t>;
using Indices = std::vector<std::uint32_t>;

}  // namespace

JoinOrder::JoinOrder(const RowValues& values) {
  const auto add = [this](std::int64_t value, bool known, std::size_t place) {
    if (known) sorted_.emplace_back(value, static_cast<std::uint32_t>(place));
    else unknown_.push_back(static_cast<std::uint32_t>(place));
  };
  if (const auto* integers = std::get_if<Integers>(&values.data)) {
    for (std::size_t i = 0; i < integers->size(); ++i) add((*integers)[i], (*integers)[i] != absent_integer, i);
  } else if (const auto* ids = std::get_if<Indices>(&values.data)) {
    for (std::size_t i = 0; i < ids->size(); ++i) add((*ids)[i], (*ids)[i] != absent_index, i);
  } else return;
  usable_ = true;
  std::sort(sorted_.begin(), sorted_.end());
}

std::vector<std::uint32_t> JoinOrder::find(std::int64_t low, std::int64_t high) const {
  std::vector<std::uint32_t> out = unknown_;
  const auto first = std::lower_bound(sorted_.begin(), sorted_.end(), std::pair(low, std::uint32_t{0}));
  for (auto at = first; at != sorted_.end() && at->first <= high; ++at) out.push_back(at->second);
  std::sort(out.begin(), out.end());
  return out;
}

std::optional<std::int64_t> join_value(const RowValues& values) {
  if (const auto* integers = std::get_if<Integers>(&values.data)) {
    if (integers->front() != absent_integer) return integers->front();
  } else if (const auto* ids = std::get_if<Indices>(&values.data)) {
    if (ids->front() != absent_index) return ids->front();
  }
  return {};
}

}  // namespace kdiag
