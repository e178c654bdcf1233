// SPDX-License-Identifier: Apache-2.0
#include "report/html/lanes.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include <kdiag/catalogue.hpp>

#include "report/html/page_time.hpp"
#include "report/phrases/phrases.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t deepest_host = 16, deepest_stream = 4;  // rows of a lane (judgement)
constexpr std::size_t most_threads = 8;                       // of a rank, the busiest (judgement)
// What people look at beside kernels; other series are in the tables of telemetry.
constexpr std::string_view drawn_series[] = {"sm_clock", "mem_clock",   "power",
                                             "gpu_util", "temperature", "memory_used"};
constexpr std::uint32_t no_row = absent_index;

/// Numbers of kinds by their names.
class Kinds {
 public:
  explicit Kinds(std::vector<std::string>& names) : names_(names) {}
  std::uint16_t operator()(std::string_view name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    const auto place = static_cast<std::uint16_t>(found - names_.begin());
    if (found == names_.end()) names_.emplace_back(name);
    return place;
  }

 private:
  std::vector<std::string>& names_;
};

class Collector {
 public:
  Collector(const RunColumns& columns, const RunView& view, std::int64_t origin, CancelFlag stop)
      : columns_(columns), view_(view), stop_(stop), out_{.origin = origin, .names = SliceNames(columns)} {}

  std::optional<Lanes> collect() {
    add_device_work(table("kernels"), column("kernels.start"), column("kernels.dur"), column("kernels.device"),
                    column("kernels.stream"), column("kernels.name"), column("kernels.class"));
    add_device_work(table("copies"), column("copies.start"), column("copies.dur"), column("copies.device"),
                    column("copies.stream"), column("copies.kind"), {}, "copy");
    add_device_work(table("memsets"), column("memsets.start"), column("memsets.dur"), column("memsets.device"),
                    column("memsets.stream"), {}, {}, "memset");
    add_idle();
    add_host_work(table("annotations"), column("annotations.start"), column("annotations.dur"),
                  column("annotations.thread"), column("annotations.name"), "range");
    add_host_work(table("ops"), column("ops.start"), column("ops.dur"), column("ops.thread"), column("ops.name"), "op");
    add_host_work(table("api"), column("api.start"), column("api.dur"), column("api.thread"), column("api.name"),
                  "call");
    add_host_work(table("os_calls"), column("os_calls.start"), column("os_calls.dur"), column("os_calls.thread"),
                  column("os_calls.name"), "system call");
    add_python_calls();
    add_steps();
    add_samples();
    lay_out();
    if (first_ > last_) return std::nullopt;
    out_.from = first_;
    out_.to = last_;
    return std::move(out_);
  }

 private:
  using DeviceStream = std::pair<std::uint32_t, std::uint32_t>;

  std::optional<Slice> slice(std::int64_t start, std::int64_t length, std::uint32_t name, std::uint16_t kind) {
    if (start == absent_integer || length == absent_integer || length < 0) return std::nullopt;
    const auto from = page_time(start, out_.origin);
    std::int64_t end = 0;
    if (!from || __builtin_add_overflow(start, length, &end)) return std::nullopt;
    const auto to = page_time(end, out_.origin);
    if (!to) return std::nullopt;
    first_ = std::min(first_, *from);
    last_ = std::max(last_, *to);
    return Slice{.start = *from, .end = *to, .name = name, .kind = kind};
  }

  void add_device_work(TableId rows, ColumnId start, ColumnId length, ColumnId device, ColumnId stream, ColumnId name,
                       ColumnId kind, std::string_view only_kind = "other") {
    const auto starts = columns_.integers(start), lengths = columns_.integers(length);
    const auto devices = columns_.indices(device), streams = columns_.indices(stream);
    const auto names = name.valid() ? columns_.indices(name) : std::span<const std::uint32_t>{};
    const auto kinds = kind.valid() ? columns_.indices(kind) : std::span<const std::uint32_t>{};
    const std::uint16_t plain = kinds_(only_kind);
    const std::uint32_t unnamed = out_.names.made(std::string(only_kind));
    std::map<std::uint32_t, std::uint16_t> kind_of;
    for (std::size_t row = 0; row < columns_.rows(rows); ++row) {
      check_stop_flag(row);
      std::uint16_t chosen = plain;
      if (const std::uint32_t text = value_of(kinds, row); text != absent_index) {
        const auto [place, added] = kind_of.try_emplace(text);
        if (added) place->second = kinds_(columns_.text(text));
        chosen = place->second;
      }
      const std::uint32_t text = value_of(names, row);
      if (const auto one =
              slice(value_of(starts, row), value_of(lengths, row), text == absent_index ? unnamed : text, chosen))
        streams_[{value_of(devices, row), value_of(streams, row)}].push_back(*one);
    }
  }

