// SPDX-License-Identifier: Apache-2.0
// The work of the operators of a run.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>

#include "engine/derive/work/operator_work.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::work {

/// The work of each operator: most calls repeat the inputs of others, whose work is computed once.
class OperatorWorks {
 public:
  explicit OperatorWorks(const FactStore& store)
      : store_(store),
        names_(store.indices(column("ops.name"))),
        texts_{store.indices(column("ops.shapes")), store.indices(column("ops.types")),
               store.indices(column("ops.strides")), store.indices(column("ops.arguments"))} {}

  /// nullptr where no formula is known or no shapes were recorded.
  const Work* of(std::size_t op);

 private:
  using Key = std::array<std::uint32_t, 5>;
  struct Hash {
    std::size_t operator()(const Key& key) const {
      std::uint64_t hash = 0;
      for (const std::uint32_t part : key) hash = (hash ^ part) * 0x9E3779B97F4A7C15u;  // Fibonacci hashing
      return static_cast<std::size_t>(hash ^ (hash >> 32));
    }
  };

  std::uint32_t id(std::size_t text, std::size_t op) const {
    return texts_[text].empty() ? absent_index : texts_[text][op];
  }
  std::string_view text(std::size_t text, std::size_t op) const { return store_.strings[id(text, op)]; }

  WorkFormula formula_of(std::uint32_t name);

  const FactStore& store_;
  std::span<const std::uint32_t> names_;
  std::array<std::span<const std::uint32_t>, 4> texts_;
  std::unordered_map<std::uint32_t, WorkFormula> formulas_;
  std::unordered_map<Key, Work, Hash> works_;
};

/// Convolutions whose inputs say too little, by what the operator of their gradients says: its gradient has the sizes
/// of the result, and each of its parts does as much as the convolution. Records without the values of arguments need
/// it.
class ConvolutionLinks {
 public:
  ConvolutionLinks(const FactStore& store, OperatorWorks& works);

  /// The work of an operator, completed where it is one of them.
  Work complete(std::uint32_t op, const Work* own) const;

 private:
  std::unordered_map<std::uint32_t, const Work*> parts_;  ///< operators of both gradients
  std::unordered_map<std::uint32_t, const Work*> whole_;  ///< what they say the operations of
};

}  // namespace kdiag::work
