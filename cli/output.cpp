// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace kdiag::cli {
namespace {

/// errno, or 0.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    else if (written < 0 && errno != EINTR) return errno == EPIPE ? 0 : errno;
  }
  return 0;
}

std::string sentence(const std::string& path, int error) {
  return "cannot write " + path + ": " + std::strerror(error);
}

std::optional<std::string> write_special(std::string_view text, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return sentence(path, errno);
  const int error = write_all(file, text);
  ::close(file);
  if (error != 0) return sentence(path, error);
  return std::nullopt;
}

/// Where a chain of links ends, so that the file is replaced and not the link to it.
std::string resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string found(real);
  std::free(real);
  return found;
}

std::optional<std::string> replace_file(std::string_view text, const std::string& path, mode_t mode) {
  std::string temporary = path + ".XXXXXX";
  const int file = ::mkstemp(temporary.data());
  if (file < 0) return sentence(path, errno);
  int error = write_all(file, text);
  if (error == 0 && ::fchmod(file, mode) != 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return std::nullopt;
  ::unlink(temporary.c_str());
  return sentence(path, error);
}

}  // namespace

std::optional<std::string> write_output(std::string_view text, const std::string& path) {
  if (path.empty()) {
    const int error = write_all(STDOUT_FILENO, text);
    return error == 0 ? std::nullopt : std::optional(sentence("standard output", error));
  }
  struct stat about {};
  const bool exists = ::stat(path.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) return sentence(path, EISDIR);
  if (exists && !S_ISREG(about.st_mode)) return write_special(text, path);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return replace_file(text, resolved(path), exists ? about.st_mode & 07777U : 0666U & ~mask);
}

}  // namespace kdiag::cli
