// SPDX-License-Identifier: Apache-2.0
// The characters of JSON strings: what can stay as it is, and what must be decoded or repaired.
#pragma once

#include <cstddef>
#include <string_view>

namespace kdiag::adapters {

/// How many bytes at the front are plain: valid UTF-8 (RFC 3629), no backslash, no control character but TAB.
std::size_t plain_length(std::string_view text);

/// Whether control characters are damage: they are in a string, but may stand between the parts of a nested value.
enum class Controls : bool { damage, allowed };

/// Whether there is invalid UTF-8 or, as damage, a raw control character other than TAB.
bool needs_repair(std::string_view text, Controls controls);

}  // namespace kdiag::adapters
