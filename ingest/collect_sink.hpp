// SPDX-License-Identifier: Apache-2.0
// The sink behind which adapters write: collects the fragments, notes and event count of one input.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>
#include <kdiag/kdiag.hpp>

#include "base/interrupt.hpp"
#include "engine/facts/fact_builder.hpp"
#include "engine/facts/load_budget.hpp"

namespace kdiag {

/// Runs of an input, or of a member of an archive, that are read, so that one of them can be chosen (FILE#N): each has
/// every column, 22 KB, whatever is in it (judgement).
inline constexpr std::size_t most_runs_read = 10'000;

class CollectSink final : public FactSink {
 public:
  /// `cancel` may be null; it must outlive the sink. `budget`: of the call; null without limits.
  CollectSink(std::string input, std::string adapter, unsigned threads, const std::atomic<bool>* cancel,
              const std::shared_ptr<LoadBudget>& budget = nullptr);

  void run(RunInfo info) override;
  void submit(std::uint64_t sequence, Batch batch) override;
  void note(std::string_view id, std::string_view detail, std::uint64_t count) override;
  void count_events(std::uint64_t events) override { events_ += events; }
  /// Also once a limit is exceeded: the adapter then returns early.
  bool cancelled() const override { return is_set(cancel_) || over_limit(); }
  unsigned threads() const override { return threads_; }
  void keeps(std::int64_t records, std::int64_t bytes) override {
    if (share_) share_->change(records, bytes);
  }
  void enter_thread() override { BudgetShare::enter(share_); }

  /// One fragment per run that the adapter announced, in that order. Call it once, when reading is over.
  std::vector<Fragment> take_fragments() { return std::move(fragments_); }
  /// By id, then detail. Of an id with very many details the first 64 in order are kept, the others counted together.
  std::vector<NoteEntry> notes() const;
  std::uint64_t events() const { return events_; }
  /// Which limit of the call this input exceeded, in words; empty: none.
  std::string exceeded() const;
  bool too_many_runs() const { return too_many_runs_; }
  /// What the input holds of the budget; null without limits.
  const std::shared_ptr<BudgetShare>& share() const { return share_; }

 private:
  struct Counts {
    std::map<std::string, std::uint64_t, std::less<>> by_detail;
    std::uint64_t others = 0;
  };
  Fragment& current();
  bool over_limit() const { return too_many_runs_ || (share_ && share_->exceeded()); }

  std::string input_, adapter_;
  unsigned threads_;
  const std::atomic<bool>* cancel_;
  std::atomic<std::uint64_t> events_{0};
  std::atomic<bool> too_many_runs_{false};
  std::shared_ptr<BudgetShare> share_;
  std::mutex mutex_;
  std::vector<Fragment> fragments_;
  std::map<std::string, Counts, std::less<>> notes_;
};

}  // namespace kdiag
