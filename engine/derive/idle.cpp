// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/idle.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/rows/scope.hpp"
#include "engine/derive/timeline/hidden_graphs.hpp"
#include "engine/derive/timeline/host_states.hpp"
#include "engine/facts/input_cut.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// A span of the window between two busy ones.
struct Gap {
  Interval span;
  std::int64_t began = 0;               ///< when the device fell idle: before the span when the window cuts it
  std::int64_t launched = 0;            ///< when the work before it had been launched, at the latest
  std::uint32_t launch = absent_index;  ///< row of `api` whose work ends it; of a gap at the end: the last one
  std::uint32_t op = absent_index;      ///< without calls: row of `ops` that began in the gap and whose work ends it
  bool at_end = false;
};

std::uint32_t last_launch(const FactStore& store, const DeviceTimeline& device) {
  const auto call_start = store.integers(column("api.start"));
  std::uint32_t last = absent_index;
  for (const DeviceWork& work : device.work)
    if (work.launch != absent_index && !call_start.empty() &&
        (last == absent_index || call_start[work.launch] > call_start[last]))
      last = work.launch;
  return last;
}

/// Whether operators tell what a device waits for, since no calls are recorded. Those of PyTorch do not: some of them
/// wait for the device (aten::item), and which, and until when, their calls alone would say.
bool operators_tell(const FactStore& store) {
  if (store.rows(table("api")) > 0) return false;
  const auto names = store.indices(column("ops.name"));
  return std::none_of(names.begin(), names.end(), [&](std::uint32_t name) {
    return name != absent_index && store.strings[name].starts_with("aten::");
  });
}

/// The operator that began behind the end of the work before and started the next. One that began earlier may have
/// launched in time.
std::uint32_t awaited_op(const FactStore& store, const DeviceWork& work, std::int64_t began) {
  if (work.op == absent_index) return absent_index;
  const std::int64_t start = store.integer(column("ops.start"), work.op);
  return start != absent_integer && start >= began && start <= work.span.start ? work.op : absent_index;
}

std::vector<Gap> gaps_within(const FactStore& store, const DeviceTimeline& device, const IntervalSet& parts,
                             bool by_operators) {
  std::vector<Gap> gaps;
  const std::uint32_t last = last_launch(store, device);
  auto work = device.work.begin();
  auto busy = device.busy.intervals().begin();
  std::int64_t began = -latest_instant;
  std::int64_t launched = -latest_instant;
  const auto call_start = store.integers(column("api.start"));
  const IntervalSet idle = parts - device.busy;
  for (const Interval& span : idle.intervals()) {
    for (; busy != device.busy.intervals().end() && busy->end <= span.start; ++busy) began = busy->end;
    for (; work != device.work.end() && (work->span.start < span.end || work->span.length() == 0); ++work)
      if (work->launch != absent_index && !call_start.empty()) launched = std::max(launched, call_start[work->launch]);
    Gap gap{.span = span, .began = began, .launched = launched, .at_end = work == device.work.end()};
    if (gap.at_end) gap.launch = last;
    else if (by_operators) gap.op = awaited_op(store, *work, began);
    for (auto next = work;
         next != device.work.end() && next->span.start == work->span.start && gap.launch == absent_index; ++next)
      gap.launch = next->launch;
    gaps.push_back(gap);
  }
  return gaps;
}

struct IdleRows {
  std::vector<std::uint32_t> device, cause, op, call, thread, hidden;
  std::vector<Interval> spans;
};

class IdleTable {
 public:
  IdleTable(FactStore& store, CancelFlag cancel)
      : store_(store),
        states_(store),
        cut_(input_was_cut(store)),
        by_operators_(operators_tell(store)),
        cancel_(cancel) {
    for (std::size_t c = 0; c < idle_causes; ++c)
      causes_[c] = c == static_cast<std::size_t>(IdleCause::unknown)
                       ? absent_index
                       : store.strings.intern(name_of(static_cast<IdleCause>(c)));
  }

