// SPDX-License-Identifier: Apache-2.0
// Tables of real traces and of what is true of them: shared_labels.csv, found by people who read the traces, and
// recorded_labels.csv, known as the programs that were recorded have these faults (tests/record/runs).
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/corpus/score.hpp"

namespace kdiag::corpus {

/// A line of the table, which says what its columns mean. Rules by id.
struct Label {
  std::string table;  ///< its file's name
  int line = 0;
  std::vector<std::string> inputs;  ///< of one run; below the folder of the traces
  std::set<std::string> first, must, may, low, never;
  bool nothing_else = false;  ///< never holds every rule that is in no other set

  /// Whether it is right to refuse the input; whether it is wrong to read it, as it holds no profile at all.
  bool may_be_refused() const { return first.contains("refused"); }
  bool must_be_refused() const { return may_be_refused() && first.size() == 1; }
};

/// The lines of the table. Ends the program where one has not six columns: the table is part of it.
std::vector<Label> read_labels(const std::filesystem::path& table);

/// Judges what was said of the files of a label; what was wrong goes to standard error.
void judge(const Label& label, const Said& said, Score& score);
/// The same where none of the files could be read.
void judge_refusal(const Label& label, const std::string& error, Score& score);

}  // namespace kdiag::corpus
