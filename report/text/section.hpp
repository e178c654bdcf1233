// SPDX-License-Identifier: Apache-2.0
// A closing section of a report as text: its label once, then its lines below each other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/text/page.hpp"

namespace kdiag::report {

class Section {
 public:
  /// `page` and the text of `label` must live longer.
  Section(Page& page, std::string_view label) : page_(page), label_(label) {}

  /// Wrapped where it is too long.
  void line(const std::string& text);
  /// Rows of cells, with the columns aligned: to the right where `right` says so.
  void table(std::vector<std::vector<std::string>> cells, const std::vector<bool>& right);
  /// "3 more changes with --all"; nothing of none.
  void more(std::size_t count, std::string_view what);

 private:
  Page& page_;
  std::string_view label_;
};

}  // namespace kdiag::report
