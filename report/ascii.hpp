// SPDX-License-Identifier: Apache-2.0
// Reports for terminals that show ASCII alone.
#pragma once

#include <string>

namespace kdiag::report {

/// The text with what kdiag draws and spells replaced by ASCII, and other characters of names as \u00e9; the same text
/// unless `wanted`.
std::string in_ascii(std::string text, bool wanted);

}  // namespace kdiag::report
