// SPDX-License-Identifier: Apache-2.0
// The families of functions, each in the file of its name: its rows, and what they point to.
#pragma once

#include <span>

#include "engine/language/functions.hpp"

namespace kdiag {

using FunctionFamily = std::span<const Function>;

FunctionFamily total_functions();
FunctionFamily extreme_functions();
FunctionFamily row_functions();
FunctionFamily interval_functions();
FunctionFamily lane_functions();
FunctionFamily site_functions();
FunctionFamily series_functions();
FunctionFamily run_functions();
FunctionFamily value_functions();

}  // namespace kdiag
