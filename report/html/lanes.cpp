// SPDX-License-Identifier: Apache-2.0
#include "report/html/lanes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <kdiag/catalogue.hpp>

#include "report/phrases/phrases.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t deepest_host = 16, deepest_stream = 4;  // rows of a lane (judgement)
constexpr std::size_t most_threads = 8;                       // of a rank, the busiest (judgement)
// What people look at beside kernels; other series are in the tables of telemetry.
constexpr std::string_view drawn_series[] = {"sm_clock", "mem_clock",   "power",
                                             "gpu_util", "temperature", "memory_used"};

/// Ranks one after the other: the host first, then its devices.
class Layouter {
 public:
  Layouter(const RunColumns& columns, const RunView& view, GatheredSlices& found, CancelFlag stop)
      : columns_(columns), view_(view), found_(found), stop_(stop) {}

  std::vector<LaneGroup> groups() {
    std::vector<LaneGroup> out;
    const auto add = [&](LaneGroup group) {
      if (!group.lanes.empty()) out.push_back(std::move(group));
    };
    for (const auto& [rank, rows] : rows_by_rank()) {
      LaneGroup host{.name = rank ? "rank " + std::to_string(*rank) + " host" : "host"};
      if (const auto steps = found_.steps.find(rank); steps != found_.steps.end())
        host.lanes.push_back(lane_of("steps", LaneType::steps, std::move(steps->second), 2));
      add_thread_lanes(rows.threads, host);
      add(std::move(host));
      for (const std::uint32_t device : rows.devices) {
        LaneGroup group{.name = device_name(device)};
        add_device_lanes(device, group);
        add(std::move(group));
      }
    }
    return out;
  }

 private:
  struct RankRows {
    std::set<std::uint32_t> devices;
    std::vector<std::uint32_t> threads;
  };

  std::string device_name(std::uint32_t row) const {
    const std::vector<DeviceEntry>& devices = view_.run->devices;
    if (row >= devices.size()) return "device unknown";
    return device_phrase(view_, devices[row].rank, devices[row].id);
  }

  Lane lane_of(std::string name, LaneType type, std::vector<Slice> slices, std::size_t deepest) {
    stop_if(stop_);
    Lane lane{.name = std::move(name), .type = type};
    lane.rows = nest(std::move(slices), deepest, lane.left_out);
    return lane;
  }

  std::string stream_name(std::uint32_t row) const {
    if (row == absent_index) return "work";
    const std::uint32_t name = value_of(columns_.indices(column("streams.name")), row);
    if (name != absent_index) return std::string(columns_.text(name));
    const std::int64_t id = value_of(columns_.integers(column("streams.id")), row);
    return id == absent_integer ? "stream" : "stream " + std::to_string(id);
  }

  std::string thread_name(std::uint32_t row) const {
    const std::uint32_t name = value_of(columns_.indices(column("threads.name")), row);
    const std::int64_t id = value_of(columns_.integers(column("threads.id")), row);
    const std::string number = id == absent_integer ? "thread" : "thread " + std::to_string(id);
    return name == absent_index ? number : std::string(columns_.text(name)) + " (" + number + ")";
  }

  void add_device_lanes(std::uint32_t device, LaneGroup& group) {
    if (const auto idle = found_.idle.find(device); idle != found_.idle.end())
      group.lanes.push_back(lane_of("idle", LaneType::idle, std::move(idle->second), 1));
    for (auto at = found_.streams.lower_bound({device, 0}); at != found_.streams.end() && at->first.first == device;
         ++at)
      group.lanes.push_back(
          lane_of(stream_name(at->first.second), LaneType::stream, std::move(at->second), deepest_stream));
    for (const std::string_view series : drawn_series)
      for (auto at = found_.samples.lower_bound({device, 0}); at != found_.samples.end() && at->first.first == device;
           ++at)
        if (columns_.text(at->first.second) == series) group.lanes.push_back(lane_of(series, std::move(at->second)));
  }

