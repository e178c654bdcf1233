// SPDX-License-Identifier: Apache-2.0
// Numbers with units as expressions write them.
#pragma once

#include <string>

#include "engine/language/expr.hpp"

namespace kdiag {

/// Text that reads back as exactly the same number of the same dimension: "4us", "9.18%", "1.41GHz", "3.0".
std::string literal_text(const NumberLiteral& literal);

}  // namespace kdiag
