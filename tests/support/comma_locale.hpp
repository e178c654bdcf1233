// SPDX-License-Identifier: Apache-2.0
// A host whose locale writes numbers with a comma.
#pragma once

#include <string>

#include "tests/support/folder.hpp"

namespace kdiag::tests {

/// Sets such a locale for the process while it lives: one that the machine has, or one that `localedef` makes of the
/// definitions of Debian's package `locales`.
class CommaLocale {
 public:
  CommaLocale();
  ~CommaLocale();
  CommaLocale(const CommaLocale&) = delete;
  CommaLocale& operator=(const CommaLocale&) = delete;

  /// False where there is none and none could be made: nothing is tried then.
  explicit operator bool() const { return set_; }

 private:
  Folder made_ = Folder({});
  std::string before_;
  bool set_ = false;
};

}  // namespace kdiag::tests
