// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/rows/sample_lists.hpp"

#include <algorithm>

#include "engine/facts/spans.hpp"

namespace kdiag {

SampleLists::SampleLists(const FactStore& store) : store_(store), owners_(store.rows(table("devices")) + 1) {
  if (!store.has(column("samples.time"))) return;
  first_.resize(store.strings.size() + std::size_t{1}, absent_index);
  const std::vector<std::uint32_t> lists = lists_of_rows();
  for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  rows_.resize(offsets_.back());
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t row = 0; row < lists.size(); ++row)
    if (lists[row] != absent_index) rows_[next[lists[row]]++] = static_cast<std::uint32_t>(row);
}

std::vector<std::uint32_t> SampleLists::lists_of_rows() {
  const auto times = store_.integers(column("samples.time"));
  const auto series = store_.indices(column("samples.series"));
  const auto devices = store_.indices(column("samples.device"));
  std::vector<std::uint32_t> lists(times.size(), absent_index);
  // The compiler has to take members for changed by each store.
  std::uint32_t* const first = first_.data();
  const std::size_t no_text = first_.size() - 1, no_owner = owners_ - 1;
  for (std::size_t row = 0; row < lists.size(); ++row) {
    if (!is_instant(times[row])) continue;
    const std::size_t text = series.empty() ? no_text : std::min<std::size_t>(series[row], no_text);
    if (first[text] == absent_index) {
      first[text] = static_cast<std::uint32_t>(size());
      offsets_.resize(offsets_.size() + owners_);
    }
    const std::size_t owner = devices.empty() ? no_owner : std::min<std::size_t>(devices[row], no_owner);
    lists[row] = first[text] + static_cast<std::uint32_t>(owner);
    ++offsets_[lists[row] + 1];
  }
  return lists;
}

std::span<const std::uint32_t> SampleLists::of(std::uint32_t device, std::string_view series) const {
  const std::uint32_t text = store_.strings.find(series);
  if (text >= first_.size() || first_[text] == absent_index) return {};
  return list(first_[text] + device);
}

bool SampleLists::has(std::uint32_t device) const {
  for (std::size_t index = device; index < size(); index += owners_)
    if (!list(index).empty()) return true;
  return false;
}

std::uint32_t SampleLists::device_of(std::size_t index) const {
  const std::size_t owner = index % owners_;
  return owner + 1 == owners_ ? absent_index : static_cast<std::uint32_t>(owner);
}

}  // namespace kdiag