  void add_idle() {
    const auto starts = columns_.integers(column("idle.start")), lengths = columns_.integers(column("idle.dur"));
    const auto devices = columns_.indices(column("idle.device")), blames = columns_.indices(column("idle.blame")),
               causes = columns_.indices(column("idle.cause")), culprits = columns_.indices(column("idle.culprit"));
    const std::uint32_t nobody = out_.names.made("");
    for (std::size_t row = 0; row < columns_.rows(table("idle")); ++row) {
      check_stop_flag(row);
      std::uint32_t word = value_of(blames, row);
      if (word == absent_index) word = value_of(causes, row);
      const std::uint16_t kind = kinds_(word == absent_index ? std::string_view("unknown") : columns_.text(word));
      const std::uint32_t culprit = value_of(culprits, row);
      if (const auto one =
              slice(value_of(starts, row), value_of(lengths, row), culprit == absent_index ? nobody : culprit, kind))
        idle_[value_of(devices, row)].push_back(*one);
    }
  }

  void add_host_work(TableId rows, ColumnId start, ColumnId length, ColumnId thread, ColumnId name,
                     std::string_view kind) {
    const auto starts = columns_.integers(start), lengths = columns_.integers(length);
    const auto threads = columns_.indices(thread), names = columns_.indices(name);
    const std::uint16_t chosen = kinds_(kind);
    for (std::size_t row = 0; row < columns_.rows(rows); ++row) {
      check_stop_flag(row);
      const std::uint32_t on = value_of(threads, row);
      if (on == no_row) continue;  // a range of a device
      if (const auto one = slice(value_of(starts, row), value_of(lengths, row), value_of(names, row), chosen))
        threads_[on].push_back(*one);
    }
  }

  void add_python_calls() {
    const auto starts = columns_.integers(column("python_calls.start")),
               lengths = columns_.integers(column("python_calls.dur"));
    const auto threads = columns_.indices(column("python_calls.thread")),
               frames = columns_.indices(column("python_calls.frame")),
               functions = columns_.indices(column("frames.function"));
    const std::uint16_t kind = kinds_("python");
    for (std::size_t row = 0; row < columns_.rows(table("python_calls")); ++row) {
      check_stop_flag(row);
      const std::uint32_t on = value_of(threads, row), frame = value_of(frames, row);
      if (on == no_row || frame == no_row) continue;
      if (const auto one = slice(value_of(starts, row), value_of(lengths, row), value_of(functions, frame), kind))
        threads_[on].push_back(*one);
    }
  }

  void add_steps() {
    const auto starts = columns_.integers(column("steps.start")), lengths = columns_.integers(column("steps.dur")),
               indices = columns_.integers(column("steps.index"));
    const auto ranks = columns_.indices(column("steps.rank")), kinds = columns_.indices(column("steps.kind"));
    for (std::size_t row = 0; row < columns_.rows(table("steps")); ++row) {
      check_stop_flag(row);
      const std::int64_t index = value_of(indices, row);
      const std::uint32_t kind = value_of(kinds, row);
      const std::uint32_t name =
          out_.names.made(index == absent_integer ? std::string("step") : "step " + std::to_string(index));
      if (const auto one = slice(value_of(starts, row), value_of(lengths, row), name,
                                 kinds_(kind == absent_index ? std::string_view("step") : columns_.text(kind))))
        steps_[rank_of(value_of(ranks, row))].push_back(*one);
    }
  }

  void add_samples() {
    const auto times = columns_.integers(column("samples.time"));
    const auto series = columns_.indices(column("samples.series")),
               devices = columns_.indices(column("samples.device"));
    const auto values = columns_.reals(column("samples.value"));
    for (std::size_t row = 0; row < columns_.rows(table("samples")); ++row) {
      check_stop_flag(row);
      const std::int64_t time = value_of(times, row);
      const double value = value_of(values, row);
      const std::uint32_t name = value_of(series, row);
      if (time == absent_integer || value != value || name == absent_index) continue;
      if (const auto at = page_time(time, out_.origin))
        samples_[{value_of(devices, row), name}].push_back({*at, value});
    }
  }

