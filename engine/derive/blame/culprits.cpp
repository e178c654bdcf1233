// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/culprits.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <vector>

#include "engine/derive/blame/cpu_samples.hpp"
#include "engine/derive/blame/host_ranges.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/timeline/innermost_events.hpp"
#include "engine/facts/library_frames.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// How many times its own length before a row an operator or call may have begun that is named for it (judgement).
constexpr std::int64_t longest_before = 4;
/// The rows that are looked up, and the events found for them.
class Lookup {
 public:
  Lookup(IdleRows& rows, CancelFlag cancel) : rows_(rows), cancel_(cancel) {}

  bool empty() const { return chosen_.empty(); }

  /// Rows that `wanted` accepts, with their owner.
  template <class Wanted, class Owner>
  void choose(Wanted wanted, Owner owner) {
    chosen_.clear();
    spans_.clear();
    owners_.clear();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!wanted(rows_[i])) continue;
      const std::uint32_t of = owner(rows_[i]);
      if (of == absent_index) continue;
      chosen_.push_back(i);
      spans_.push_back(rows_[i].span);
      owners_.push_back(of);
    }
  }

  /// Hands each chosen row its innermost event, if there is one.
  template <class Take>
  void find(const SpanColumns& events, std::span<const std::uint32_t> event_owners, std::size_t owner_count,
            Take take) {
    if (chosen_.empty() || events.empty()) return;
    const auto found = innermost_events(events, event_owners, spans_, owners_, owner_count, cancel_);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (found[i] != absent_index) take(rows_[chosen_[i]], found[i]);
  }

 private:
  IdleRows& rows_;
  CancelFlag cancel_;
  std::vector<std::size_t> chosen_;
  std::vector<Interval> spans_;
  std::vector<std::uint32_t> owners_;
};

/// aten::_local_scalar_dense is how aten::item and its like do it: people know the operator that they wrote.
std::uint32_t known_operator(const FactStore& store, std::uint32_t op) {
  const std::uint32_t parent = store.index(column("ops.parent"), op);
  return parent != absent_index && store.text(column("ops.name"), op) == "aten::_local_scalar_dense" ? parent : op;
}

std::uint32_t operator_else_call(const FactStore& store, const IdleRow& row) {
  if (row.op != absent_index) {
    const std::uint32_t name = store.index(column("ops.name"), known_operator(store, row.op));
    if (name != absent_index) return name;
  }
  return row.call == absent_index ? absent_index : store.index(column("api.name"), row.call);
}

bool is_own_work(const IdleRow& row) { return row.blame == Blame::host_work; }
bool is_silent(const IdleRow& row) { return row.blame == Blame::unrecorded; }

/// Owners of the annotations that a program or its framework puts around work of the host; the others are left out.
std::vector<std::uint32_t> owners_of_ranges(const FactStore& store, bool users_alone,
                                            const std::vector<std::uint32_t>& owners) {
  std::vector<std::uint32_t> out = owners;
  const auto kinds = store.indices(column("annotations.kind"));
  const std::uint32_t user = store.strings.find("user"), device = store.strings.find("device");
  const std::uint32_t overhead = store.strings.find("overhead"), window = store.strings.find("window");
  for (std::size_t row = 0; row < kinds.size() && row < out.size(); ++row) {
    const std::uint32_t kind = kinds[row];
    if (kind == absent_index || kind == user) continue;
    if (users_alone || kind == device || kind == overhead || kind == window) out[row] = absent_index;
  }
  return out;
}

std::vector<std::uint32_t> copy_of(std::span<const std::uint32_t> values) { return {values.begin(), values.end()}; }

class Culprits {
 public:
  Culprits(const FactStore& store, IdleRows& rows, CancelFlag cancel)
      : store_(store), rows_(rows), lookup_(rows, cancel), threads_(store.rows(table("threads"))) {}

  void name() {
    frames();
    frames_of_ranks();
    ranges_of_threads();
    ranges_of_ranks();
    for (IdleRow& row : rows_) {
      if (is_silent(row) && (row.frame != absent_index || row.range != absent_index)) row.blame = Blame::python;
      if (row.blame && row.culprit == absent_index) row.culprit = culprit_of(row);
    }
    operators_and_calls();
  }

 private:
  std::uint32_t thread_of(const IdleRow& row) const { return host_thread(store_, row); }

  void frames() {
    const auto frames = store_.indices(column("python_calls.frame"));
    if (frames.empty()) return;
    lookup_.choose([](const IdleRow& row) { return row.frame == absent_index; },
                   [](const IdleRow& row) { return row.thread; });
    lookup_.find({store_.integers(column("python_calls.start")), store_.integers(column("python_calls.dur"))},
                 store_.indices(column("python_calls.thread")), threads_,
                 [&](IdleRow& row, std::uint32_t call) { row.frame = frames[call]; });
  }