  /// `hidden`: launches of graphs that the recording does not show, see hidden_graph_launches.
  /// `silent_host`: when the host did nothing that is recorded; looked at where work is linked with its launches.
  void add(std::uint32_t device, const DeviceTimeline& timeline, const IntervalSet& silent_host, const Wall& wall,
           std::span<const std::int64_t> hidden) {
    deciding_ = absent_index;
    if (timeline.work.empty()) {
      for (const Interval& part : wall.parts.intervals()) append(device, {part, IdleCause::no_work});
      return;
    }
    std::vector<Gap> gaps = gaps_within(store_, timeline, wall.parts, by_operators_);
    stop_if(cancel_);
    const bool linked = last_launch(store_, timeline) != absent_index;
    const IntervalSet none;
    const IntervalSet& silent = linked ? silent_host : none;
    auto quiet = silent.intervals().begin();
    for (Gap& gap : gaps) {
      stop_if(cancel_);
      const auto graph = std::lower_bound(hidden.begin(), hidden.end(), gap.launched);
      const std::int64_t end = gap.span.end;
      if (graph != hidden.end()) gap.span.end = std::clamp(*graph, gap.span.start, end);
      if (gap.at_end && cut_) gap.span.end = gap.span.start;
      const Interval perhaps_busy{gap.span.end, end};
      deciding_ = gap.launch == absent_index || launched_before(gap) ? absent_index : queueing_thread(gap.launch);
      if (launched_before(gap)) {
        append(device, {gap.span, IdleCause::launch, gap.launch});
        append_hidden(device, perhaps_busy);
        continue;
      }
      std::int64_t from = gap.span.start;
      while (quiet != silent.intervals().end() && quiet->end <= from) ++quiet;
      for (auto in = quiet; in != silent.intervals().end() && in->start < gap.span.end; ++in) {
        const Interval nothing{std::max(in->start, from), std::min(in->end, gap.span.end)};
        add_active(device, {from, nothing.start}, gap);
        append(device, {nothing, IdleCause::no_work});
        from = nothing.end;
      }
      add_active(device, {from, gap.span.end}, gap);
      append_hidden(device, perhaps_busy);
    }
  }

  void store() && {
    std::vector<std::int64_t> starts, durs;
    for (const Interval& span : rows_.spans) {
      starts.push_back(span.start);
      durs.push_back(span.length());
    }
    store_.resize(table("idle"), rows_.spans.size());
    store_.replace(column("idle.device"), std::move(rows_.device), "derived");
    store_.replace(column("idle.start"), std::move(starts), "derived");
    store_.replace(column("idle.dur"), std::move(durs), "derived");
    store_.replace(column("idle.cause"), std::move(rows_.cause), "derived");
    store_.replace(column("idle.op"), std::move(rows_.op), "derived");
    store_.replace(column("idle.call"), std::move(rows_.call), "derived");
    store_.replace(column("idle.host_thread"), std::move(rows_.thread), "derived");
    store_.replace(column("idle.hidden"), std::move(rows_.hidden), "derived");
  }

 private:
  bool launched_before(const Gap& gap) const {
    return !gap.at_end && gap.launch != absent_index && store_.integer(column("api.start"), gap.launch) <= gap.began;
  }

  /// The thread that keeps the device waiting for a launch: its own, or that of the operator which queued the work.
  std::uint32_t queueing_thread(std::uint32_t launch) const {
    const std::uint32_t op = store_.index(column("api.op"), launch);
    const std::uint32_t thread = op == absent_index ? absent_index : store_.index(column("ops.thread"), op);
    return thread == absent_index ? store_.index(column("api.thread"), launch) : thread;
  }

  /// Idle time in which the host was at work: split by the states of the deciding thread.
  void add_active(std::uint32_t device, Interval span, const Gap& gap) {
    if (gap.op != absent_index) return add_launching(device, span, gap.op);
    const std::uint32_t thread =
        gap.launch == absent_index ? absent_index : store_.index(column("api.thread"), gap.launch);
    if (thread == absent_index) return append(device, {span, IdleCause::unknown});
    const std::uint32_t launching = gap.at_end ? absent_index : gap.launch;
    // A thread that launches what another one queues waits for that one where it does nothing itself.
    const ThreadStates& own = states_.of(thread);
    const ThreadStates& queueing = states_.of(deciding_);
    if (thread == deciding_) {
      const std::span<const HostState> lists[] = {own.inside, own.after};
      split(device, span, lists, launching);
    } else {
      const std::span<const HostState> lists[] = {own.inside, queueing.inside, queueing.after, own.after};
      split(device, span, lists, launching);
    }
  }

