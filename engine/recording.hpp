// SPDX-License-Identifier: Apache-2.0
// How to record a fact that a rule missed.
#pragma once

#include <string>
#include <string_view>

namespace kdiag {

/// One line that says how to get a fact ("samples:sm_clock", "kernels", "ops.frame"); empty when nothing is known.
std::string how_to_record(std::string_view fact);

}  // namespace kdiag
