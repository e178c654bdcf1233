// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/temporary_file.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include <unistd.h>

namespace kdiag::adapters {
namespace {

constexpr std::size_t copied_bytes = std::size_t{1} << 20U;

Diagnostic no_room(int code) {
  return input_error(note_id::read_failed,
                     std::string("the input could not be unpacked to a temporary file: ") + std::strerror(code),
                     "Unpack it by hand, or set TMPDIR to a folder with more room.");
}

// Where nobody named a folder: containers that are read-only have the last one.
constexpr std::string_view usual_folders[] = {"/tmp", "/var/tmp", "/dev/shm"};

/// A new file in a folder: its descriptor, or -1.
int open_in(const std::filesystem::path& folder, std::string& path) {
  path = folder / "kdiag-XXXXXX";
  return ::mkstemp(path.data());
}

/// The descriptor of a new file, or -1 and why the first folder has none.
int open_new(std::string& path) {
  std::error_code none;
  const std::filesystem::path named = std::filesystem::temp_directory_path(none);
  if (!none && named != usual_folders[0]) return open_in(named, path);
  int why = 0;
  for (const std::string_view folder : usual_folders) {
    const int descriptor = open_in(folder, path);
    if (descriptor >= 0) return descriptor;
    if (why == 0) why = errno;
    if (errno != EACCES && errno != EROFS && errno != ENOENT && errno != ENOTDIR) break;
  }
  errno = why;
  return -1;
}

/// 0, or an errno.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// The bytes that begin with `start`, as far as the source delivers them; `failure` is why no more. 0, or an errno.
int write_rest(int descriptor, std::string_view start, ByteSource& source, Diagnostics& failure) {
  if (const int why = write_all(descriptor, start); why != 0) return why;
  std::vector<char> block(copied_bytes);
  for (;;) {
    Result<std::size_t> size = source.read(block);
    if (!size) failure = std::move(size.error());
    if (!size || *size == 0) return 0;
    if (const int why = write_all(descriptor, {block.data(), *size}); why != 0) return why;
  }
}

}  // namespace

Result<std::unique_ptr<TemporaryFile>> TemporaryFile::copy(std::string_view start, ByteSource& source) {
  std::string path;
  const int descriptor = open_new(path);
  if (descriptor < 0) return no_room(errno);
  std::unique_ptr<TemporaryFile> file(new TemporaryFile(std::move(path)));
  int why = write_rest(descriptor, start, source, file->failure_);
  if (::close(descriptor) != 0 && why == 0) why = errno;  // some file systems say only now that there is no room
  if (why != 0) return no_room(why);
  return file;
}

Result<std::unique_ptr<TemporaryFile>> TemporaryFile::create() {
  std::string path;
  const int descriptor = open_new(path);
  if (descriptor < 0) return no_room_for_output(std::strerror(errno));
  std::unique_ptr<TemporaryFile> file(new TemporaryFile(std::move(path)));
  ::close(descriptor);  // nothing was written to it
  return file;
}

Diagnostic no_room_for_output(std::string_view why) {
  Diagnostic error;
  error.id = refusal_id::command_failed;
  error.title = "a temporary file for the output could not be written: " + std::string(why);
  error.help = "Set TMPDIR to a folder with more room.";
  return error;
}

TemporaryFile::~TemporaryFile() { ::unlink(path_.c_str()); }

}  // namespace kdiag::adapters
