// SPDX-License-Identifier: Apache-2.0
#include "report/html/gather_slices.hpp"

#include <algorithm>
#include <span>
#include <string_view>

#include <kdiag/catalogue.hpp>

#include "report/html/page_time.hpp"

namespace kdiag::report {
namespace {

/// Numbers of kinds by their names; beyond as many as anybody could tell apart, the last.
class Kinds {
 public:
  explicit Kinds(std::vector<std::string>& names) : names_(names) {}
  std::uint16_t operator()(std::string_view name) {
    const auto found = std::find(names_.begin(), names_.end(), name);
    if (found == names_.end() && names_.size() >= most) return most - 1;
    const auto place = static_cast<std::uint16_t>(found - names_.begin());
    if (found == names_.end()) names_.emplace_back(name);
    return place;
  }

 private:
  static constexpr std::uint16_t most = 256;
  std::vector<std::string>& names_;
};

class Gatherer {
 public:
  Gatherer(const RunColumns& columns, std::int64_t origin, CancelFlag stop)
      : columns_(columns), origin_(origin), stop_(stop), out_(columns) {}

  GatheredSlices gather() {
    add_device_work(table("kernels"), "name", "other");
    add_device_work(table("copies"), "kind", "copy");
    add_device_work(table("memsets"), {}, "memset");
    add_idle();
    add_host_work(table("annotations"), "range");
    add_host_work(table("ops"), "op");
    add_host_work(table("api"), "call");
    add_host_work(table("os_calls"), "system call");
    add_python_calls();
    add_steps();
    add_samples();
    return std::move(out_);
  }

 private:
  std::optional<Slice> slice(std::int64_t start, std::int64_t length, std::uint32_t name, std::uint16_t kind) {
    if (start == absent_integer || length == absent_integer || length < 0) return std::nullopt;
    const auto from = page_time(start, origin_);
    std::int64_t end = 0;
    if (!from || __builtin_add_overflow(start, length, &end)) return std::nullopt;
    const auto to = page_time(end, origin_);
    if (!to) return std::nullopt;
    out_.first = std::min(out_.first, *from);
    out_.last = std::max(out_.last, *to);
    return Slice{.start = *from, .end = *to, .name = name, .kind = kind};
  }

  std::span<const std::int64_t> integers(TableId rows, std::string_view name) const {
    return columns_.integers(find_column(info(rows).name, name));
  }
  /// Nothing where the table has no such column.
  std::span<const std::uint32_t> indices(TableId rows, std::string_view name) const {
    const ColumnId id = find_column(info(rows).name, name);
    return id.valid() ? columns_.indices(id) : std::span<const std::uint32_t>{};
  }

  /// `only_kind`: of rows without a class.
  void add_device_work(TableId rows, std::string_view name, std::string_view only_kind) {
    const auto starts = integers(rows, "start"), lengths = integers(rows, "dur");
    const auto devices = indices(rows, "device"), streams = indices(rows, "stream");
    const auto names = indices(rows, name), kinds = indices(rows, "class");
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
        out_.streams[{value_of(devices, row), value_of(streams, row)}].push_back(*one);
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
        out_.idle[value_of(devices, row)].push_back(*one);
    }
  }

  void add_host_work(TableId rows, std::string_view kind) {
    const auto starts = integers(rows, "start"), lengths = integers(rows, "dur");
    const auto threads = indices(rows, "thread"), names = indices(rows, "name");
    const std::uint16_t chosen = kinds_(kind);
    for (std::size_t row = 0; row < columns_.rows(rows); ++row) {
      check_stop_flag(row);
      const std::uint32_t on = value_of(threads, row);
      if (on == absent_index) continue;  // a range of a device
      if (const auto one = slice(value_of(starts, row), value_of(lengths, row), value_of(names, row), chosen))
        out_.threads[on].push_back(*one);
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
      if (on == absent_index || frame == absent_index) continue;
      if (const auto one = slice(value_of(starts, row), value_of(lengths, row), value_of(functions, frame), kind))
        out_.threads[on].push_back(*one);
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
        out_.steps[rank_of_row(columns_, value_of(ranks, row))].push_back(*one);
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
      if (const auto at = page_time(time, origin_))
        out_.samples[{value_of(devices, row), name}].push_back({*at, value});
    }
  }

  void check_stop_flag(std::size_t row) const {
    if (row % 65'536 == 0) stop_if(stop_);
  }

  const RunColumns& columns_;
  std::int64_t origin_;
  CancelFlag stop_;
  GatheredSlices out_;
  Kinds kinds_{out_.kinds};
};

}  // namespace

std::uint32_t SliceNames::made(std::string name) {
  made_.push_back(std::move(name));
  return columns_.texts() + static_cast<std::uint32_t>(made_.size()) - 1;
}

std::string SliceNames::text(std::uint32_t id) const {
  if (id == absent_index) return {};
  return id < columns_.texts() ? std::string(columns_.text(id)) : made_[id - columns_.texts()];
}

std::optional<std::int64_t> rank_of_row(const RunColumns& columns, std::uint32_t row) {
  const std::int32_t id = value_of(columns.smalls(column("ranks.id")), row);
  return row == absent_index || id == absent_small ? std::nullopt : std::optional<std::int64_t>(id);
}

GatheredSlices gather_slices(const RunColumns& columns, std::int64_t origin, CancelFlag stop) {
  return Gatherer(columns, origin, stop).gather();
}

}  // namespace kdiag::report
