// SPDX-License-Identifier: Apache-2.0
// The style and the scripts of the page, embedded by the build (report/html/page).
#pragma once

#include <string_view>

namespace kdiag::report {

struct PageText {
  std::string_view text;
  std::string_view sha256;  ///< in hexadecimal digits: the page's policy lets this very text run
};
PageText page_style();
PageText page_script();

}  // namespace kdiag::report
