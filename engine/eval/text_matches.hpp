// SPDX-License-Identifier: Apache-2.0
// Which texts of a run a pattern is found in: each text is searched once, whichever rule asks first.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "base/regex.hpp"

namespace kdiag {

/// What is known of one pattern. Usable from several threads: two that search the same text find the same.
class TextMatches {
 public:
  /// For texts with ids below `texts`; others are searched each time.
  explicit TextMatches(std::uint32_t texts) : words_(texts / texts_per_word + 1), texts_(texts) {}

  /// Whether the pattern, always the same, is found in the text of an id, which `text_of(id)` gives.
  template <class TextOf>
  bool found_in(const Regex& pattern, std::uint32_t id, TextOf text_of) {
    if (id >= texts_) return pattern.found_in(text_of(id));
    std::atomic<std::uint64_t>& word = words_[id / texts_per_word];
    const unsigned shift = id % texts_per_word * 2;
    const std::uint64_t known = word.load(std::memory_order_relaxed) >> shift & 3;
    if (known != not_searched) return known == found;
    const bool result = pattern.found_in(text_of(id));
    word.fetch_or((result ? found : not_found) << shift, std::memory_order_relaxed);
    return result;
  }

 private:
  static constexpr std::uint64_t not_searched = 0, not_found = 1, found = 2;  // two bits a text
  static constexpr std::uint32_t texts_per_word = 32;
  std::vector<std::atomic<std::uint64_t>> words_;
  std::uint32_t texts_;
};

}  // namespace kdiag
