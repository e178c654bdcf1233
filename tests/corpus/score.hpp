// SPDX-License-Identifier: Apache-2.0
// How often rules are right: what was said of a run against what is true of it.
#pragma once

#include <map>
#include <string>

#include <kdiag/report.hpp>

namespace kdiag::corpus {

struct Counts {
  int right = 0;      ///< said above low, and true
  int right_low = 0;  ///< said as a low finding, and true; only real traces are judged so
  int wrong = 0;      ///< said and not true
  int missed = 0;     ///< true and not said
  int alone = 0;      ///< runs in which nothing else is wrong, or nothing else should come first
  int first = 0;      ///< of these: it is the first finding
  double precision() const {
    const int said = right + right_low;
    return said + wrong == 0 ? 1 : static_cast<double>(said) / (said + wrong);
  }
  double recall() const { return right + missed == 0 ? 1 : static_cast<double>(right) / (right + missed); }
};

struct Score {
  std::map<std::string, Counts> rules;
  Counts all;
  int faulty = 0, named_first = 0;
  int healthy = 0, alarmed = 0;     ///< healthy runs, and those with a finding above low
  int no_profile = 0, refused = 0;  ///< inputs that hold no profile, and those that were refused

  void right(const std::string& rule);
  void right_low(const std::string& rule);
  void wrong(const std::string& rule);
  void missed(const std::string& rule);
  /// Whether the fault of a rule that should come first in a run did so.
  void placed(const std::string& rule, bool first);

  /// As a table in Markdown, on standard output.
  void print() const;
  /// The quality that the project promises (docs/accuracy.md).
  bool good_enough() const;
};

/// What a report says of one run.
struct Said {
  std::map<std::string, Severity> worst;  ///< of each rule that fired, symptoms included
  std::map<std::string, Severity> top;    ///< of the findings on top of the report alone
  std::string first = "nothing";          ///< whatever its severity

  bool fired(const std::string& rule) const { return worst.contains(rule); }
  bool above_low(const std::string& rule) const;
};

Said said_in(const Report& report);

}  // namespace kdiag::corpus
