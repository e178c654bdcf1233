// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace kdiag::cli {
namespace {

/// errno, or 0.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    else if (written < 0 && errno != EINTR) return errno;
  }
  return 0;
}

std::string sentence(const std::string& path, int error) {
  return "cannot write " + path + ": " + std::strerror(error);
}

/// Where a chain of links ends, so that the file is replaced and not the link to it.
std::string resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string found(real);
  std::free(real);
  return found;
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
  if (path_.empty()) file_ = STDOUT_FILENO;
  else if (exists && S_ISDIR(about.st_mode)) error_ = EISDIR;
  else if (exists && !S_ISREG(about.st_mode)) file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
  else {
    temporary_ = resolved(path_) + ".XXXXXX";
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
