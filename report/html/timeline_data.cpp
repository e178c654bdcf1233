// SPDX-License-Identifier: Apache-2.0
#include "report/html/timeline_data.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/html/exact_parts.hpp"
#include "report/html/shown.hpp"

namespace kdiag::report {
namespace {

/// Numbers of 0 and more as a text: digits of base 32, the least first, all but the last of a number marked (variable
/// length quantities, as source maps have them). A third of what decimals take, and read in one pass.
class Numbers {
 public:
  void add(std::uint64_t number) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (; number >= 32; number /= 32) text_ += digits[32 + number % 32];
    text_ += digits[number];
  }
  /// What is known to be no less than zero.
  void add_time(std::int64_t ns) { add(static_cast<std::uint64_t>(std::max<std::int64_t>(ns, 0))); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Names with their kinds, in the order of their first use.
class NameTable {
 public:
  explicit NameTable(const SliceNames& names) : names_(names) {}
  std::uint64_t place(const Slice& slice) {
    const auto [known, added] = places_.try_emplace({slice.name, slice.kind}, order_.size());
    if (added) order_.emplace_back(slice.name, slice.kind);
    return known->second;
  }
  void write(JsonWriter& json) const {
    json.list("names", order_, [&](const auto& one) { json.value(shown(names_.text(one.first))); });
    json.list("name_kinds", order_, [&](const auto& one) { json.value(std::int64_t{one.second}); });
  }

 private:
  const SliceNames& names_;
  std::map<std::pair<std::uint32_t, std::uint16_t>, std::uint64_t> places_;
  std::vector<std::pair<std::uint32_t, std::uint16_t>> order_;
};

/// Gaps are from the end of the slice before, since slices of a row do not overlap. Of slices that are several in one:
/// how many places behind the one before, count and busy time.
void write_row(JsonWriter& json, const std::vector<DrawnSlice>& slices, NameTable& names) {
  Numbers gaps, lengths, name_places, merged;
  const std::int64_t from = slices.empty() ? 0 : slices.front().slice.start;
  std::int64_t before = from;
  std::size_t merged_before = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Slice& slice = slices[i].slice;
    gaps.add_time(slice.start - before);
    before = slice.end;
    lengths.add_time(slice.end - slice.start);
    name_places.add(names.place(slice));
    if (slices[i].count == 1) continue;
    merged.add(i - std::exchange(merged_before, i));
    merged.add(slices[i].count);
    merged.add_time(slices[i].busy);
  }
  json.object(Layout::line, [&] {
    json.member("from", from);
    json.member("gaps", gaps.text());
    json.member("lengths", lengths.text());
    json.member("names", name_places.text());
    json.member("merged", merged.text());
  });
}

/// The lowest and the highest point of each of as many parts of the time.
std::vector<SamplePoint> thinned(const std::vector<SamplePoint>& points, std::size_t parts) {
  if (points.size() <= 2 * parts) return points;
  std::vector<SamplePoint> out;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(points.size() * part / parts);
    const auto end = points.begin() + static_cast<std::ptrdiff_t>(points.size() * (part + 1) / parts);
    auto [low, high] =
        std::minmax_element(begin, end, [](const SamplePoint& a, const SamplePoint& b) { return a.value < b.value; });
    if (high < low) std::swap(low, high);
    out.push_back(*low);
    if (high != low) out.push_back(*high);
  }
  return out;
}

void write_points(JsonWriter& json, const Lane& lane, std::size_t most) {
  const std::vector<SamplePoint> points = thinned(lane.points, std::max<std::size_t>(most / 2, 1));
  Numbers gaps;
  const std::int64_t from = points.empty() ? 0 : points.front().time;
  std::int64_t before = from;
  for (const SamplePoint& point : points) gaps.add_time(point.time - std::exchange(before, point.time));
  json.member("unit", lane.unit);
  json.member("from", from);
  json.member("gaps", gaps.text());
  json.array("values", Layout::line, [&] {
    for (const SamplePoint& point : points) json.value(point.value);
  });
  json.member("points_left_out", static_cast<std::int64_t>(lane.points.size() - points.size()));
}

template <class Visit>
void each_row(const Lanes& lanes, std::size_t most_groups, std::size_t most_lanes, Visit visit) {
  for (std::size_t group = 0; group < std::min(most_groups, lanes.groups.size()); ++group) {
    const std::vector<Lane>& all = lanes.groups[group].lanes;
    for (std::size_t lane = 0; lane < std::min(most_lanes, all.size()); ++lane)
      for (const std::vector<Slice>& row : all[lane].rows) visit(row);
  }
}

class TimelineWriter {
 public:
  TimelineWriter(JsonWriter& json, const Lanes& lanes, const FindingTimes& findings, const PageLimits& limits)
      : json_(json), lanes_(lanes), findings_(findings), limits_(limits), names_(lanes.names) {}

