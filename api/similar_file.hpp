// SPDX-License-Identifier: Apache-2.0
// "Did you mean" for file names.
#pragma once

#include <string>

namespace kdiag {

/// "did you mean 'traces/rank0.json'?" when the folder of a path holds a file of nearly that name, else nothing.
std::string suggest_file(const std::string& path);

}  // namespace kdiag
