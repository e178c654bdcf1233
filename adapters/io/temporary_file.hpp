// SPDX-License-Identifier: Apache-2.0
// A file that lives as long as the object: for inputs that must be read at random and are no plain file, and for
// outputs that are written at random.
#pragma once

#include <memory>
#include <string>

#include "adapters/io/byte_source.hpp"

namespace kdiag::adapters {

/// K698: what an output needs of a temporary file cannot be written.
Diagnostic no_room_for_output(std::string_view why);

/// Removes the files that objects have now, for who ends the process without destroying these: a signal handler may
/// call.
void remove_temporary_files() noexcept;

/// Readable by its owner only; in $TMPDIR, else in /tmp, /var/tmp or /dev/shm, the first of them that can be written;
/// removed by the destructor.
class TemporaryFile {
 public:
  /// A file of `start` and what remains of a source. Where the source fails, or breaks off, the file ends there, and
  /// failure() says why. Errors: K618 no room, or no such folder.
  static Result<std::unique_ptr<TemporaryFile>> copy(std::string_view start, ByteSource& source);
  /// An empty file. Errors: K698 no such folder, or nothing can be written there.
  static Result<std::unique_ptr<TemporaryFile>> create();

  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  /// What the source said; empty when all of it is there.
  const Diagnostics& failure() const { return failure_; }

 private:
  TemporaryFile() = default;
  /// Makes the file. 0, or an errno.
  int open();
  /// Ends the writing. 0, or an errno.
  int close();

  std::string path_;
  struct Removal* removal_ = nullptr;  ///< where remove_temporary_files() finds the path
  int descriptor_ = -1;                ///< while it is written
  Diagnostics failure_;
};

}  // namespace kdiag::adapters