  /// Idle time that an operator ends whose calls are not recorded: it computes or launches while it lasts. Before,
  /// another one may wait for data or for a peer, and behind it the work was launched.
  void add_launching(std::uint32_t device, Interval span, std::uint32_t op) {
    const std::int64_t start = store_.integer(column("ops.start"), op);
    const auto own = span_of(start, store_.integer(column("ops.dur"), op));
    const std::int64_t begin = std::clamp(start, span.start, span.end);
    const std::int64_t end = own ? std::clamp(own->end, begin, span.end) : begin;
    append(device, {{span.start, begin}, IdleCause::unknown});
    deciding_ = store_.index(column("ops.thread"), op);
    append(device, {{begin, end}, IdleCause::launch}, false, op);
    append(device, {{end, span.end}, IdleCause::unknown});
  }

  /// Adds a span by the states of the first list, what these leave by those of the next one, and what all of them leave
  /// as waiting for a launch.
  void split(std::uint32_t device, Interval span, std::span<const std::span<const HostState>> lists,
             std::uint32_t launching) {
    if (span.end <= span.start) return;
    if (lists.empty()) return append(device, {span, IdleCause::launch, launching});
    const std::span<const HostState> states = lists.front();
    const auto others = lists.subspan(1);
    auto state = std::upper_bound(states.begin(), states.end(), span.start,
                                  [](std::int64_t time, const HostState& s) { return time < s.span.end; });
    for (; state != states.end() && state->span.start < span.end; ++state) {
      split(device, {span.start, state->span.start}, others, launching);
      span.start = std::max(span.start, state->span.start);
      const std::int64_t end = std::min(state->span.end, span.end);
      append(device, {{span.start, end}, state->cause, state->call});
      span.start = end;
    }
    split(device, span, others, launching);
  }

  /// Adds time in which the device may have worked.
  void append_hidden(std::uint32_t device, const Interval& span) { append(device, {span, IdleCause::unknown}, true); }

  /// Adds a row, or lengthens the one before when nothing changed. Empty spans are nothing.
  void append(std::uint32_t device, const HostState& state, bool hidden = false, std::uint32_t op = absent_index) {
    if (state.span.end <= state.span.start) return;
    if (state.call != absent_index) op = store_.index(column("api.op"), state.call);
    const std::uint32_t cause = causes_[static_cast<std::size_t>(state.cause)];
    if (!rows_.spans.empty() && rows_.device.back() == device && rows_.spans.back().end == state.span.start &&
        rows_.cause.back() == cause && rows_.call.back() == state.call && rows_.op.back() == op &&
        rows_.hidden.back() == hidden) {
      rows_.spans.back().end = state.span.end;
      return;
    }
    rows_.device.push_back(device);
    rows_.spans.push_back(state.span);
    rows_.hidden.push_back(hidden ? 1 : 0);
    rows_.thread.push_back(state.cause == IdleCause::unknown ? absent_index : deciding_);
    rows_.cause.push_back(cause);
    rows_.call.push_back(state.call);
    rows_.op.push_back(op);
  }

  FactStore& store_;
  HostStates states_;
  bool cut_;
  bool by_operators_;
  CancelFlag cancel_;
  std::uint32_t causes_[idle_causes];
  std::uint32_t deciding_ = absent_index;  ///< thread that the gap at hand waits for
  IdleRows rows_;
};

}  // namespace

void derive_idle(FactStore& store, std::span<const DeviceTimeline> devices, std::span<const HostTimeline> hosts,
                 CancelFlag cancel) {
  const bool timed =
      std::any_of(devices.begin(), devices.end(), [](const DeviceTimeline& device) { return !device.work.empty(); });
  if (store.present(table("idle")) || !timed) return;
  const auto hidden = hidden_graph_launches(store, devices);
  stop_if(cancel);
  IdleTable idle(store, cancel);
  std::map<std::uint32_t, IntervalSet> silent;  // by rank slot: the devices of a rank share its host
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const std::uint32_t slot = rank_slot_of_device(store, device);
    if (slot >= hosts.size() || !store.walls[slot].window || !device_in_scope(store, device)) continue;
    const auto [of_host, added] = silent.try_emplace(slot);
    if (added && hosts[slot].recorded) of_host->second = hosts[slot].silent(*store.walls[slot].window);
    idle.add(device, devices[device], of_host->second, store.walls[slot], hidden[slot]);
  }
  std::move(idle).store();
}

}  // namespace kdiag
