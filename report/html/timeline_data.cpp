// SPDX-License-Identifier: Apache-2.0
#include "report/html/timeline_data.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "report/html/shown.hpp"

namespace kdiag::report {
namespace {

/// Numbers with blanks between them: a text that a browser splits faster than it reads a list.
class Numbers {
 public:
  void add(std::int64_t number) {
    if (!text_.empty()) text_ += ' ';
    text_ += std::to_string(number);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Names in the order of their first use.
class NameTable {
 public:
  explicit NameTable(const SliceNames& names) : names_(names) {}
  std::int64_t place(std::uint32_t id) {
    const auto [known, added] = places_.try_emplace(id, static_cast<std::int64_t>(order_.size()));
    if (added) order_.push_back(id);
    return known->second;
  }
  void write(JsonWriter& json) const {
    json.list("names", order_, [&](std::uint32_t id) { json.value(shown(names_.text(id))); });
  }

 private:
  const SliceNames& names_;
  std::map<std::uint32_t, std::int64_t> places_;
  std::vector<std::uint32_t> order_;
};

/// Starts are from the start of the slice before. Of slices that are several in one: place, count and busy time.
void write_row(JsonWriter& json, const std::vector<DrawnSlice>& slices, NameTable& names) {
  Numbers starts, lengths, name_places, kinds, merged;
  std::int64_t before = 0;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Slice& slice = slices[i].slice;
    starts.add(slice.start - before);
    before = slice.start;
    lengths.add(slice.end - slice.start);
    name_places.add(names.place(slice.name));
    kinds.add(slice.kind);
    if (slices[i].count == 1) continue;
    merged.add(static_cast<std::int64_t>(i));
    merged.add(slices[i].count);
    merged.add(slices[i].busy);
  }
  json.object(Layout::line, [&] {
    json.member("starts", starts.text());
    json.member("lengths", lengths.text());
    json.member("names", name_places.text());
    json.member("kinds", kinds.text());
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
  Numbers times;
  std::int64_t before = 0;
  for (const SamplePoint& point : points) {
    times.add(point.time - before);
    before = point.time;
  }
  json.member("unit", lane.unit);
  json.member("times", times.text());
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
  TimelineWriter(JsonWriter& json, const Lanes& lanes, std::span<const Interval> intervals, const PageLimits& limits)
      : json_(json), lanes_(lanes), intervals_(intervals), limits_(limits), names_(lanes.names) {}

  void write(std::size_t slices) {
    const std::size_t groups = std::min(limits_.lines, lanes_.groups.size());
    std::vector<std::size_t> wanted;
    each_row(lanes_, groups, limits_.lines, [&](const std::vector<Slice>& row) { wanted.push_back(row.size()); });
    budgets_ = share_out(wanted, slices);
    json_.object("timeline", Layout::line, [&] {
      json_.member("from", lanes_.from);
      json_.member("to", lanes_.to);
      json_.member("judged_to", lanes_.judged ? std::optional(lanes_.judged->second) : std::nullopt);
      json_.list("kinds", lanes_.kinds, [&](const std::string& kind) { json_.value(shown(kind)); });
      json_.array("groups", Layout::line, [&] {
        for (std::size_t i = 0; i < groups; ++i) write_group(lanes_.groups[i]);
      });
      json_.member("groups_left_out", static_cast<std::int64_t>(lanes_.groups.size() - groups));
      names_.write(json_);
      json_.member("slices", static_cast<std::int64_t>(count_slices(lanes_)));
      json_.member("drawn", static_cast<std::int64_t>(drawn_));
    });
  }

 private:
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
          const std::vector<DrawnSlice> detail = level_of_detail(row, intervals_, budgets_[next_++]);
          drawn_ += detail.size();
          write_row(json_, detail, names_);
        }
      });
    });
  }

  JsonWriter& json_;
  const Lanes& lanes_;
  std::span<const Interval> intervals_;
  const PageLimits& limits_;
  NameTable names_;
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

void write_timeline(JsonWriter& json, const Lanes& lanes, std::span<const Interval> intervals, std::size_t slices,
                    const PageLimits& limits) {
  TimelineWriter(json, lanes, intervals, limits).write(slices);
}

}  // namespace kdiag::report
