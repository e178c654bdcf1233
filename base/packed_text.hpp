// SPDX-License-Identifier: Apache-2.0
// Texts that the program carries and seldom reads, made small: Zstandard (RFC 8878), whole in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kdiag {

/// The text as one frame: the same bytes on every machine with this version of the library, so that builds agree.
std::string pack_text(std::string_view text);

/// The text of `size` bytes that pack_text() made the frame of. The frame comes from the build of this very library: it
/// is trusted, and another one is a mistake of kdiag (asserted).
std::string unpack_text(std::string_view frame, std::size_t size);

}  // namespace kdiag
