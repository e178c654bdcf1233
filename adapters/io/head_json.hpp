// SPDX-License-Identifier: Apache-2.0
// What the first bytes of an input say when they are JSON, complete or not.
#pragma once

#include <string_view>
#include <vector>

namespace kdiag::adapters {

/// '{' or '[' when the first character that is no blank is one of them and what follows goes on like JSON, else 0: logs
/// begin with "[INFO] ..." or "[1,0]<stdout>:", and Python prints {'key': 1}.
char json_start(std::string_view text);

/// The keys at the top level of the first object in `text`, which may end anywhere. Views `text`.
std::vector<std::string_view> top_level_keys(std::string_view text);

}  // namespace kdiag::adapters
