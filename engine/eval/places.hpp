// SPDX-License-Identifier: Apache-2.0
// Where in a list of rows a condition has some answer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "engine/eval/eval.hpp"

namespace kdiag {

/// The places of the answers that `wanted` takes, ascending. They are counted first: growing a list row by row takes
/// several times as long.
template <class Wanted>
std::vector<std::uint32_t> places_of(const std::vector<std::uint8_t>& answers, Wanted wanted) {
  std::vector<std::uint32_t> places(static_cast<std::size_t>(std::count_if(answers.begin(), answers.end(), wanted)));
  std::size_t found = 0;
  for (std::size_t i = 0; found < places.size(); ++i)
    if (wanted(answers[i])) places[found++] = static_cast<std::uint32_t>(i);
  return places;
}

/// Whether some of the answers are not known.
inline bool any_unknown(const std::vector<std::uint8_t>& answers) {
  return !answers.empty() && std::memchr(answers.data(), tri_unknown, answers.size()) != nullptr;
}

/// The rows that stand at places of a frame.
inline std::vector<std::uint32_t> rows_at(std::vector<std::uint32_t> places, const RowFrame& frame) {
  if (frame.rows != nullptr)
    for (std::uint32_t& place : places) place = (*frame.rows)[place];
  return places;
}

}  // namespace kdiag
