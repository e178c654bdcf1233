// SPDX-License-Identifier: Apache-2.0
// What one writer of packets said before, to which its later packets refer: texts by number, and defaults.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "adapters/google/perfetto/counters.hpp"
#include "adapters/rows/numbered.hpp"

namespace kdiag::adapters::perfetto {

class Sequence {
 public:
  /// Texts by the number that the writer gave them.
  using Texts = std::unordered_map<std::uint64_t, std::uint32_t>;

  std::int64_t process = 0;  ///< of the writer; 0: not stated
  bool seen = false;
  bool intact = false;  ///< nothing that packets may refer to is lost
  Texts event_names, categories, annotation_names, annotation_values, stages, kernels, argument_names;
  std::unordered_map<std::uint64_t, CounterGroup> counters;
  std::unordered_map<std::uint64_t, double> counter_sums;  ///< of incremental counters, by uuid of the track
  std::optional<std::uint64_t> track;                      ///< of events that state none
  std::optional<std::uint32_t> clock;                      ///< of packets that state none

  /// Forgets everything but whose it is: the writer begins anew.
  void clear();
  void set_defaults(std::string_view defaults);
  void intern(std::string_view interned_data, Numbered& texts);
};

/// The text with a number; nothing when the writer never said it.
std::uint32_t find_text(const Sequence::Texts& texts, std::optional<std::uint64_t> number);

}  // namespace kdiag::adapters::perfetto
