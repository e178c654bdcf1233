// SPDX-License-Identifier: Apache-2.0
// What one call of loading may hold, counted while its inputs are read: rows that are not handed over yet, and records
// that are none yet.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace kdiag {

/// The limits of one call and what all its inputs hold against them. Thread-safe.
class LoadBudget {
 public:
  /// 0: no limit.
  LoadBudget(std::uint64_t rows, std::uint64_t bytes) : most_rows_(rows), most_bytes_(bytes) {}

  std::uint64_t most_rows() const { return most_rows_; }
  std::uint64_t most_bytes() const { return most_bytes_; }

  struct Excess {
    bool rows = false, bytes = false;
  };
  /// Changes what is held by so many halves of rows, and bytes; which limits it is above now.
  Excess change(std::int64_t half_rows, std::int64_t bytes) {
    return {exceeds((half_rows_ += half_rows) / 2, most_rows_), exceeds(bytes_ += bytes, most_bytes_)};
  }

 private:
  static bool exceeds(std::int64_t value, std::uint64_t most) {
    return most > 0 && value > 0 && static_cast<std::uint64_t>(value) > most;
  }

  const std::uint64_t most_rows_, most_bytes_;
  std::atomic<std::int64_t> half_rows_{0}, bytes_{0};
};

/// What one input holds of the budget of its call. Thread-safe.
class BudgetShare {
 public:
  /// Errors of allocation only.
  static std::shared_ptr<BudgetShare> of(std::shared_ptr<LoadBudget> budget);
  ~BudgetShare();
  BudgetShare(const BudgetShare&) = delete;
  BudgetShare& operator=(const BudgetShare&) = delete;

  const LoadBudget& budget() const { return *budget_; }
  void change(std::int64_t half_rows, std::int64_t bytes) {
    const LoadBudget::Excess excess = budget_->change(half_rows, bytes);
    if (excess.rows && half_rows > 0) too_many_rows_ = true;
    if (excess.bytes && bytes > 0) too_many_bytes_ = true;
  }

  /// Whether there was more than the call may hold at any moment at which this input took more.
  bool exceeded() const { return too_many_rows() || too_many_bytes_.load(std::memory_order_relaxed); }
  bool too_many_rows() const { return too_many_rows_.load(std::memory_order_relaxed); }

  /// That of the input which this thread reads; null outside of readings and where there is no limit.
  static std::shared_ptr<BudgetShare> current();
  /// Makes this thread part of a reading, or of none: the batches that it makes count there.
  static void enter(const std::shared_ptr<BudgetShare>& share);

  /// Makes a thread part of a reading while it lives.
  class Scope {
   public:
    explicit Scope(const std::shared_ptr<BudgetShare>& share);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    std::uint64_t before_;
  };

 private:
  explicit BudgetShare(std::shared_ptr<LoadBudget> budget) : budget_(std::move(budget)) {}

  std::shared_ptr<LoadBudget> budget_;
  std::uint64_t number_ = 0;  ///< by which threads know it
  std::atomic<bool> too_many_rows_{false}, too_many_bytes_{false};
};

/// What a batch holds of a budget, until it is destroyed.
class BudgetCharge {
 public:
  explicit BudgetCharge(std::shared_ptr<BudgetShare> share = BudgetShare::current()) : share_(std::move(share)) {}
  ~BudgetCharge() { count(0, 0); }
  BudgetCharge(const BudgetCharge&) = delete;
  BudgetCharge& operator=(const BudgetCharge&) = delete;

  /// Whether counting is asked for.
  bool limited() const { return share_ != nullptr; }
  /// Rows and bytes that it holds now.
  void count(std::int64_t rows, std::int64_t bytes) {
    if (!share_) return;
    share_->change(2 * (rows - rows_), bytes - bytes_);
    rows_ = rows;
    bytes_ = bytes;
  }
  /// What it holds belongs to another reading from now on.
  void move_to(std::shared_ptr<BudgetShare> share) {
    count(0, 0);
    share_ = std::move(share);
  }

 private:
  std::shared_ptr<BudgetShare> share_;
  std::int64_t rows_ = 0, bytes_ = 0;
};

}  // namespace kdiag
