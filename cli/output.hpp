// SPDX-License-Identifier: Apache-2.0
// Writes a finished text to standard output or, all or nothing, to a file.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "cli/signals.hpp"

namespace kdiag::cli {

/// Writes to the file at `path`, to standard output when it is empty. A regular file is replaced in one step, so
/// that readers never see half of it; anything else (a pipe, /dev/stdout) is written to. A reader that went away
/// (EPIPE) is no error. Returns what went wrong, as a sentence.
std::optional<std::string> write_output(std::string_view text, const std::string& path);

/// The same in pieces, for what is too long to be held. Without finish() a regular file stays as it was, also where the
/// command is interrupted.
class OutputStream {
 public:
  explicit OutputStream(const std::string& path);
  ~OutputStream();
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  /// False when no more can be written, or nobody reads it any more.
  bool write(std::string_view piece);
  /// What went wrong, as a sentence.
  std::optional<std::string> finish();

 private:
  std::string path_;                   ///< empty: standard output
  std::string temporary_;              ///< what replaces a regular file in the end
  std::optional<OrderlyEnd> removal_;  ///< while the temporary file is there
  int file_ = -1;
  int error_ = 0;
};

}  // namespace kdiag::cli
