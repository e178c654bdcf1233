// SPDX-License-Identifier: Apache-2.0
// Files, pipes and memory as byte sources.
#include "adapters/io/byte_source.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace kdiag::adapters {
namespace {

Diagnostic system_error(int code) {
  switch (code) {
    case ENOENT:
    case ENOTDIR:
      return input_error(refusal_id::no_such_file, "no such file",
                         "Check the path; kdiag expands neither ~ nor patterns, the shell does.");
    case EACCES:
    case EPERM:
      return input_error(refusal_id::no_permission, "no permission to read this file",
                         "Make it readable (chmod +r), or copy it as its owner.");
    case EISDIR:
      return input_error(refusal_id::is_folder, "this is a folder, and here one file is needed",
                         "Name one of the files in it.");
    default:
      return input_error(note_id::read_failed, std::string("reading failed: ") + std::strerror(code),
                         "Copy the file to a local disk and try again.");
  }
}

/// What is at the bottom: its bytes count as given, each once however often it is read.
class GivenSource : public ByteSource {
 public:
  /// `size`: in all, as far as known.
  GivenSource(UnpackBudget* budget, std::uint64_t size) : budget_(budget == nullptr ? own_ : *budget), size_(size) {}
  std::uint64_t taken() const final { return taken_; }
  UnpackBudget& budget() final { return budget_; }

 protected:
  static constexpr std::uint64_t unknown_size = UINT64_MAX;
  void count(std::uint64_t bytes) {
    budget_.take(std::min(taken_ + bytes, size_) - std::min(taken_, size_));
    taken_ += bytes;
  }
  bool is_within(std::uint64_t position) const { return position <= size_; }

 private:
  UnpackBudget own_;
  UnpackBudget& budget_;
  std::uint64_t size_;
  std::uint64_t taken_ = 0;
};

UnpackBudget* budget_of(const ReadProgress* progress) { return progress == nullptr ? nullptr : progress->budget; }

class FileSource final : public GivenSource {
 public:
  /// `size`: of a file of a disk. Reading of others, pipes and terminals, may block without end.
  FileSource(int descriptor, ReadProgress* progress, bool regular, std::uint64_t size)
      : GivenSource(budget_of(progress), regular ? size : unknown_size),
        descriptor_(descriptor),
        progress_(progress),
        cancel_(progress == nullptr ? nullptr : progress->cancel),
        regular_(regular) {}
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  Result<std::size_t> read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size() && error_ == 0 && may_read()) {
      const ssize_t got = ::read(descriptor_, buffer.data() + filled, buffer.size() - filled);
      if (got == 0) break;
      if (got > 0) filled += static_cast<std::size_t>(got);
      else if (errno != EINTR) error_ = errno;
    }
    count(filled);
    if (progress_ != nullptr) progress_->bytes.fetch_add(filled, std::memory_order_relaxed);
    if (filled == 0 && error_ != 0) return system_error(error_);
    return filled;
  }

  std::int64_t seek(std::int64_t offset, int whence) override {
    if (!regular_ || descriptor_ == STDIN_FILENO) return -1;
    const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);
    const off_t to = ::lseek(descriptor_, offset, whence);
    if (to < 0 || is_within(static_cast<std::uint64_t>(to))) return to;
    ::lseek(descriptor_, before, SEEK_SET);
    return -1;
  }

 private:
  /// Waits until there are bytes or the end, which a disk has at once; false once the host asked to stop.
  bool may_read() const {
    if (cancel_ == nullptr) return true;
    constexpr int interval_ms = 20;
    pollfd waiting{descriptor_, POLLIN, 0};
    while (!cancel_->load(std::memory_order_relaxed)) {
      const int ready = regular_ ? 1 : ::poll(&waiting, 1, interval_ms);
      if (ready > 0 || (ready < 0 && errno != EINTR)) return true;  // what is wrong with it reading says
    }
    return false;
  }

  int descriptor_;
  ReadProgress* progress_;
  const std::atomic<bool>* cancel_;
  bool regular_;
  int error_ = 0;
};

class MemorySource final : public GivenSource {
 public:
  MemorySource(std::span<const char> bytes, UnpackBudget* budget) : GivenSource(budget, bytes.size()), bytes_(bytes) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, size, buffer.data());
    at_ += size;
    count(size);
    return size;
  }

  std::int64_t seek(std::int64_t offset, int whence) override {
    const std::size_t from = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? at_ : bytes_.size();
    const std::int64_t to = static_cast<std::int64_t>(from) + offset;
    if (to < 0 || to > static_cast<std::int64_t>(bytes_.size())) return -1;
    at_ = static_cast<std::size_t>(to);
    return to;
  }

 private:
  std::span<const char> bytes_;
  std::size_t at_ = 0;
};

