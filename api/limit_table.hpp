// SPDX-License-Identifier: Apache-2.0
// Every limit of what inputs may cost, in one table.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag {

/// The largest report that is read again, for its findings (judgement: one of 1,000 ranks has 20 MB).
inline constexpr std::size_t most_report_bytes = std::size_t{256} << 20U;

/// Of a pack (judgement: one of 100 rules has 200 files and 400 kB).
inline constexpr std::size_t most_pack_files = 10'000, most_pack_bytes = std::size_t{64} << 20U;

struct LimitInfo {
  std::string name;     ///< what is limited
  std::string most;     ///< how much there may be, unless it is set
  std::string set_by;   ///< option of the command; member of LoadLimits
  std::string then;     ///< what happens when there is more
  std::string_view id;  ///< of the error or note
};
std::vector<LimitInfo> limit_table();

}  // namespace kdiag
