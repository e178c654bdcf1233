// SPDX-License-Identifier: Apache-2.0
// Writes a finished text to standard output or, all or nothing, to a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kdiag::cli {

/// Writes to the file at `path`, to standard output when it is empty. A regular file is replaced in one step, so
/// that readers never see half of it; anything else (a pipe, /dev/stdout) is written to. A reader that went away
/// (EPIPE) is no error. Returns what went wrong, as a sentence.
std::optional<std::string> write_output(std::string_view text, const std::string& path);

}  // namespace kdiag::cli
