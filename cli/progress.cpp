// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "cli/signals.hpp"

namespace kdiag::cli {
namespace {

constexpr double megabyte = 1e6;

/// The end of a path, short enough for one line and without control characters.
std::string short_name(std::string_view name) {
  constexpr std::size_t longest = 40;
  std::string shown(name.substr(name.size() > longest ? name.size() - longest : 0));
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return c < 0x20 || c == 0x7F; }, '?');
  return shown;
}

}  // namespace

void Progress::show(std::string_view name, std::uint64_t bytes, std::uint64_t total) {
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  if (seconds < 1) return;
  progress_shown = true;
  const double megabytes = static_cast<double>(bytes) / megabyte;
  std::fprintf(stderr, "%sreading %s: %.0f", wipe_line, short_name(name).c_str(), megabytes);
  if (total > 0) std::fprintf(stderr, " of %.0f", static_cast<double>(total) / megabyte);
  std::fprintf(stderr, " MB, %.0f MB/s", megabytes / seconds);
  std::fflush(stderr);
}

Progress::~Progress() {
  if (progress_shown.exchange(false)) std::fputs(wipe_line, stderr);
}

}  // namespace kdiag::cli
