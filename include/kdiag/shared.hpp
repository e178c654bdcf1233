// SPDX-License-Identifier: Apache-2.0
// Shared<T>: an immutable value held by a reference count. std::shared_ptr would do the same, but <memory> is more
// than half of what including kdiag.hpp may cost (tests/headers.cmake).
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>

namespace kdiag {

/// A pointer to a const T whose copies share ownership; null by default. Made from any smart pointer: it takes the
/// owner over. Copying and destroying are thread-safe. T may be incomplete.
///
/// Example:
///     Shared<Source> source = std::make_shared<const Source>(Source{"a.yaml", text});
template <class T>
class Shared {
 public:
  Shared() = default;
  Shared(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  template <class Owner>
  requires requires(const Owner& owner) { static_cast<const T*>(owner.get()); }
  Shared(Owner owner)  // NOLINT(google-explicit-constructor)
      : value_(owner.get()), count_(value_ ? new Holder<Owner>(std::move(owner)) : nullptr) {}
  Shared(const Shared& other) : value_(other.value_), count_(other.count_) {
    if (count_) count_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Shared(Shared&& other) noexcept
      : value_(std::exchange(other.value_, nullptr)), count_(std::exchange(other.count_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(value_, other.value_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Shared() {
    if (count_ && count_->owners.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete count_;  // NOLINT(clang-analyzer-cplusplus.NewDelete): it does not follow the count of owners
  }

  const T* get() const { return value_; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_; }
  explicit operator bool() const { return value_ != nullptr; }
  friend bool operator==(const Shared& a, const Shared& b) { return a.value_ == b.value_; }

 private:
  struct Count {
    std::atomic<std::size_t> owners{1};
    virtual ~Count() = default;
  };
  template <class Owner>
  struct Holder : Count {
    explicit Holder(Owner held) : owner(std::move(held)) {}
    Owner owner;
  };

  const T* value_ = nullptr;
  Count* count_ = nullptr;
};

}  // namespace kdiag
