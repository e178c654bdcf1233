// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/lane_order.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace kdiag {

ColumnId lane_column(std::string_view table) {
  for (std::string_view name : {"thread", "stream", "device"})
    if (const ColumnId column = find_column(table, name); column.valid()) return column;
  return {};
}

LaneOrder::LaneOrder(const FactStore& store, TableId table)
    : rows_(store.rows(table)), lanes_(rows_.size()), places_(rows_.size()) {
  const std::string_view name = info(table).name;
  const ColumnId lane = lane_column(name);
  const ColumnId device = find_column(name, "device");
  const ColumnId start = find_column(name, "start");
  const auto key_of = [&](std::uint32_t row) {
    return std::pair(lane.valid() ? store.index(lane, row) : absent_index,
                     device.valid() ? store.index(device, row) : absent_index);
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  for (std::uint32_t row = 0; row < lanes_.size(); ++row) numbers.try_emplace(key_of(row));
  std::uint32_t next = 0;
  for (auto& [key, number] : numbers) number = next++;
  for (std::uint32_t row = 0; row < lanes_.size(); ++row) lanes_[row] = numbers.find(key_of(row))->second;
  std::iota(rows_.begin(), rows_.end(), 0U);
  const auto starts = start.valid() ? store.integers(start) : std::span<const std::int64_t>{};
  const auto stands_before = [&](std::uint32_t a, std::uint32_t b) {
    if (lanes_[a] != lanes_[b]) return lanes_[a] < lanes_[b];
    return !starts.empty() && starts[a] < starts[b];
  };
  std::stable_sort(rows_.begin(), rows_.end(), stands_before);
  for (std::uint32_t place = 0; place < rows_.size(); ++place) places_[rows_[place]] = place;
  begins_.assign(numbers.size() + 1, 0);
  for (const std::uint32_t of_row : lanes_) ++begins_[of_row + 1];
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
}

}  // namespace kdiag
