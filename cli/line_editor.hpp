// SPDX-License-Identifier: Apache-2.0
// Reads lines from a terminal, with editing, history and completion where kdiag was built with libedit.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::cli {

/// Words that can stand at the cursor, instead of what begins at `begin`.
struct Completion {
  std::size_t begin = 0;
  std::vector<std::string> words;
};

class LineEditor {
 public:
  using Complete = std::function<Completion(std::string_view line, std::size_t cursor)>;

  /// `history`: where lines are kept from one session to the next; empty: nowhere.
  LineEditor(std::string prompt, std::string history, Complete complete);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  /// The next line without its line break; empty when Ctrl-C cancelled it, nothing at the end (Ctrl-D).
  std::optional<std::string> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kdiag::cli
