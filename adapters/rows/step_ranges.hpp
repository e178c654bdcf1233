// SPDX-License-Identifier: Apache-2.0
// Which of a program's named ranges are its steps.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

/// Collects ranges whose names count iterations (`iter 12`, see parse_step_name) and makes steps of one series of them:
/// of those with at least two on a thread, the one that begins first, which contains the others. A range that was never
/// closed ends where the next one begins; the last one then has no end and is no step.
class StepRanges {
 public:
  /// Remembers a range when its name counts iterations. Without `end` it was never closed.
  void add(std::string_view name, std::int64_t thread, std::int64_t start, std::optional<std::int64_t> end);

  void add_steps(Batch& batch);

 private:
  struct Range {
    std::int64_t number = 0, start = 0;
    std::optional<std::int64_t> end;
  };
  using Series = std::vector<Range>;

  std::map<std::pair<std::string, std::int64_t>, Series> series_;  ///< by family and thread
};

}  // namespace kdiag::adapters
