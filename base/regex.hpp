// SPDX-License-Identifier: Apache-2.0
// Regular expressions that cannot hang: RE2, with a limit on the size of its program.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/once.hpp"

namespace re2 {
class RE2;
}

namespace kdiag {

/// A pattern that is known to be good. It is compiled when it is first used: that takes longer than all else that is
/// done to check an expression, and most patterns of built-in rules never meet a row. Usable from several threads.
class Regex {
 public:
  /// Of a pattern that compile_regex() takes; `ignore_case` as there.
  Regex(std::string_view pattern, bool ignore_case) : pattern_(pattern), ignore_case_(ignore_case) {}

  const std::string& pattern() const { return pattern_; }
  bool ignore_case() const { return ignore_case_; }
  /// Whether the pattern matches somewhere in the text.
  bool found_in(std::string_view text) const;
  const re2::RE2& compiled() const;

 private:
  const std::string pattern_;
  const bool ignore_case_;
  mutable Once once_;
  mutable std::shared_ptr<const re2::RE2> compiled_;
};

/// Compiles a pattern; null when it is no RE2 syntax or compiles to more than 4,096 instructions (language.md, limits),
/// and `why` says which.
std::shared_ptr<const Regex> compile_regex(std::string_view pattern, bool ignore_case, std::string& why);

}  // namespace kdiag
