// SPDX-License-Identifier: Apache-2.0
// Result<T>: a value, or the diagnostics that say why there is none.
#pragma once

#include <utility>
#include <variant>

#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// What a call that can fail returns: either a T, or at least one Diagnostic of level error.
///
/// The members are named as in std::expected, so a later alias is mechanical. Reading the value of a failed
/// result, or the error of a good one, is a bug of the caller (undefined behaviour, as for std::expected).
///
/// Example:
///     Result<Facts> facts = load_trace("trace.json");
///     if (!facts) std::cerr << render(facts.error());
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;

  // NOLINTBEGIN(google-explicit-constructor): `return value;` and `return error;` are what it is for.
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostics error) : state_(std::in_place_index<1>, std::move(error)) {}
  Result(Diagnostic error) : state_(std::in_place_index<1>, Diagnostics{}) {
    std::get<1>(state_).push_back(std::move(error));
  }
  // NOLINTEND(google-explicit-constructor)

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() { return *std::get_if<0>(&state_); }
  const T& value() const { return *std::get_if<0>(&state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  Diagnostics& error() { return *std::get_if<1>(&state_); }
  const Diagnostics& error() const { return *std::get_if<1>(&state_); }

 private:
  std::variant<T, Diagnostics> state_;
};

/// Success without a value, or diagnostics.
using Status = Result<std::monostate>;
inline Status ok_status() { return Status(std::monostate{}); }

}  // namespace kdiag
