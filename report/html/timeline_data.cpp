// SPDX-License-Identifier: Apache-2.0
#include "report/html/timeline_data.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
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
void each_row(const Lanes& lanes, Visit visit) {
  for (const LaneGroup& group : lanes.groups)
    for (const Lane& lane : group.lanes)
      for (const std::vector<Slice>& row : lane.rows) visit(row);
}

/// How many slices each row of each lane may have, in their order.
std::vector<std::size_t> budgets(const Lanes& lanes, std::size_t slices) {
  std::vector<std::size_t> wanted;
  each_row(lanes, [&](const std::vector<Slice>& row) { wanted.push_back(row.size()); });
  return share_out(wanted, slices);
}

}  // namespace

std::size_t count_slices(const Lanes& lanes) {
  std::size_t count = 0;
  each_row(lanes, [&](const std::vector<Slice>& row) { count += row.size(); });
  return count;
}

void write_timeline(JsonWriter& json, const Lanes& lanes, std::span<const Interval> intervals, std::size_t slices,
                    std::size_t points) {
  const std::vector<std::size_t> budget = budgets(lanes, slices);
  NameTable names(lanes.names);
  std::size_t next = 0, drawn = 0;
  const auto write_lane = [&](const Lane& lane) {
    json.object(Layout::line, [&] {
      json.member("name", shown(lane.name));
      json.member("type", name_of(lane.type));
      json.member("left_out", static_cast<std::int64_t>(lane.left_out));
      if (lane.type == LaneType::sampled) return write_points(json, lane, points);
      json.array("rows", Layout::line, [&] {
        for (const std::vector<Slice>& row : lane.rows) {
          const std::vector<DrawnSlice> detail = level_of_detail(row, intervals, budget[next++]);
          drawn += detail.size();
          write_row(json, detail, names);
        }
      });
    });
  };
  json.object("timeline", Layout::line, [&] {
    json.member("from", lanes.from);
    json.member("to", lanes.to);
    json.member("judged_to", lanes.judged ? std::optional(lanes.judged->second) : std::nullopt);
    json.list("kinds", lanes.kinds, [&](const std::string& kind) { json.value(shown(kind)); });
    json.list("groups", lanes.groups, [&](const LaneGroup& group) {
      json.object(Layout::line, [&] {
        json.member("name", shown(group.name));
        json.member("threads_left_out", static_cast<std::int64_t>(group.threads_left_out));
        json.list("lanes", group.lanes, write_lane);
      });
    });
    names.write(json);
    json.member("slices", static_cast<std::int64_t>(count_slices(lanes)));
    json.member("drawn", static_cast<std::int64_t>(drawn));
  });
}

}  // namespace kdiag::report
