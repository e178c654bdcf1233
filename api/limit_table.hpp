// SPDX-License-Identifier: Apache-2.0
// Every limit of what inputs may cost, in one table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kdiag {

struct LimitInfo {
  std::string name;     ///< what is limited
  std::string most;     ///< how much there may be, unless it is set
  std::string set_by;   ///< option of the command; member of LoadLimits
  std::string then;     ///< what happens when there is more
  std::string_view id;  ///< of the error or note
};
std::vector<LimitInfo> limit_table();

}  // namespace kdiag
