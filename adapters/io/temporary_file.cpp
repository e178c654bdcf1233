// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/temporary_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include <unistd.h>

namespace kdiag::adapters {

/// A file that has to go. A signal handler can neither wait for a lock nor free memory: what it walks over grows at its
/// head only, who takes the path out of its place removes the file, and the owner of the place frees what was taken.
struct Removal {
  std::atomic<bool> owned;       ///< by a TemporaryFile
  std::atomic<char*> path;       ///< of the file, until it is removed
  std::atomic<char*> gone_path;  ///< of a file that the handler removed
  Removal* next;
};

namespace {

static_assert(std::atomic<char*>::is_always_lock_free && std::atomic<Removal*>::is_always_lock_free &&
                  std::atomic<bool>::is_always_lock_free,
              "a signal handler uses them");

/// Places are used again and never freed: as many as there were files at one time.
std::atomic<Removal*> removals{nullptr};

Removal* keep_removal(const std::string& path) {
  char* copy = ::strdup(path.c_str());
  if (copy == nullptr) throw std::bad_alloc();
  for (Removal* place = removals; place != nullptr; place = place->next)
    if (!place->owned.exchange(true)) {
      place->path = copy;
      return place;
    }
  auto* place = new (std::nothrow) Removal{true, copy, nullptr, removals};
  if (place == nullptr) {
    std::free(copy);
    throw std::bad_alloc();
  }
  while (!removals.compare_exchange_weak(place->next, place)) {
  }
  return place;
}

/// What the handler holds at this moment is left to the next owner.
void drop_removal(Removal& removal) {
  std::free(removal.path.exchange(nullptr));
  std::free(removal.gone_path.exchange(nullptr));
  removal.owned = false;
}

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

void remove_temporary_files() noexcept {
  for (Removal* place = removals; place != nullptr; place = place->next)
    if (char* const path = place->path.exchange(nullptr); path != nullptr) {
      ::unlink(path);
      place->gone_path = path;
    }
}

Result<std::unique_ptr<TemporaryFile>> TemporaryFile::copy(std::string_view start, ByteSource& source) {
  std::unique_ptr<TemporaryFile> file(new TemporaryFile());
  int why = file->open();
  if (why == 0) why = write_rest(file->descriptor_, start, source, file->failure_);
  if (why == 0) why = file->close();
  if (why != 0) return no_room(why);
  return file;
}

Result<std::unique_ptr<TemporaryFile>> TemporaryFile::create() {
  std::unique_ptr<TemporaryFile> file(new TemporaryFile());
  int why = file->open();
  if (why == 0) why = file->close();
  if (why != 0) return no_room_for_output(std::strerror(why));
  return file;
}

int TemporaryFile::open() {
  descriptor_ = open_new(path_);
  if (descriptor_ < 0) {
    const int why = errno;
    path_.clear();  // of what is not ours
    return why;
  }
  removal_ = keep_removal(path_);
  return 0;
}

// Some file systems say only here that there is no room.
int TemporaryFile::close() { return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno; }

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!path_.empty()) ::unlink(path_.c_str());
  if (removal_ != nullptr) drop_removal(*removal_);
}

Diagnostic no_room_for_output(std::string_view why) {
  Diagnostic error;
  error.id = refusal_id::command_failed;
  error.title = "a temporary file for the output could not be written: " + std::string(why);
  error.help = "Set TMPDIR to a folder with more room.";
  return error;
}

}  // namespace kdiag::adapters
