// SPDX-License-Identifier: Apache-2.0
#include "engine/link/nesting.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "base/stoppable.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

/// An operator or call of the thread at hand.
struct HostSpan {
  std::int64_t start;
  std::int64_t end;
  std::uint32_t row;
  bool is_op;
};

/// An operator that has not ended yet.
struct OpenOp {
  std::int64_t start;
  std::int64_t end;
  std::int64_t reach;  ///< end, but no later than that of the operators below: sorted along the stack
  std::int64_t covered = 0;
  std::int64_t covered_until;
  std::uint32_t row;

  bool runs_at(std::int64_t time) const { return end > time || start == time; }
  bool reaches(std::int64_t time) const { return reach + nesting_slack_ns >= time; }
  /// Counts [from, to) as time of children; spans come in order of start.
  void cover(std::int64_t from, std::int64_t to) {
    from = std::max(from, covered_until);
    to = std::min(to, end);
    if (to <= from) return;
    covered += to - from;
    covered_until = to;
  }
};

class Nester {
 public:
  explicit Nester(FactStore& store)
      : parent_(store.mutable_indices(column("ops.parent"), "derived")),
        self_(store.mutable_integers(column("ops.host_self"), "derived")),
        total_(store.mutable_integers(column("ops.host_total"), "derived")) {
    if (store.rows(table("api")) != 0) call_op_ = &store.mutable_indices(column("api.op"), "derived");
  }

  void nest(const std::vector<HostSpan>& spans) {
    for (const HostSpan& span : spans) {
      while (!open_.empty() && !open_.back().runs_at(span.start)) close();
      if (span.is_op) enter(span);
      else place_call(span);
    }
    while (!open_.empty()) close();
  }

  std::vector<std::uint32_t> order;

 private:
  void enter(const HostSpan& span) {
    // What ends before this operator does cannot enclose anything that starts from now on, unless this one does too.
    while (!open_.empty() && !open_.back().reaches(span.end)) close();
    std::int64_t reach = span.end;
    if (!open_.empty()) {
      parent_[span.row] = open_.back().row;
      open_.back().cover(span.start, span.end);
      reach = std::min(reach, open_.back().reach);
    }
    open_.push_back(
        {.start = span.start, .end = span.end, .reach = reach, .covered_until = span.start, .row = span.row});
    order.push_back(span.row);
  }

  void place_call(const HostSpan& span) {
    const auto beyond =
        std::partition_point(open_.begin(), open_.end(), [&span](const OpenOp& op) { return op.reaches(span.end); });
    if (beyond == open_.begin()) return;
    OpenOp& op = *(beyond - 1);
    op.cover(span.start, span.end);
    (*call_op_)[span.row] = op.row;
  }

  void close() {
    const OpenOp& op = open_.back();
    total_[op.row] = op.end - op.start;
    self_[op.row] = op.end - op.start - op.covered;
    open_.pop_back();
  }

  std::vector<std::uint32_t>& parent_;
  std::vector<std::int64_t>& self_;
  std::vector<std::int64_t>& total_;
  std::vector<std::uint32_t>* call_op_ = nullptr;
  std::vector<OpenOp> open_;
};

/// Rows of ops and api by thread: a counting sort. Calls are marked by the top bit.
struct RowsByThread {
  static constexpr std::uint32_t call_bit = 0x80000000U;
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> ends;  ///< by thread row

  RowsByThread(std::size_t threads, std::span<const std::uint32_t> ops, std::span<const std::uint32_t> calls) {
    std::vector<std::size_t> next(threads + 1);
    for (const auto column : {ops, calls})
      for (const std::uint32_t thread : column)
        if (thread != absent_index) ++next[thread + 1];
    for (std::size_t t = 0; t < threads; ++t) next[t + 1] += next[t];
    rows.resize(next[threads]);
    const auto place = [&](std::span<const std::uint32_t> column, std::uint32_t mark) {
      for (std::uint32_t row = 0; row < column.size(); ++row)
        if (column[row] != absent_index) rows[next[column[row]]++] = row | mark;
    };
    place(ops, 0);
    place(calls, call_bit);
    next.pop_back();
    ends = std::move(next);
  }
};

