// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/blame/blame.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/derive/blame/claims.hpp"
#include "engine/derive/blame/culprits.hpp"
#include "engine/derive/blame/device_habits.hpp"
#include "engine/derive/blame/host_ranges.hpp"
#include "engine/derive/blame/idle_rows.hpp"
#include "engine/derive/blame/silence_of_steps.hpp"
#include "engine/derive/blame/silent_end.hpp"
#include "engine/derive/blame/slow_launches.hpp"
#include "engine/derive/rows/paint.hpp"
#include "engine/derive/rows/rank_slots.hpp"
#include "engine/derive/timeline/call_nature.hpp"
#include "engine/derive/timeline/host_states.hpp"
#include "engine/derive/timeline/host_timeline.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// Spans of time as claims, for split_by.
struct BusySpan {
  Interval span;
};

/// Cuts the rows of `idle` where their blame changes.
class BlameCutter {
 public:
  BlameCutter(const FactStore& store, std::span<const DeviceTimeline> devices, CancelFlag cancel)
      : store_(store),
        devices_(devices),
        natures_(store),
        ranges_(store),
        of_hosts_(claims_of_hosts(store, cancel)),
        of_threads_(slow_launches(store, cancel)),
        launch_bound_(bound_by_launches(store)),
        of_devices_(devices.size()),
        looked_at_(devices.size()),
        busy_(rank_slot_count(store)) {
    for (std::size_t cause = 0; cause < idle_causes; ++cause)
      causes_[cause] = store.strings.find(name_of(static_cast<IdleCause>(cause)));
    std::vector<IntervalSet> kernels(busy_.size());
    std::vector<std::size_t> used(busy_.size());
    for (std::uint32_t device = 0; device < devices.size(); ++device) {
      const std::uint32_t slot = rank_slot_of_device(store, device);
      if (slot >= busy_.size() || devices[device].work.empty()) continue;
      kernels[slot] = kernels[slot] | devices[device].kernels();
      ++used[slot];
    }
    for (std::size_t slot = 0; slot < busy_.size(); ++slot)
      if (used[slot] > 1)
        for (const Interval& span : kernels[slot].intervals()) busy_[slot].push_back({span});
  }

  void cut(const IdleRow& row, IdleRows& out) {
    row_ = &row;
    out_ = &out;
    claimed_ = 0;
    const IdleCause cause = cause_of(row);
    const bool used = row.device < devices_.size() && !devices_[row.device].work.empty();
    slot_ = rank_slot_of_device(store_, row.device);
    if (cause == IdleCause::unknown) return add(row.span);
    if (cause == IdleCause::no_work && !used) return add(row.span, Blame::unused);
    judge_by_claims(cause);
  }

 private:
  IdleCause cause_of(const IdleRow& row) const {
    const auto found = std::find(std::begin(causes_), std::end(causes_), row.cause);
    return row.cause == absent_index || found == std::end(causes_)
               ? IdleCause::unknown
               : static_cast<IdleCause>(found - std::begin(causes_));
  }

  /// Waiting that was recorded stays that; what the host does at any other instant is told by its claims first.
  void judge_by_claims(IdleCause cause) {
    const bool claimed =
        slot_ < of_hosts_.size() && cause != IdleCause::data_loading && cause != IdleCause::communication;
    if (!claimed) return judge(row_->span, cause);
    const Interval span{cause == IdleCause::host_sync ? end_of_wait() : row_->span.start, row_->span.end};
    const auto nothing = [](Interval) {};
    split_by(
        of_hosts_[slot_], span, [&](Interval piece, const BlameClaim&) { claimed_ += piece.length(); }, nothing);
    std::int64_t told = row_->span.start;  // each instant before has its blame
    const auto judge_until = [&](std::int64_t end) {
      if (told < end) judge({told, end}, cause);
      told = end;
    };
    split_by(
        of_hosts_[slot_], span,
        [&](Interval piece, const BlameClaim& claim) {
          judge_until(piece.start);
          add_claimed(piece, claim);
          told = piece.end;
        },
        nothing);
    judge_until(row_->span.end);
  }

