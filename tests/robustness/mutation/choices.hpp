// SPDX-License-Identifier: Apache-2.0
// The random choices behind one mutation: all of them follow from a seed and the mutation's number, so that one can be
// made again.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

namespace kdiag::mutation {

class Choices {
 public:
  Choices(std::uint64_t seed, std::uint64_t number) {
    std::seed_seq sequence{seed, seed >> 32U, number, number >> 32U};
    random_.seed(sequence);
  }

  /// A number below `n`; 0 where n is 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(random_() % n); }
  /// True once in so many times.
  bool once_in(std::size_t n) { return below(n) == 0; }
  template <class T, std::size_t N>
  const T& one_of(const T (&values)[N]) {
    return values[below(N)];
  }
  template <class T>
  const T& one_of(std::span<const T> values) {
    return values[below(values.size())];
  }

 private:
  std::mt19937_64 random_;
};

}  // namespace kdiag::mutation