class CallbackSource final : public GivenSource {
 public:
  CallbackSource(ReadCallback read, ReadProgress* progress)
      : GivenSource(budget_of(progress), unknown_size), read_(std::move(read)), progress_(progress) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size() && !failed_ && !ended_) {
      const std::int64_t got = ask(buffer.subspan(filled));
      ended_ = got == 0;
      failed_ = got < 0 || static_cast<std::uint64_t>(got) > buffer.size() - filled;
      if (!failed_) filled += static_cast<std::size_t>(got);
    }
    count(filled);
    if (progress_ != nullptr) progress_->bytes.fetch_add(filled, std::memory_order_relaxed);
    if (filled == 0 && failed_)
      return input_error(note_id::read_failed, "reading failed: the program that delivers this input says so",
                         "Try again.");
    return filled;
  }

 private:
  std::int64_t ask(std::span<char> buffer) const {
    try {
      if (progress_ != nullptr && progress_->cancel != nullptr && progress_->cancel->load(std::memory_order_relaxed))
        return 0;
      return read_(buffer);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {
      return -1;
    }
  }

  ReadCallback read_;
  ReadProgress* progress_;
  bool ended_ = false;
  bool failed_ = false;
};

/// Takes an open file over. `forward`: it is read from where it stands.
Result<std::unique_ptr<ByteSource>> file_source(int descriptor, ReadProgress* progress, bool forward) {
  struct stat info {};
  const int failure = ::fstat(descriptor, &info) == 0 ? 0 : errno;
  auto source = std::make_unique<FileSource>(descriptor, progress, !forward && S_ISREG(info.st_mode),
                                             static_cast<std::uint64_t>(info.st_size));
  if (failure != 0) return system_error(failure);
  if (S_ISDIR(info.st_mode)) return system_error(EISDIR);
  if (S_ISREG(info.st_mode)) {
    if (progress != nullptr) progress->total.store(static_cast<std::uint64_t>(info.st_size), std::memory_order_relaxed);
    // Advice only: a file system that does not understand it reads correctly all the same.
    static_cast<void>(::posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL));
  }
  return std::unique_ptr<ByteSource>(std::move(source));
}

/// -1 after an error, of which errno tells. A pipe that nobody opened for writing is waited for by FileSource, where
/// the host can stop that, and else here.
int open_for_reading(const std::string& path, const ReadProgress* progress) {
  const auto* const cancel = progress == nullptr ? nullptr : progress->cancel;
  const int flags = O_RDONLY | O_CLOEXEC | (cancel == nullptr ? 0 : O_NONBLOCK);
  for (;;) {
    const int descriptor = ::open(path.c_str(), flags);
    if (descriptor >= 0 && cancel != nullptr) static_cast<void>(::fcntl(descriptor, F_SETFL, O_RDONLY));
    if (descriptor >= 0 || errno != EINTR || (cancel != nullptr && cancel->load(std::memory_order_relaxed)))
      return descriptor;
  }
}

}  // namespace

Result<std::unique_ptr<ByteSource>> open_file(const std::string& path, ReadProgress* progress) {
  const bool standard_input = path == "-";
  const int descriptor = standard_input ? STDIN_FILENO : open_for_reading(path, progress);
  if (descriptor < 0) return system_error(errno);
  return file_source(descriptor, progress, false);
}

Result<std::unique_ptr<ByteSource>> open_descriptor(int descriptor, ReadProgress* progress) {
  const int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);  // closed with the source
  if (own < 0) return system_error(errno);
  return file_source(own, progress, true);
}

std::unique_ptr<ByteSource> callback_source(ReadCallback read, ReadProgress* progress) {
  return std::make_unique<CallbackSource>(std::move(read), progress);
}

std::unique_ptr<ByteSource> memory_source(std::span<const char> bytes, UnpackBudget* budget) {
  return std::make_unique<MemorySource>(bytes, budget);
}

Status append_from(ByteSource& source, std::string& text, std::size_t limit) {
  const std::size_t before = text.size();
  text.resize(before + limit);
  Result<std::size_t> got = source.read({text.data() + before, limit});
  text.resize(before + (got ? *got : 0));
  if (!got) return got.error();
  return ok_status();
}

}  // namespace kdiag::adapters
