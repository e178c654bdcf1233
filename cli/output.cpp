// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/command.hpp"

namespace kdiag::cli {
namespace {

constexpr int named_files = STDERR_FILENO + 1;  // the first number behind those of the standard streams

/// errno, or 0. An interrupted command does not wait for a reader that takes nothing.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    if (interrupted) return EINTR;
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    else if (written < 0 && errno != EINTR) return errno;
  }
  return 0;
}

std::string sentence(const std::string& path, int error) {
  return "cannot write " + path + ": " + std::strerror(error);
}

/// Where a chain of links ends, whether a file is there or not: it is written, and the links to it stay.
std::string resolved(const std::string& path) {
  constexpr int most_links = 40;  // as Linux follows
  std::filesystem::path at(path);
  std::error_code no_link;
  for (int link = 0; link < most_links; ++link) {
    const std::filesystem::path target = std::filesystem::read_symlink(at, no_link);
    if (no_link) break;
    at = at.parent_path() / target;  // an absolute target replaces all of it
  }
  return at;
}

/// The descriptor that a path names, such as /dev/stdout; -1 for other paths. What is behind it may be a file that
/// others write to as well, which must not be replaced.
int named_descriptor(std::string_view path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const auto [end, error] = std::from_chars(path.data() + folder.size(), path.data() + path.size(), number);
    if (error == std::errc{} && end == path.data() + path.size()) return number;
  }
  return -1;
}

/// A file beside another, which nobody reads before it has its name: its own is hidden.
std::string temporary_beside(const std::string& path) {
  return std::filesystem::path(path).replace_filename(".kdiag-XXXXXX");
}

/// The access rights that the new content of a file gets: those it has, or those of a new file.
mode_t rights(const struct stat* about) {
  if (about != nullptr) return about->st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

}  // namespace

OutputStream::OutputStream(const std::string& path) : path_(path) {
  struct stat about {};
  const bool exists = !path_.empty() && ::stat(path_.c_str(), &about) == 0;
  if (!exists && !path_.empty() && errno == ELOOP) error_ = ELOOP;
  else if (path_.empty()) file_ = STDOUT_FILENO;
  else if (const int named = named_descriptor(path_); named >= 0) file_ = ::fcntl(named, F_DUPFD_CLOEXEC, named_files);
  else if (exists && S_ISDIR(about.st_mode)) error_ = EISDIR;
  else if (exists && !S_ISREG(about.st_mode)) file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  else {
    temporary_ = temporary_beside(resolved(path_));
    removal_.emplace();
    file_ = ::mkstemp(temporary_.data());
    if (file_ < 0) temporary_.clear();
    else if (::fchmod(file_, rights(exists ? &about : nullptr)) != 0) error_ = errno;
  }
  if (file_ < 0 && error_ == 0) error_ = errno;
}

OutputStream::~OutputStream() {
  if (file_ > STDOUT_FILENO) ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

bool OutputStream::write(std::string_view piece) {
  if (error_ == 0) error_ = write_all(file_, piece);
  return error_ == 0;
}

std::optional<std::string> OutputStream::finish() {
  if (file_ > STDOUT_FILENO && ::close(std::exchange(file_, -1)) != 0 && error_ == 0) error_ = errno;
  if (error_ == 0 && !temporary_.empty()) {
    if (std::rename(temporary_.c_str(), resolved(path_).c_str()) != 0) error_ = errno;
    else temporary_.clear();
  }
  if (error_ == 0 || error_ == EPIPE) return std::nullopt;
  return sentence(path_.empty() ? "standard output" : path_, error_);
}

std::optional<std::string> write_output(std::string_view text, const std::string& path) {
  OutputStream output(path);
  output.write(text);
  return output.finish();
}

}  // namespace kdiag::cli
