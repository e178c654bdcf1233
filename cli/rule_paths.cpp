// SPDX-License-Identifier: Apache-2.0
#include "cli/rule_paths.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include <kdiag/error_ids.hpp>
#include <kdiag/tools.hpp>

namespace kdiag::cli {
namespace {

namespace fs = std::filesystem;

Diagnostic unreadable_folder(const std::string& folder, const std::error_code& why) {
  Diagnostic error;
  error.id = error_id::unreadable_file;
  error.title = "cannot read the folder: " + why.message();
  error.labels.push_back(Label{Span{std::make_shared<const Source>(Source{folder, {}}), 0, 0}, {}});
  return error;
}

std::vector<std::string> files_below(const std::string& folder, bool with_lua, Diagnostics& errors) {
  std::vector<std::string> out;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
    const fs::path& path = at->path();
    if (path.filename().native().starts_with('.')) {
      at.disable_recursion_pending();
      continue;
    }
    std::error_code unknown;
    const bool named_so =
        path.extension() == ".yaml" || path.extension() == ".yml" || (with_lua && path.extension() == ".lua");
    if (named_so && at->is_regular_file(unknown)) out.push_back(path.string());
  }
  if (error) errors.push_back(unreadable_folder(folder, error));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

RulePaths rule_files(const std::vector<std::string>& paths, const WantedFiles& wanted) {
  RulePaths out;
  const auto add = [&](std::string file, bool in_folder) {
    std::error_code error;
    // What is no regular file can be read only once.
    const FileKind kind = fs::is_regular_file(file, error) ? file_kind(file) : FileKind::rules;
    if (kind == FileKind::tests && !wanted.tests) return;
    if (kind != FileKind::other || !in_folder) out.files.push_back(std::move(file));
    else if (!file.ends_with(".lua")) out.skipped.push_back(std::move(file));  // the script of a rule in YAML
  };
  for (const std::string& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) add(path, false);
    else
      for (std::string& file : files_below(path, wanted.lua, out.errors)) add(std::move(file), true);
  }
  return out;
}

}  // namespace kdiag::cli