  /// No thread did anything else that was recorded, and one alone runs Python, which handed its work to the thread that
  /// launches: it says what the host does.
  void frames_of_ranks() {
    const auto frames = store_.indices(column("python_calls.frame"));
    const auto threads = store_.indices(column("python_calls.thread"));
    lookup_.choose([](const IdleRow& row) { return is_silent(row) && row.frame == absent_index; },
                   [&](const IdleRow& row) { return rank_slot_of_device(store_, row.device); });
    if (frames.empty() || threads.empty() || lookup_.empty()) return;
    const RankSlots slots(store_, table("python_calls"));
    std::vector<std::uint32_t> owners(frames.size(), absent_index), sole(rank_slot_count(store_), absent_index);
    std::vector<bool> several(sole.size());
    for (std::size_t call = 0; call < frames.size(); ++call) {
      const std::uint32_t slot = slots[call];
      if (slot >= sole.size()) continue;
      owners[call] = slot;
      if (sole[slot] != absent_index && sole[slot] != threads[call]) several[slot] = true;
      sole[slot] = threads[call];
    }
    for (std::uint32_t& slot : owners)
      if (slot != absent_index && several[slot]) slot = absent_index;
    lookup_.find({store_.integers(column("python_calls.start")), store_.integers(column("python_calls.dur"))}, owners,
                 sole.size(), [&](IdleRow& row, std::uint32_t call) { row.frame = frames[call]; });
  }

  void take_range(IdleRow& row, std::uint32_t annotation) {
    const bool close = is_close(store_.integer(column("annotations.dur"), annotation), row.span.length());
    if (is_silent(row) && !close) return;
    row.range = store_.index(column("annotations.name"), annotation);
    if (is_own_work(row) && close) range_culprits_.push_back({&row, row.range});
  }

  SpanColumns annotations() const {
    return {store_.integers(column("annotations.start")), store_.integers(column("annotations.dur"))};
  }

  void ranges_of_threads() {
    if (store_.rows(table("annotations")) == 0) return;
    lookup_.choose([](const IdleRow& row) { return row.blame.has_value(); },
                   [&](const IdleRow& row) { return thread_of(row); });
    lookup_.find(annotations(), owners_of_ranges(store_, false, copy_of(store_.indices(column("annotations.thread")))),
                 threads_, [&](IdleRow& row, std::uint32_t annotation) { take_range(row, annotation); });
  }

  /// No thread did anything else that was recorded, so a range on whatever thread says what the host does.
  void ranges_of_ranks() {
    const std::size_t count = store_.rows(table("annotations"));
    lookup_.choose(
        [](const IdleRow& row) { return is_silent(row) && row.frame == absent_index && row.range == absent_index; },
        [&](const IdleRow& row) { return rank_slot_of_device(store_, row.device); });
    if (count == 0 || lookup_.empty()) return;
    const RankSlots slots(store_, table("annotations"));
    std::vector<std::uint32_t> owners(count);
    for (std::size_t row = 0; row < count; ++row) owners[row] = slots[row];
    lookup_.find(annotations(), owners_of_ranges(store_, true, owners), rank_slot_count(store_),
                 [&](IdleRow& row, std::uint32_t annotation) { take_range(row, annotation); });
  }

  std::uint32_t culprit_of(const IdleRow& row) const {
    switch (*row.blame) {
      case Blame::input:
      case Blame::host_collective: return row.range;
      case Blame::allocation:
      case Blame::slow_call:
      case Blame::first_use:
      case Blame::compile: return row.call == absent_index ? absent_index : store_.index(column("api.name"), row.call);
      case Blame::python: return row.frame == absent_index ? row.range : user_function(row.frame);
      case Blame::host_work:
      case Blame::unrecorded:
      case Blame::unused: return absent_index;
      default: return operator_else_call(store_, row);
    }
  }

  /// The function of the innermost frame that is the user's, else of the frame itself.
  std::uint32_t user_function(std::uint32_t frame) const {
    const std::uint32_t user = first_user_frame(store_, frame);
    return store_.index(column("frames.function"), user == absent_index ? frame : user);
  }

  /// What the host does in its own work, most telling first.
  void operators_and_calls() {
    const auto wanted = [](const IdleRow& row) { return is_own_work(row) && row.culprit == absent_index; };
    const auto thread = [&](const IdleRow& row) { return thread_of(row); };
    struct Kind {
      ColumnId start, dur, thread, name;
    };
    constexpr Kind kinds[] = {
        {column("ops.start"), column("ops.dur"), column("ops.thread"), column("ops.name")},
        {column("api.start"), column("api.dur"), column("api.thread"), column("api.name")},
    };
    for (const Kind& kind : kinds) {
      const SpanColumns events{store_.integers(kind.start), store_.integers(kind.dur)};
      lookup_.choose(wanted, thread);
      lookup_.find(events, store_.indices(kind.thread), threads_, [&](IdleRow& row, std::uint32_t event) {
        if ((row.span.start - events.start[event]) / longest_before < row.span.length())
          row.culprit = store_.index(kind.name, event);
      });
    }
    for (IdleRow& row : rows_)
      if (wanted(row) && row.frame != absent_index) row.culprit = user_function(row.frame);
    system_calls();
    for (const auto& [row, range] : range_culprits_)
      if (wanted(*row)) row->culprit = range;
    ranges_together();
    sampled_functions();
  }

