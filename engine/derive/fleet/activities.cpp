// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/fleet/activities.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/steps/steps.hpp"
#include "engine/facts/known_column.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// Device, step, kind and name: rows and texts of the store, absent_index where there is none.
using Activity = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;

struct Sum {
  std::int64_t count = 0, dur = 0;
};

class Sums {
 public:
  explicit Sums(FactStore& store) : store_(store) {}

  /// Rows of a table that name their step.
  void add_work(std::string_view kind, TableId work, ColumnId name) {
    const auto device = store_.indices(find_column(info(work).name, "device"));
    const auto step = store_.indices(find_column(info(work).name, "step"));
    const auto dur = store_.integers(find_column(info(work).name, "dur"));
    const auto names = name.valid() ? store_.indices(name) : std::span<const std::uint32_t>{};
    if (device.empty() || dur.empty()) return;
    const std::uint32_t kind_text = store_.strings.intern(kind);
    for (std::size_t row = 0; row < device.size(); ++row)
      if (device[row] != absent_index && dur[row] >= 0)
        add({device[row], step.empty() ? absent_index : step[row], kind_text,
             names.empty() ? absent_index : names[row]},
            dur[row]);
  }

  /// Idle time lies in steps: each has the part that lies in it, and what is in none belongs to none.
  void add_idle() {
    const auto device = store_.indices(column("idle.device"));
    const auto blame = store_.indices(column("idle.blame"));
    const SpanColumns spans{store_.integers(column("idle.start")), store_.integers(column("idle.dur"))};
    if (device.empty() || spans.empty()) return;
    const std::uint32_t kind = store_.strings.intern("idle");
    const TimedSteps timed(store_);
    for (std::uint32_t row = 0; row < device.size(); ++row) {
      if (device[row] == absent_index || !spans[row]) continue;
      const std::uint32_t slot = rank_slot_of_device(store_, device[row]);
      const std::span<const std::uint32_t> steps =
          slot == absent_index ? std::span<const std::uint32_t>{} : timed.of(slot);
      const std::uint32_t name = blame.empty() ? absent_index : blame[row];
      Interval rest = *spans[row];
      for (auto step = first_behind(steps, rest.start); step != steps.end() && rest.length() > 0; ++step) {
        const Interval span = span_of_step(*step);
        if (span.start >= rest.end) break;
        if (span.start > rest.start) add({device[row], absent_index, kind, name}, span.start - rest.start);
        const Interval part{std::max(rest.start, span.start), std::min(rest.end, span.end)};
        add({device[row], *step, kind, name}, part.length());
        rest.start = part.end;
      }
      if (rest.length() > 0 || spans[row]->length() == 0) add({device[row], absent_index, kind, name}, rest.length());
    }
  }

  void store_rows() {
    store_.resize(table("activities"), sums_.size());
    if (sums_.empty()) return;
    std::vector<std::uint32_t> device, step, kind, name;
    std::vector<std::int64_t> count, dur;
    for (const auto& [activity, sum] : sums_) {
      device.push_back(std::get<0>(activity));
      step.push_back(std::get<1>(activity));
      kind.push_back(std::get<2>(activity));
      name.push_back(std::get<3>(activity));
      count.push_back(sum.count);
      dur.push_back(sum.dur);
    }
    replace_known(store_, column("activities.device"), std::move(device));
    replace_known(store_, column("activities.step"), std::move(step));
    replace_known(store_, column("activities.kind"), std::move(kind));
    replace_known(store_, column("activities.name"), std::move(name));
    replace_known(store_, column("activities.count"), std::move(count));
    replace_known(store_, column("activities.dur"), std::move(dur));
  }

 private:
  void add(const Activity& activity, std::int64_t dur) {
    Sum& sum = sums_[activity];
    ++sum.count;
    sum.dur += dur;
  }
  Interval span_of_step(std::uint32_t step) const {
    return *span_of(store_.integer(column("steps.start"), step), store_.integer(column("steps.dur"), step));
  }
  std::span<const std::uint32_t>::iterator first_behind(std::span<const std::uint32_t> steps, std::int64_t time) const {
    return std::partition_point(steps.begin(), steps.end(),
                                [&](std::uint32_t step) { return span_of_step(step).end <= time; });
  }

  FactStore& store_;
  std::map<Activity, Sum> sums_;
};

}  // namespace

void derive_activities(FactStore& store) {
  if (store.present(table("activities"))) return;
  if (!store.present(table("kernels")) && !store.present(table("idle"))) return;
  Sums sums(store);
  sums.add_work("kernel", table("kernels"), column("kernels.class"));
  sums.add_work("copy", table("copies"), column("copies.kind"));
  sums.add_work("memset", table("memsets"), {});
  sums.add_idle();
  sums.store_rows();
}

}  // namespace kdiag
