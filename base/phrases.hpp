// SPDX-License-Identifier: Apache-2.0
// Phrases that notes and reports share; unescaped, so whoever prints one makes it harmless.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/report.hpp>

namespace kdiag {

std::string join(const std::vector<std::string>& parts, std::string_view separator);

/// "1 rule", "7 rules".
std::string counted(std::size_t count, std::string_view noun);

/// "first launches 629 ms", "warm-up 152 ms (steps 0 to 1)".
std::string one_off_phrase(const OneOffCost& cost);

}  // namespace kdiag
