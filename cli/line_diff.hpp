// SPDX-License-Identifier: Apache-2.0
// What formatting changes in a text, as a unified diff.
#pragma once

#include <string>
#include <string_view>

namespace kdiag::cli {

/// A unified diff of two texts that differ in blanks and blank lines only; empty when they are equal.
std::string blank_diff(std::string_view name, std::string_view before, std::string_view after);

}  // namespace kdiag::cli
