// SPDX-License-Identifier: Apache-2.0
// "Did you mean" for file names.
#pragma once

#include <string>

#include <kdiag/diagnostic.hpp>

namespace kdiag {

/// "did you mean 'traces/rank0.json'?" when the folder of a path holds a file of nearly that name, else nothing.
std::string suggest_file(const std::string& path);
/// Makes that the help of an error about the path, which keeps its own where there is none.
void suggest_similar(const std::string& path, Diagnostic& error);

}  // namespace kdiag
