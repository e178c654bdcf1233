// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/file_uri.hpp"

#include <filesystem>

namespace kdiag::serve {
namespace {

constexpr std::string_view scheme = "file://";

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// What RFC 3986 lets a path have as it is, but for what some editors escape nevertheless.
bool stands_for_itself(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

std::string path_of(std::string_view uri) {
  if (!uri.starts_with(scheme)) return std::string(uri);
  const std::string_view rest = uri.substr(scheme.size());
  const std::size_t path = rest.find('/');  // behind the host, which is empty or this one
  std::string out;
  for (std::size_t at = path == std::string_view::npos ? rest.size() : path; at < rest.size(); ++at) {
    const int high = rest[at] == '%' && at + 2 < rest.size() ? hex_value(rest[at + 1]) : -1;
    const int low = high >= 0 ? hex_value(rest[at + 2]) : -1;
    out += low >= 0 ? static_cast<char>(high * 16 + low) : rest[at];
    if (low >= 0) at += 2;
  }
  return std::filesystem::path(out).lexically_normal().string();
}

bool is_file(std::string_view path) { return path.starts_with('/'); }

std::string uri_of(std::string_view path) {
  if (!is_file(path)) return std::string(path);
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string out(scheme);
  for (const char c : path) {
    if (stands_for_itself(c)) {
      out += c;
      continue;
    }
    const auto value = static_cast<unsigned char>(c);
    out += '%';
    out += digits[value >> 4U];
    out += digits[value & 15U];
  }
  return out;
}

}  // namespace kdiag::serve
