// SPDX-License-Identifier: Apache-2.0
// What must hold for every input, whatever is in it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/kdiag.hpp>

namespace kdiag::mutation {

/// What kdiag says of an input: what it read, and what it found. Two that should be the same are compared as texts.
struct Answer {
  bool loaded = false;
  std::string errors;      ///< rendered, where it was not loaded
  std::string facts;       ///< every row of every run
  std::string report;      ///< as JSON
  bool told_loss = false;  ///< an error, or a note that facts are missing

  bool operator==(const Answer&) const = default;
};

/// The facts without the notes of the input, which a cut may change.
std::string work_of(const Answer& answer);

/// How an input reaches kdiag.
struct Door {
  unsigned threads = 1;
  bool from_file = false;  ///< through a file, in the folder for temporary files
};

/// Loads an input, judges it and writes its report.
Answer answer(std::string_view bytes, const RuleSet& rules, Door door = {});

/// The same, with what it cost, and on to every form of the report. `impossible` learns of values that cannot be and of
/// outputs that would do harm, in words.
struct Cost {
  std::size_t peak_bytes = 0;    ///< most that was allocated at a time, beyond what was before
  double processor_seconds = 0;  ///< of this thread
  std::size_t runs = 0;          ///< that were judged
};
Answer checked_answer(std::string_view bytes, const RuleSet& rules, Cost& cost, std::vector<std::string>& impossible);

/// Says in words how two answers that should be equal differ; empty: they are.
std::string difference(const Answer& expected, const Answer& other);

/// The bound on what damaged input may cost: 8 times the memory and 10 times the time of whole input of its size
/// (docs/limits.md), beside what any input costs, what its container reserves, and the rules for each run that it
/// makes, of which a thousand are judged at most. Empty: it is kept.
std::string beyond(const Cost& whole, std::size_t whole_size, const Cost& damaged, std::size_t damaged_size,
                   std::size_t reserved_bytes);

}  // namespace kdiag::mutation
