// SPDX-License-Identifier: Apache-2.0
#include "cli/rule_paths.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <kdiag/tools.hpp>

namespace kdiag::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    if (path.filename().native().starts_with('.')) {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code unknown;
    if ((path.extension() == ".yaml" || path.extension() == ".yml") && at->is_regular_file(unknown))
      out.push_back(path.string());
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

RulePaths rule_files(const std::vector<std::string>& paths, bool with_tests) {
  RulePaths out;
  const auto add = [&](std::string file, bool in_folder) {
    std::error_code error;
    // What is no regular file can be read only once.
    const FileKind kind = fs::is_regular_file(file, error) ? file_kind(file) : FileKind::rules;
    if (kind == FileKind::tests && !with_tests) return;
    if (kind == FileKind::other && in_folder) out.skipped.push_back(std::move(file));
    else out.files.push_back(std::move(file));
  };
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) add(path, false);
    else
      for (std::string& file : files_below(path)) add(std::move(file), true);
  }
  return out;
}

}  // namespace kdiag::cli