/// Sorts by start, then what starts together by `before`: for nearly all spans the start alone tells, which is a
/// quarter of the instructions.
template <class Before>
void sort_by_start(std::span<HostSpan> spans, CancelFlag cancel, const Before& before) {
  std::uint32_t comparisons = 0;
  const auto earlier = [](const HostSpan& a, const HostSpan& b) { return a.start < b.start; };
  std::sort(spans.begin(), spans.end(), stoppable(cancel, comparisons, earlier));
  for (auto first = spans.begin(); first != spans.end();) {
    const auto last =
        std::find_if(first, spans.end(), [first](const HostSpan& span) { return span.start != first->start; });
    if (last - first > 1) std::sort(first, last, stoppable(cancel, comparisons, before));
    first = last;
  }
}

/// Sorts operators, then calls: most inputs have each of them in order, so that they are only merged.
template <class Before>
void sort_spans(std::vector<HostSpan>& spans, CancelFlag cancel, const Before& before) {
  if (std::is_sorted(spans.begin(), spans.end(), before)) return;
  const auto calls = std::find_if(spans.begin(), spans.end(), [](const HostSpan& span) { return !span.is_op; });
  for (const auto& part : {std::span(spans.begin(), calls), std::span(calls, spans.end())})
    if (!std::is_sorted(part.begin(), part.end(), before)) sort_by_start(part, cancel, before);
  std::inplace_merge(spans.begin(), calls, spans.end(), before);
}

}  // namespace

std::vector<std::uint32_t> nest_host_rows(FactStore& store, CancelFlag cancel) {
  const auto op_starts = store.integers(column("ops.start"));
  const auto op_durs = store.integers(column("ops.dur"));
  if (op_starts.empty() || op_durs.empty() || !store.has(column("ops.thread"))) return {};
  const auto call_starts = store.integers(column("api.start"));
  const auto call_durs = store.integers(column("api.dur"));
  const auto externals = store.integers(column("ops.external"));
  const bool calls_timed = !call_starts.empty() && !call_durs.empty();
  Nester nester(store);
  nester.order.reserve(op_starts.size());
  const RowsByThread threads(store.rows(table("threads")), store.indices(column("ops.thread")),
                             calls_timed ? store.indices(column("api.thread")) : std::span<const std::uint32_t>{});

  // Outer before inner. Equal spans: the profiler numbers operators in order of their start; calls come last.
  const auto outer_first = [externals](const HostSpan& a, const HostSpan& b) {
    if (a.start != b.start) return a.start < b.start;
    if (a.end != b.end) return a.end > b.end;
    if (a.is_op != b.is_op) return a.is_op;
    if (a.is_op && !externals.empty() && externals[a.row] != externals[b.row])
      return externals[a.row] < externals[b.row];
    return a.row < b.row;
  };
  std::vector<HostSpan> spans;
  std::size_t begin = 0;
  for (const std::size_t end : threads.ends) {
    spans.clear();
    for (; begin < end; ++begin) {
      const bool is_op = (threads.rows[begin] & RowsByThread::call_bit) == 0;
      const std::uint32_t row = threads.rows[begin] & ~RowsByThread::call_bit;
      const std::int64_t start = is_op ? op_starts[row] : call_starts[row];
      const std::int64_t dur = is_op ? op_durs[row] : call_durs[row];
      if (const auto span = span_of(start, dur)) spans.push_back({span->start, span->end, row, is_op});
    }
    stop_if(cancel);
    sort_spans(spans, cancel, outer_first);
    stop_if(cancel);
    nester.nest(spans);
  }
  return std::move(nester.order);
}

}  // namespace kdiag