  /// Where the thread was when the profiler looked, if nothing that was recorded says more. A thread that does not run
  /// is not looked at: each look stands for the time to the next one, and a function counts that fills most of a row.
  void sampled_functions() {
    const CpuSamples samples(store_);
    if (samples.empty()) return;
    for (IdleRow& row : rows_) {
      if (!is_silent(row) && !(is_own_work(row) && row.culprit == absent_index)) continue;
      const std::uint32_t function = samples.function_of_most(thread_of(row), row.span);
      if (function == absent_index) continue;
      if (is_silent(row)) row.blame = Blame::host_work;
      row.culprit = function;
    }
  }

  /// Events of each thread that have a name and a time, by start.
  std::vector<std::vector<std::uint32_t>> named_by_thread(const SpanColumns& events,
                                                          std::span<const std::uint32_t> names,
                                                          const std::vector<std::uint32_t>& of_threads) const {
    std::vector<std::vector<std::uint32_t>> by_thread(threads_);
    for (std::uint32_t event = 0; event < of_threads.size(); ++event)
      if (of_threads[event] != absent_index && names[event] != absent_index && events[event])
        by_thread[of_threads[event]].push_back(event);
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return events.start[a] < events.start[b]; };
    for (std::vector<std::uint32_t>& of_thread : by_thread)
      std::stable_sort(of_thread.begin(), of_thread.end(), earlier);
    return by_thread;
  }

  /// Where the thread sat when no operator or runtime call says more: in one call, or in many of one name.
  void system_calls() {
    const SpanColumns calls{store_.integers(column("os_calls.start")), store_.integers(column("os_calls.dur"))};
    const auto names = store_.indices(column("os_calls.name"));
    if (calls.empty() || names.empty()) return;
    const auto by_thread = named_by_thread(calls, names, copy_of(store_.indices(column("os_calls.thread"))));
    for (IdleRow& row : rows_) {
      if (!is_silent(row) && !(is_own_work(row) && row.culprit == absent_index)) continue;
      const std::uint32_t thread = thread_of(row);
      if (thread == absent_index) continue;
      const std::uint32_t name = name_of_most(by_thread[thread], calls, names, row.span, latest_instant);
      if (name == absent_index) continue;
      row.blame = Blame::system_call;
      row.culprit = name;
    }
  }

  /// Ranges of one name that fill a row together, where no single one does. One that holds much more is left out.
  void ranges_together() {
    const SpanColumns ranges = annotations();
    const auto names = store_.indices(column("annotations.name"));
    if (ranges.empty() || names.empty()) return;
    const auto by_thread = named_by_thread(
        ranges, names, owners_of_ranges(store_, true, copy_of(store_.indices(column("annotations.thread")))));
    for (IdleRow& row : rows_) {
      if (!is_own_work(row) || row.culprit != absent_index) continue;
      const std::uint32_t thread = thread_of(row);
      if (thread == absent_index) continue;
      std::int64_t too_long = 0;
      for (int i = 0; i < much_longer; ++i) too_long = add_times(too_long, row.span.length());
      row.culprit = name_of_most(by_thread[thread], ranges, names, row.span, too_long);
    }
  }

  /// The name whose events fill more than half of a span; of those that lie in one another the innermost. `of_thread`
  /// is sorted by start.
  static std::uint32_t name_of_most(const std::vector<std::uint32_t>& of_thread, const SpanColumns& events,
                                    std::span<const std::uint32_t> names, const Interval& span, std::int64_t too_long) {
    auto event = std::lower_bound(of_thread.begin(), of_thread.end(), span.start,
                                  [&](std::uint32_t row, std::int64_t time) { return events.start[row] < time; });
    if (event != of_thread.begin()) --event;  // the one that had begun before
    std::map<std::uint32_t, std::int64_t> filled;
    for (; event != of_thread.end() && events.start[*event] < span.end; ++event) {
      const Interval at = *events[*event];
      const std::int64_t shared = std::min(at.end, span.end) - std::max(at.start, span.start);
      if (shared <= 0 || at.length() >= too_long) continue;
      std::int64_t& sum = filled.try_emplace(names[*event], 0).first->second;
      sum = add_times(sum, shared);
    }
    std::uint32_t found = absent_index;
    for (const auto& [name, sum] : filled)
      if (sum > span.length() - sum && (found == absent_index || sum < filled[found])) found = name;
    return found;
  }

  struct RangeCulprit {
    IdleRow* row;
    std::uint32_t range;
  };

  const FactStore& store_;
  IdleRows& rows_;
  Lookup lookup_;
  std::size_t threads_;
  std::vector<RangeCulprit> range_culprits_;
};

}  // namespace

void name_culprits(const FactStore& store, IdleRows& rows, CancelFlag cancel) { Culprits(store, rows, cancel).name(); }

}  // namespace kdiag