  void write(std::size_t slices) {
    const std::size_t groups = std::min(limits_.lines, lanes_.groups.size());
    if (count_slices(lanes_) > slices) parts_ = exact_parts(lanes_, findings_.first, slices / 2);
    for (const ExactPart& part : parts_) part_times_.push_back(part.time);
    share_slices(groups, slices);
    json_.object("timeline", Layout::line, [&] {
      json_.member("from", lanes_.from);
      json_.member("to", lanes_.to);
      json_.member("judged_to", lanes_.judged ? std::optional(lanes_.judged->second) : std::nullopt);
      json_.list("kinds", lanes_.kinds, [&](const std::string& kind) { json_.value(shown(kind)); });
      json_.array("groups", Layout::line, [&] {
        for (std::size_t i = 0; i < groups; ++i) write_group(lanes_.groups[i]);
      });
      json_.list("exact", parts_, [&](const ExactPart& part) { write_part(part); });
      json_.member("groups_left_out", static_cast<std::int64_t>(lanes_.groups.size() - groups));
      names_.write(json_);
      json_.member("slices", static_cast<std::int64_t>(count_slices(lanes_)));
      json_.member("drawn", static_cast<std::int64_t>(drawn_));
    });
  }

 private:
  /// Every row has room for the parts and what lies between them; what is left is shared.
  void share_slices(std::size_t groups, std::size_t slices) {
    std::vector<std::size_t> wanted;
    std::size_t for_parts = 0;
    each_row(lanes_, groups, limits_.lines, [&](const std::vector<Slice>& row) {
      std::size_t inside = 1;
      for (const DrawnTime& part : part_times_) {
        const auto [first, last] = slices_within(row, part);
        inside += last - first + 1;
      }
      budgets_.push_back(part_times_.empty() ? 0 : std::min(inside, row.size()));
      wanted.push_back(row.size() - budgets_.back());
      for_parts += budgets_.back();
    });
    const std::vector<std::size_t> shares = share_out(wanted, slices - std::min(for_parts, slices));
    for (std::size_t i = 0; i < shares.size(); ++i) budgets_[i] += shares[i];
  }

  void write_part(const ExactPart& part) {
    json_.object(Layout::line, [&] {
      json_.text_or_null("what", shown(part.what));
      json_.member("begins", part.begins);
      json_.member("from", part.time.first);
      json_.member("to", part.time.second);
    });
  }

  void write_group(const LaneGroup& group) {
    const std::size_t lanes = std::min(limits_.lines, group.lanes.size());
    json_.object(Layout::line, [&] {
      json_.member("name", shown(group.name));
      json_.member("threads_left_out", static_cast<std::int64_t>(group.threads_left_out));
      json_.member("lanes_left_out", static_cast<std::int64_t>(group.lanes.size() - lanes));
      json_.array("lanes", Layout::line, [&] {
        for (std::size_t i = 0; i < lanes; ++i) write_lane(group.lanes[i]);
      });
    });
  }

  void write_lane(const Lane& lane) {
    json_.object(Layout::line, [&] {
      json_.member("name", shown(lane.name));
      json_.member("type", name_of(lane.type));
      json_.member("left_out", static_cast<std::int64_t>(lane.left_out));
      if (lane.type == LaneType::sampled) return write_points(json_, lane, limits_.points);
      json_.array("rows", Layout::line, [&] {
        for (const std::vector<Slice>& row : lane.rows) {
          const std::vector<DrawnSlice> detail = level_of_detail(row, {part_times_, findings_.all}, budgets_[next_++]);
          drawn_ += detail.size();
          write_row(json_, detail, names_);
        }
      });
    });
  }

  JsonWriter& json_;
  const Lanes& lanes_;
  const FindingTimes& findings_;
  const PageLimits& limits_;
  NameTable names_;
  std::vector<ExactPart> parts_;
  std::vector<DrawnTime> part_times_;
  std::vector<std::size_t> budgets_;  ///< of the rows that are written, in their order
  std::size_t next_ = 0, drawn_ = 0;
};

}  // namespace

std::size_t count_slices(const Lanes& lanes) {
  constexpr std::size_t all = std::numeric_limits<std::size_t>::max();
  std::size_t count = 0;
  each_row(lanes, all, all, [&](const std::vector<Slice>& row) { count += row.size(); });
  return count;
}

void write_timeline(JsonWriter& json, const Lanes& lanes, const FindingTimes& findings, std::size_t slices,
                    const PageLimits& limits) {
  TimelineWriter(json, lanes, findings, limits).write(slices);
}

}  // namespace kdiag::report
