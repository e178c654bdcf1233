// SPDX-License-Identifier: Apache-2.0
// Texts that the program carries and seldom reads, and summaries of traces, made small: Zstandard (RFC 8878), whole in
// memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace kdiag {

/// The text as one frame with a checksum: the same bytes on every machine with this version of the library, so that
/// builds agree.
std::string pack_text(std::string_view text);

/// The text of `size` bytes that pack_text() made the frame of. The frame comes from the build of this very library: it
/// is trusted, and another one is a mistake of kdiag (asserted).
std::string unpack_text(std::string_view frame, std::size_t size);

/// Whether bytes from anywhere are one frame from its beginning to its end, which the checksum says is not damaged.
bool is_whole_frame(std::string_view bytes);

}  // namespace kdiag
