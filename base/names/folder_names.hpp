// SPDX-License-Identifier: Apache-2.0
// What a folder holds. Not by std::filesystem::directory_iterator: that of libstdc++ ends the process without memory.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kdiag {

/// Adds the names in a folder to `names`, in no order, at most so many. Returns 0, or an errno after those before it.
int add_folder_names(const std::string& folder, std::size_t most, std::vector<std::string>& names);

}  // namespace kdiag
