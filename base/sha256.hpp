// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4), by which files are pinned: whoever changes one cannot keep its hash.
#pragma once

#include <string>
#include <string_view>

namespace kdiag {

/// The hash of a text, as 64 hexadecimal digits.
std::string sha256(std::string_view text);

}  // namespace kdiag
