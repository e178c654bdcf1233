// SPDX-License-Identifier: Apache-2.0
#include "ingest/collect_sink.hpp"

#include <cassert>
#include <iterator>

#include <kdiag/format.hpp>

#include "engine/facts/batch_data.hpp"
#include "engine/facts/batch_mistake.hpp"
#include "engine/facts/note_table.hpp"

namespace kdiag {
namespace {
constexpr std::size_t most_details = 64;  // per note id; judgement: more help nobody, and hostile inputs have millions
}  // namespace

CollectSink::CollectSink(std::string input, std::string adapter, unsigned threads, const std::atomic<bool>* cancel,
                         const std::shared_ptr<LoadBudget>& budget)
    : input_(std::move(input)), adapter_(std::move(adapter)), threads_(threads), cancel_(cancel) {
  if (budget) share_ = BudgetShare::of(budget);
}

void CollectSink::run(RunInfo info) {
  if (fragments_.size() == most_runs_read) {
    too_many_runs_ = true;
    return;
  }
  Fragment fragment;
  fragment.info = std::move(info);
  fragment.adapter = adapter_;
  fragment.input = input_;
  fragments_.push_back(std::move(fragment));
}

Fragment& CollectSink::current() {
  if (fragments_.empty()) run({});
  return fragments_.back();
}

void CollectSink::submit(std::uint64_t sequence, Batch batch) {
  assert(mistake_of(batch).empty());  // of adapters of a host they are told before
  batch.data().held.move_to(share_);
  batch.data().count();
  const std::lock_guard lock(mutex_);
  if (!over_limit()) current().batches.emplace_back(sequence, std::move(batch));
}

std::string CollectSink::exceeded() const {
  if (!share_ || !share_->exceeded()) return {};
  const LoadBudget& budget = share_->budget();
  if (share_->too_many_rows()) return format_count(static_cast<std::int64_t>(budget.most_rows())) + " rows";
  return format_count(static_cast<std::int64_t>(budget.most_bytes())) + " bytes of facts";
}

void CollectSink::note(std::string_view id, std::string_view detail, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  auto found = notes_.find(id);
  if (found == notes_.end()) found = notes_.emplace(std::string(id), Counts{}).first;
  Counts& counts = found->second;
  auto [entry, added] = counts.by_detail.try_emplace(std::string(detail), 0);
  entry->second += count;
  if (counts.by_detail.size() > most_details) {
    // Dropping the last in order, whenever it came, leaves a result that does not depend on the threads' order.
    const auto last = std::prev(counts.by_detail.end());
    counts.others += last->second;
    counts.by_detail.erase(last);
  }
}

std::vector<NoteEntry> CollectSink::notes() const {
  std::vector<NoteEntry> entries;
  for (const auto& [id, counts] : notes_) {
    for (const auto& [detail, count] : counts.by_detail) entries.push_back(make_note(id, detail, count));
    if (counts.others > 0) entries.push_back(make_note(id, "others", counts.others));
  }
  return entries;
}

}  // namespace kdiag
