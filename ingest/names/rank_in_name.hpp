// SPDX-License-Identifier: Apache-2.0
// The rank that stands in a file's name or in that of its folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace kdiag {

/// 3 of "rank3.json", "run/Rank_03.pt.trace.json.gz", "rank-3_ascend_pt/trace.json"; the last one of several counts, so
/// that the file's name comes before the folder's. Nothing when no part of the path says so.
std::optional<std::int64_t> rank_in_name(std::string_view path);

}  // namespace kdiag