  /// Where the blocking call of a row returned; the end of the row where that is not known.
  std::int64_t end_of_wait() const {
    const auto call = span_of_call();
    return call ? std::clamp(call->end, row_->span.start, row_->span.end) : row_->span.end;
  }

  void judge(Interval piece, IdleCause cause) {
    switch (cause) {
      case IdleCause::host_sync: return judge_wait(piece);
      case IdleCause::data_loading: return add(piece, Blame::input);
      case IdleCause::communication: return add(piece, Blame::host_collective);
      case IdleCause::runtime: return judge_call(piece);
      case IdleCause::launch: return judge_launch(piece);
      case IdleCause::no_work: return judge_silence(piece);
      case IdleCause::unknown: return add(piece);
    }
  }

  /// Time without calls and operators is recorded where the program put a range around what it does, and what lies
  /// between two ranges of the thread that launches is no silence unless it is as long as one.
  void judge_silence(Interval piece) {
    const std::vector<HostRange> ranges = ranges_.within(slot_, piece);
    const std::uint32_t launching = host_thread(store_, *row_);
    const bool works = std::any_of(ranges.begin(), ranges.end(), [launching](const HostRange& range) {
      return range.thread != absent_index && range.thread == launching;
    });
    split_by(
        ranges, piece,
        [&](Interval part, const HostRange& range) {
          add(part, Blame::unrecorded);
          out_->back().range = range.name;
        },
        [&](Interval part) {
          add(part, works && part.length() < host_silence ? Blame::host_work : Blame::unrecorded);
        });
  }

  void judge_wait(Interval piece) {
    if (host_works_on()) return add(piece, for_short_gaps());
    add_queued(piece, Blame::blocking_call);
  }

  /// Of time that a blocking call is blamed for and nothing claims, whether the host is to blame for other work: most
  /// of it lies behind the call, and either the device had run dry before the call and the operator around it began, so
  /// that it waited for nothing, or the host does something else for longer than an operator takes.
  bool host_works_on() const {
    const auto call = span_of_call();
    if (!call) return false;
    const std::int64_t behind = row_->span.end - call->end - claimed_;
    if (behind <= 0) return false;
    std::int64_t began = call->start;
    if (row_->op != absent_index)
      if (const std::int64_t start = store_.integer(column("ops.start"), row_->op); start != absent_integer)
        began = start;
    return behind > row_->span.length() - claimed_ - behind && (row_->span.start <= began || behind > short_gap);
  }

  std::optional<Interval> span_of_call() const {
    if (row_->call == absent_index) return std::nullopt;
    return span_of(store_.integer(column("api.start"), row_->call), store_.integer(column("api.dur"), row_->call));
  }

  void judge_call(Interval piece) {
    const CallNature nature = row_->call == absent_index ? CallNature::other : natures_.of(row_->call);
    switch (nature) {
      case CallNature::combined: return add_host_work(piece);
      case CallNature::allocation: return add(piece, Blame::allocation);
      case CallNature::compile: return add(piece, Blame::compile);
      case CallNature::load: return add(piece, Blame::first_use);
      default: return add(piece, Blame::slow_call);
    }
  }

  /// Work that ends a gap was launched before it, within it or, as far as is known, never.
  void judge_launch(Interval piece) {
    const auto call = span_of_call();
    if (!call) return add_host_work(piece);
    const std::int64_t returned = std::clamp(call->end, piece.start, piece.end);
    const std::int64_t behind = piece.end - returned;
    const bool launches = store_.index(column("api.is_launch"), row_->call) == 1;
    if (behind > short_gap && launches) {
      add_host_work({piece.start, returned});
      return add_queued({returned, piece.end}, Blame::queued);
    }
    // A piece behind another blame is not the time in which queued work starts.
    if (call->end <= row_->span.start) return add(piece, Blame::launch_latency);
    add_host_work(piece);
  }

  /// Waiting in which other devices of the process may have their turn.
  void add_queued(Interval piece, Blame blame) {
    static const std::vector<BusySpan> none;
    split_by(
        slot_ < busy_.size() ? busy_[slot_] : none, piece,
        [&](Interval part, const BusySpan&) { add(part, Blame::other_device); },
        [&](Interval part) { add(part, blame); });
  }

