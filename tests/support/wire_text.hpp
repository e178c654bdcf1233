// SPDX-License-Identifier: Apache-2.0
// Messages of Protocol Buffers from a text that a person can read and check: the source of binary fixtures.
#pragma once

#include <string>
#include <string_view>

namespace kdiag::tests {

/// The bytes of a text in a part of Protoscope's language: `number: value` for a field, where a value is an integer
/// (`5`, `-1`: a varint), `5i64` (fixed64), a decimal with a point (`0.5`: a double), a text in double quotes or a
/// message in braces. `zlib{...}`, `zstd{...}`: bytes that hold the message compressed. `#` begins a comment.
///
///     1: {          # packet
///       8: 1000     # timestamp
///     }
std::string wire_bytes(std::string_view text);

/// The bytes of a file of such a text, or what its only line makes of another file beside it: `gzip of gpu.wire`,
/// `first 200 bytes of gpu.wire`.
std::string wire_file_bytes(const std::string& path);

std::string zlib_packed(std::string_view plain);
std::string gzip_packed(std::string_view plain);
std::string zstd_packed(std::string_view plain);

}  // namespace kdiag::tests
