// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kdiag::fleet {

/// Ranks as people write them, ascending: `0-7, 16`. Of more than eight spans (judgement: what a line holds) the first
/// eight, and how many ranks there are beyond: `0, 2, 4, 6, 8, 10, 12, 14 and 24 more`.
std::string rank_list(std::vector<std::int64_t> ranks);

}  // namespace kdiag::fleet