  void add_host_work(Interval piece) {
    split_by(
        slow_launches_of(row_->device), piece,
        [&](Interval part, const BlameClaim& claim) { add_claimed(part, claim); },
        [&](Interval part) { add(part, for_short_gaps()); });
  }

  Blame for_short_gaps() const {
    const bool bound = row_->device < launch_bound_.size() && launch_bound_[row_->device];
    return bound && row_->span.length() <= short_gap ? Blame::launch_bound : Blame::host_work;
  }

  /// Slow launches of the threads that launch on a device; of all threads of its rank where these are not known.
  const BlameClaims& slow_launches_of(std::uint32_t device) {
    static const BlameClaims none;
    if (device >= of_devices_.size()) return none;
    if (!looked_at_[device]) {
      looked_at_[device] = true;
      BlameClaims claims;
      const auto add_thread = [&](std::uint32_t thread) {
        claims.insert(claims.end(), of_threads_[thread].begin(), of_threads_[thread].end());
      };
      if (device < store_.device_threads.size() && !store_.device_threads[device].empty()) {
        for (const std::uint32_t thread : store_.device_threads[device]) add_thread(thread);
      } else {
        const RankSlots slots(store_, table("api"));
        for (std::uint32_t thread = 0; thread < of_threads_.size(); ++thread)
          if (!of_threads_[thread].empty() && slots[of_threads_[thread].front().call] == slot_) add_thread(thread);
      }
      std::stable_sort(claims.begin(), claims.end(),
                       [](const BlameClaim& a, const BlameClaim& b) { return a.span.start < b.span.start; });
      paint(of_devices_[device], claims);
    }
    return of_devices_[device];
  }

  void add(Interval piece, std::optional<Blame> blame = std::nullopt) {
    if (piece.end <= piece.start && piece != row_->span) return;
    IdleRow part = *row_;
    part.span = piece;
    part.blame = blame;
    out_->push_back(part);
  }

  void add_claimed(Interval piece, const BlameClaim& claim) {
    add(piece, claim.blame);
    IdleRow& part = out_->back();
    part.culprit = claim.culprit;
    if (claim.call == absent_index || claim.call == part.call) return;
    part.call = claim.call;
    part.op = store_.index(column("api.op"), claim.call);
  }

  const FactStore& store_;
  std::span<const DeviceTimeline> devices_;
  CallNatures natures_;
  HostRanges ranges_;
  std::vector<BlameClaims> of_hosts_;    // by rank slot
  std::vector<BlameClaims> of_threads_;  // by thread
  std::vector<bool> launch_bound_;       // by device
  std::vector<BlameClaims> of_devices_;  // by device, made when first asked for
  std::vector<bool> looked_at_;
  std::vector<std::vector<BusySpan>> busy_;  // by rank slot: kernels of its devices, where there are several
  std::uint32_t causes_[idle_causes] = {};
  const IdleRow* row_ = nullptr;
  IdleRows* out_ = nullptr;
  std::uint32_t slot_ = 0;
  std::int64_t claimed_ = 0;  // how much of the row the host's claims have
};

}  // namespace

void derive_blame(FactStore& store, std::span<const DeviceTimeline> devices, CancelFlag cancel) {
  if (store.has(column("idle.blame")) || !store.has(column("idle.start")) || !store.has(column("idle.device"))) return;
  const IdleRows rows = idle_rows_of(store);
  if (rows.size() != store.rows(table("idle"))) return;  // stated, and without times: nothing to find out
  IdleRows cut;
  cut.reserve(rows.size());
  BlameCutter cutter(store, devices, cancel);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % 65536 == 0) stop_if(cancel);
    cutter.cut(rows[i], cut);
  }
  stop_if(cancel);
  name_culprits(store, cut, cancel);
  blame_silence_of_steps(store, cut);
  blame_silent_end(store, devices, cut);
  stop_if(cancel);
  store_idle_rows(store, cut, cancel);
}

}  // namespace kdiag
