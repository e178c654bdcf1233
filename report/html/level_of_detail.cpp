// SPDX-License-Identifier: Apache-2.0
#include "report/html/level_of_detail.hpp"

#include <algorithm>
#include <numeric>

namespace kdiag::report {
namespace {

constexpr std::int64_t finest = 1000;  // ns: shorter buckets merge hardly anything
constexpr std::size_t around = 8;      // slices on either side of an edge of an interval (judgement)

/// Which slices stay as they are. Each stretch of them leaves another one to be merged, which takes a place, too.
class ExactSlices {
 public:
  ExactSlices(std::span<const Slice> row, std::size_t budget) : row_(row), room_(budget - 1), exact_(row.size()) {}

  void keep_part(const DrawnTime& time) {
    const auto [first, last] = slices_within(row_, time);
    const auto begin = exact_.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = exact_.begin() + static_cast<std::ptrdiff_t>(last);
    const auto more = static_cast<std::size_t>(std::count(begin, end, false));
    if (more == 0 || more + 1 > room_) return;
    std::fill(begin, end, true);
    room_ -= more + 1;
  }

  void keep_edges(std::span<const DrawnTime> intervals) {
    std::size_t left = room_ / 2;
    for (const auto& [start, end] : intervals)
      for (const std::int64_t instant : {start, end}) {
        if (left == 0) return;
        const std::size_t at = slices_within(row_, {instant, instant}).first;
        for (std::size_t i = at - std::min(at, around); i < std::min(at + around, row_.size()) && left > 0; ++i)
          if (!exact_[i]) exact_[i] = true, --left;
      }
  }

  std::vector<bool> take() && { return std::move(exact_); }

 private:
  std::span<const Slice> row_;
  std::size_t room_;
  std::vector<bool> exact_;
};

/// Calls `take(first, last)` for each group of neighbours that become one at this resolution, which grows beyond all
/// times of a page (page_time) before it leaves 64 bits.
template <class Take>
void group(std::span<const Slice> row, const std::vector<bool>& exact, std::int64_t resolution, Take take) {
  const auto stands_alone = [&](std::size_t i) { return exact[i] || row[i].end - row[i].start >= resolution; };
  const auto bucket = [&](std::size_t i) { return row[i].start / resolution; };
  for (std::size_t first = 0; first < row.size();) {
    std::size_t last = first + 1;
    if (!stands_alone(first))
      while (last < row.size() && !stands_alone(last) && bucket(last) == bucket(first)) ++last;
    take(first, last);
    first = last;
  }
}

DrawnSlice merged(std::span<const Slice> part) {
  DrawnSlice out{.slice = part.front(), .busy = 0, .count = static_cast<std::uint32_t>(part.size())};
  std::int64_t longest = -1;
  for (const Slice& slice : part) {
    const std::int64_t length = slice.end - slice.start;
    out.busy += length;
    if (length > longest) {
      longest = length;
      out.slice.name = slice.name;
      out.slice.kind = slice.kind;
    }
  }
  out.slice.end = part.back().end;
  return out;
}

}  // namespace

std::pair<std::size_t, std::size_t> slices_within(std::span<const Slice> row, const DrawnTime& time) {
  const auto first =
      std::partition_point(row.begin(), row.end(), [&](const Slice& slice) { return slice.end <= time.first; });
  const auto last =
      std::partition_point(first, row.end(), [&](const Slice& slice) { return slice.start < time.second; });
  return {static_cast<std::size_t>(first - row.begin()), static_cast<std::size_t>(last - row.begin())};
}

std::vector<DrawnSlice> level_of_detail(std::span<const Slice> row, const KeptTimes& kept, std::size_t budget) {
  budget = std::max<std::size_t>(budget, 1);
  std::vector<bool> exact(row.size());
  std::int64_t resolution = 1;  // merges nothing
  if (row.size() > budget) {
    ExactSlices keep(row, budget);
    for (const DrawnTime& part : kept.parts) keep.keep_part(part);
    keep.keep_edges(kept.edges);
    exact = std::move(keep).take();
    for (resolution = finest;; resolution *= 2) {
      std::size_t groups = 0;
      group(row, exact, resolution, [&](std::size_t, std::size_t) { ++groups; });
      if (groups <= budget) break;
    }
  }
  std::vector<DrawnSlice> out;
  group(row, exact, resolution,
        [&](std::size_t first, std::size_t last) { out.push_back(merged(row.subspan(first, last - first))); });
  return out;
}

std::vector<std::vector<Slice>> nest(std::vector<Slice> slices, std::size_t deepest, std::size_t& left_out) {
  std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
    return a.start != b.start ? a.start < b.start : a.end != b.end ? a.end > b.end : a.name < b.name;
  });
  std::vector<std::vector<Slice>> rows;
  std::vector<std::int64_t> open;  // ends of what lies around, the innermost last
  for (const Slice& slice : slices) {
    while (!open.empty() && open.back() <= slice.start) open.pop_back();
    const std::size_t depth = open.size();
    open.push_back(slice.end);
    if (depth >= deepest) {
      ++left_out;
      continue;
    }
    if (depth >= rows.size()) rows.resize(depth + 1);
    rows[depth].push_back(slice);
  }
  return rows;
}

std::vector<std::size_t> share_out(const std::vector<std::size_t>& wanted, std::size_t total) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  std::vector<std::size_t> shares(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t share = std::min(wanted[order[i]], total / (order.size() - i));
    shares[order[i]] = share;
    total -= share;
  }
  return shares;
}

}  // namespace kdiag::report
