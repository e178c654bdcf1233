// SPDX-License-Identifier: Apache-2.0
// Bodies of Lua functions put together at random.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace kdiag::tests {

/// Statements over a few variables. `choose(n)` picks a number below n; all of its choices make the script.
std::string random_script(const std::function<std::size_t(std::size_t)>& choose);

}  // namespace kdiag::tests
