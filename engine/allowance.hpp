// SPDX-License-Identifier: Apache-2.0
// What one reading may bring, counted while it is read: rows that are not handed over yet, and records that are none
// yet.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace kdiag {

/// The limits of one reading and what is held against them. Thread-safe.
class Allowance {
 public:
  /// 0: no limit.
  Allowance(std::uint64_t rows, std::uint64_t bytes) : most_rows_(rows), most_bytes_(bytes) {}

  /// Changes what is held by so many halves of rows, and bytes.
  void change(std::int64_t half_rows, std::int64_t bytes) {
    if (exceeds((half_rows_ += half_rows) / 2, most_rows_)) too_many_rows_ = true;
    if (exceeds(bytes_ += bytes, most_bytes_)) too_many_bytes_ = true;
  }

  /// Whether there was more at any moment.
  bool exceeded() const { return too_many_rows() || too_many_bytes_.load(std::memory_order_relaxed); }
  bool too_many_rows() const { return too_many_rows_.load(std::memory_order_relaxed); }

  /// That of the reading which this thread is part of; null outside of readings and where there is no limit.
  static const std::shared_ptr<Allowance>& current();
  /// Makes this thread part of a reading, or of none: the batches that it makes count there.
  static std::shared_ptr<Allowance> enter(std::shared_ptr<Allowance> allowance);

  /// Makes a thread part of a reading while it lives.
  class Scope {
   public:
    explicit Scope(std::shared_ptr<Allowance> allowance) : before_(enter(std::move(allowance))) {}
    ~Scope() { enter(std::move(before_)); }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    std::shared_ptr<Allowance> before_;
  };

 private:
  static bool exceeds(std::int64_t value, std::uint64_t most) {
    return most > 0 && value > 0 && static_cast<std::uint64_t>(value) > most;
  }

  const std::uint64_t most_rows_, most_bytes_;
  std::atomic<std::int64_t> half_rows_{0}, bytes_{0};
  std::atomic<bool> too_many_rows_{false}, too_many_bytes_{false};
};

/// What a batch holds of a reading's allowance, until it is destroyed.
class Holding {
 public:
  explicit Holding(std::shared_ptr<Allowance> allowance = Allowance::current()) : allowance_(std::move(allowance)) {}
  ~Holding() { count(0, 0); }
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;

  /// Whether counting is asked for.
  bool limited() const { return allowance_ != nullptr; }
  /// Rows and bytes that it holds now.
  void count(std::int64_t rows, std::int64_t bytes) {
    if (!allowance_) return;
    allowance_->change(2 * (rows - rows_), bytes - bytes_);
    rows_ = rows;
    bytes_ = bytes;
  }
  /// What it holds belongs to another reading from now on.
  void move_to(std::shared_ptr<Allowance> allowance) {
    count(0, 0);
    allowance_ = std::move(allowance);
  }
  /// What it holds stays counted, and is its own no more.
  void keep() { allowance_.reset(); }

 private:
  std::shared_ptr<Allowance> allowance_;
  std::int64_t rows_ = 0, bytes_ = 0;
};

}  // namespace kdiag
