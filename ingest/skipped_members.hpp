// SPDX-License-Identifier: Apache-2.0
// What of a folder or archive was not read, by reason.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

class SkippedMembers {
 public:
  void add(std::string_view reason, std::string_view name);
  /// Takes a member whose error says that it is no trace, or not of a format that kdiag reads. False for any other
  /// error: the member is a trace then, and something is wrong with it.
  bool add(const Diagnostics& errors, std::string_view name);

  /// One note per reason: K702 for hidden files, K701 for all others.
  std::vector<NoteEntry> notes() const;
  /// "no trace that kdiag knows: 3 (README.md, run.py, run.log); hidden: 1 (.git)".
  std::string summary() const;

 private:
  struct Names {
    std::uint64_t count = 0;
    std::string first;  ///< the first of them, listed
  };
  std::map<std::string, Names, std::less<>> by_reason_;
};

inline constexpr std::string_view hidden_reason = "hidden";

}  // namespace kdiag
