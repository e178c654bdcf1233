// SPDX-License-Identifier: Apache-2.0
// A variant that can be copied where memory runs out.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

namespace kdiag {

/// std::variant, but for copies: libstdc++ of GCC 12 takes a variant of texts and vectors for one that always holds a
/// value, and so destroys what a copy that throws bad_alloc has not constructed yet. Assigning does not. Everything
/// that takes a std::variant takes this one. The first type is made without throwing.
template <class... Types>
class Variant : public std::variant<Types...> {
 public:
  using Base = std::variant<Types...>;
  using Base::Base;
  Variant() = default;
  Variant(const Variant& other) : Base() { Base::operator=(other); }
  Variant(Variant&&) noexcept = default;
  Variant& operator=(const Variant&) = default;
  Variant& operator=(Variant&&) noexcept = default;
  ~Variant() = default;
  template <class T>
  requires(!std::derived_from<std::remove_cvref_t<T>, Base> && std::is_assignable_v<Base&, T>) Variant& operator=(
      T&& value) {
    Base::operator=(std::forward<T>(value));
    return *this;
  }
};

}  // namespace kdiag
