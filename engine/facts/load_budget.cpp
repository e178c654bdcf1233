// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/load_budget.hpp"

#include <map>
#include <mutex>

namespace kdiag {
namespace {

/// The shares by number. A thread keeps a number, not a pointer: what has a destructor is registered with each thread,
/// and glibc ends the process where there is no memory for that; and a thread of a host may outlive the reading.
struct Shares {
  std::mutex mutex;
  std::map<std::uint64_t, std::weak_ptr<BudgetShare>> by_number;
  std::uint64_t last = 0;
};

Shares& shares() {
  static Shares& all = *new Shares;  // threads may look when the process ends
  return all;
}

thread_local std::uint64_t of_this_thread = 0;  // 0: none

}  // namespace

std::shared_ptr<BudgetShare> BudgetShare::of(std::shared_ptr<LoadBudget> budget) {
  std::shared_ptr<BudgetShare> share(new BudgetShare(std::move(budget)));
  Shares& all = shares();
  const std::lock_guard lock(all.mutex);
  all.by_number.emplace(all.last + 1, share);
  share->number_ = ++all.last;
  return share;
}

BudgetShare::~BudgetShare() {
  Shares& all = shares();
  const std::lock_guard lock(all.mutex);
  all.by_number.erase(number_);
}

std::shared_ptr<BudgetShare> BudgetShare::current() {
  if (of_this_thread == 0) return nullptr;
  Shares& all = shares();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_number.find(of_this_thread);
  return found == all.by_number.end() ? nullptr : found->second.lock();
}

void BudgetShare::enter(const std::shared_ptr<BudgetShare>& share) { of_this_thread = share ? share->number_ : 0; }

BudgetShare::Scope::Scope(const std::shared_ptr<BudgetShare>& share) : before_(of_this_thread) { enter(share); }
BudgetShare::Scope::~Scope() { of_this_thread = before_; }

}  // namespace kdiag