  std::optional<std::int64_t> rank_of(std::uint32_t row) const {
    const std::int32_t id = value_of(columns_.smalls(column("ranks.id")), row);
    return row == no_row || id == absent_small ? std::nullopt : std::optional<std::int64_t>(id);
  }

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
    if (row == no_row) return "work";
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
    if (const auto idle = idle_.find(device); idle != idle_.end())
      group.lanes.push_back(lane_of("idle", LaneType::idle, std::move(idle->second), 1));
    for (auto& [key, slices] : streams_)
      if (key.first == device)
        group.lanes.push_back(lane_of(stream_name(key.second), LaneType::stream, std::move(slices), deepest_stream));
    for (const std::string_view series : drawn_series)
      for (auto& [key, points] : samples_) {
        if (key.first != device || columns_.text(key.second) != series) continue;
        std::stable_sort(points.begin(), points.end(),
                         [](const SamplePoint& a, const SamplePoint& b) { return a.time < b.time; });
        Lane lane{.name = std::string(series), .type = LaneType::sampled};
        lane.unit = base_unit(find_series(series)->unit);
        lane.points = std::move(points);
        group.lanes.push_back(std::move(lane));
      }
  }

  void add_thread_lanes(std::optional<std::int64_t> rank, LaneGroup& group) {
    const auto ranks = columns_.indices(column("threads.rank"));
    std::vector<std::uint32_t> here;
    for (const auto& [thread, slices] : threads_)
      if (rank_of(value_of(ranks, thread)) == rank) here.push_back(thread);
    std::stable_sort(here.begin(), here.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return threads_[a].size() > threads_[b].size(); });
    if (here.size() > most_threads) {
      group.threads_left_out = here.size() - most_threads;
      here.resize(most_threads);
    }
    for (const std::uint32_t thread : here)
      group.lanes.push_back(lane_of(thread_name(thread), LaneType::host, std::move(threads_[thread]), deepest_host));
  }

  /// Ranks one after the other: the host first, then its devices.
  void lay_out() {
    std::map<std::optional<std::int64_t>, std::vector<std::uint32_t>> devices;
    const auto of_device = [&](std::uint32_t row) {
      const std::vector<DeviceEntry>& known = view_.run->devices;
      const auto rank = row < known.size() ? known[row].rank : std::nullopt;
      std::vector<std::uint32_t>& rows = devices[rank];
      if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
    };
    for (const auto& [device, slices] : idle_) of_device(device);
    for (const auto& [key, slices] : streams_) of_device(key.first);
    for (const auto& [key, points] : samples_) of_device(key.first);
    for (const auto& [rank, slices] : steps_) devices[rank];
    for (const auto& [thread, slices] : threads_)
      devices[rank_of(value_of(columns_.indices(column("threads.rank")), thread))];
    for (auto& [rank, rows] : devices) {
      LaneGroup host{.name = rank ? "rank " + std::to_string(*rank) + " host" : "host"};
      if (const auto steps = steps_.find(rank); steps != steps_.end())
        host.lanes.push_back(lane_of("steps", LaneType::steps, std::move(steps->second), 2));
      add_thread_lanes(rank, host);
      if (!host.lanes.empty()) out_.groups.push_back(std::move(host));
      std::sort(rows.begin(), rows.end());
      for (const std::uint32_t device : rows) {
        LaneGroup group{.name = device_name(device)};
        add_device_lanes(device, group);
        if (!group.lanes.empty()) out_.groups.push_back(std::move(group));
      }
    }
    if (first_ > last_)  // telemetry alone
      for (const LaneGroup& group : out_.groups)
        for (const Lane& lane : group.lanes)
          if (!lane.points.empty()) {
            first_ = std::min(first_, lane.points.front().time);
            last_ = std::max(last_, lane.points.back().time);
          }
  }

  void check_stop_flag(std::size_t row) const {
    if (row % 65'536 == 0) stop_if(stop_);
  }

  const RunColumns& columns_;
  const RunView& view_;
  CancelFlag stop_;
  Lanes out_;
  Kinds kinds_{out_.kinds};
  std::map<DeviceStream, std::vector<Slice>> streams_;
  std::map<std::uint32_t, std::vector<Slice>> idle_, threads_;
  std::map<std::optional<std::int64_t>, std::vector<Slice>> steps_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<SamplePoint>> samples_;
  std::int64_t first_ = std::numeric_limits<std::int64_t>::max(), last_ = std::numeric_limits<std::int64_t>::min();
};

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

std::uint32_t SliceNames::made(std::string name) {
  made_.push_back(std::move(name));
  return columns_.texts() + static_cast<std::uint32_t>(made_.size()) - 1;
}

std::string SliceNames::text(std::uint32_t id) const {
  if (id == absent_index) return {};
  return id < columns_.texts() ? std::string(columns_.text(id)) : made_[id - columns_.texts()];
}

std::optional<Lanes> lanes_of(const RunColumns& columns, const RunView& view, CancelFlag stop) {
  const std::optional<std::int64_t> origin = origin_of(columns);
  if (!origin) return std::nullopt;
  std::optional<Lanes> lanes = Collector(columns, view, *origin, stop).collect();
  const bool window = value_of(columns.integers(column("runs.start")), 0) != absent_integer;
  if (lanes && window && view.run->wall_ns) lanes->judged = Interval{0, *view.run->wall_ns};
  return lanes;
}

}  // namespace kdiag::report