  Lane lane_of(std::string_view series, std::vector<SamplePoint> points) const {
    std::stable_sort(points.begin(), points.end(),
                     [](const SamplePoint& a, const SamplePoint& b) { return a.time < b.time; });
    Lane lane{.name = std::string(series), .type = LaneType::sampled};
    lane.unit = base_unit(find_series(series)->unit);
    lane.points = std::move(points);
    return lane;
  }

  void add_thread_lanes(std::vector<std::uint32_t> threads, LaneGroup& group) {
    std::stable_sort(threads.begin(), threads.end(), [&](std::uint32_t a, std::uint32_t b) {
      return found_.threads[a].size() > found_.threads[b].size();
    });
    if (threads.size() > most_threads) {
      group.threads_left_out = threads.size() - most_threads;
      threads.resize(most_threads);
    }
    for (const std::uint32_t thread : threads)
      group.lanes.push_back(
          lane_of(thread_name(thread), LaneType::host, std::move(found_.threads[thread]), deepest_host));
  }

  std::map<std::optional<std::int64_t>, RankRows> rows_by_rank() const {
    std::map<std::optional<std::int64_t>, RankRows> out;
    const auto add_device = [&](std::uint32_t row) {
      const std::vector<DeviceEntry>& known = view_.run->devices;
      out[row < known.size() ? known[row].rank : std::nullopt].devices.insert(row);
    };
    for (const auto& [device, slices] : found_.idle) add_device(device);
    for (const auto& [key, slices] : found_.streams) add_device(key.first);
    for (const auto& [key, points] : found_.samples) add_device(key.first);
    for (const auto& [rank, slices] : found_.steps) out[rank];
    const auto ranks = columns_.indices(column("threads.rank"));
    for (const auto& [thread, slices] : found_.threads)
      out[rank_of_row(columns_, value_of(ranks, thread))].threads.push_back(thread);
    return out;
  }

  const RunColumns& columns_;
  const RunView& view_;
  GatheredSlices& found_;
  CancelFlag stop_;
};

/// Of telemetry alone: the time from the first sample to the last.
DrawnTime sampled_time(const std::vector<LaneGroup>& groups) {
  DrawnTime out{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()};
  for (const LaneGroup& group : groups)
    for (const Lane& lane : group.lanes) {
      if (lane.points.empty()) continue;
      out.first = std::min(out.first, lane.points.front().time);
      out.second = std::max(out.second, lane.points.back().time);
    }
  return out;
}

/// The first instant of the window that is judged, else of what there is.
std::optional<std::int64_t> origin_of(const RunColumns& columns) {
  if (const std::int64_t start = value_of(columns.integers(column("runs.start")), 0); start != absent_integer)
    return start;
  std::optional<std::int64_t> first;
  for (const ColumnId id : {column("steps.start"), column("kernels.start"), column("ops.start"), column("api.start"),
                            column("annotations.start"), column("samples.time")})
    for (const std::int64_t instant : columns.integers(id))
      if (instant != absent_integer && (!first || instant < *first)) first = instant;
  return first;
}

}  // namespace

std::string_view name_of(LaneType type) {
  constexpr std::string_view names[] = {"steps", "host", "idle", "stream", "sampled"};
  return names[static_cast<std::size_t>(type)];
}

std::optional<Lanes> lanes_of(const RunColumns& columns, const RunView& view, CancelFlag stop) {
  const std::optional<std::int64_t> origin = origin_of(columns);
  if (!origin) return std::nullopt;
  GatheredSlices found = gather_slices(columns, *origin, stop);
  std::vector<LaneGroup> groups = Layouter(columns, view, found, stop).groups();
  const DrawnTime drawn = found.first <= found.last ? DrawnTime{found.first, found.last} : sampled_time(groups);
  if (drawn.first > drawn.second) return std::nullopt;
  Lanes out{.origin = *origin,
            .from = drawn.first,
            .to = drawn.second,
            .judged = {},
            .kinds = std::move(found.kinds),
            .names = std::move(found.names),
            .groups = std::move(groups)};
  const bool window = value_of(columns.integers(column("runs.start")), 0) != absent_integer;
  if (window && view.run->wall_ns) out.judged = DrawnTime{0, *view.run->wall_ns};
  out.of_part = !view.run->scope.empty();
  return out;
}

}  // namespace kdiag::report
