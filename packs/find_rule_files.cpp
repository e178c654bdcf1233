// SPDX-License-Identifier: Apache-2.0
#include "packs/find_rule_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/folder_names.hpp"
#include "base/nul_in_path.hpp"
#include "base/similar_file.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"
#include "dsl/yaml_tree.hpp"
#include "packs/rule_scripts.hpp"

namespace kdiag {
namespace {

namespace fs = std::filesystem;

class Finder {
 public:
  Finder(Diagnostics& diagnostics, CancelFlag cancel) : diagnostics_(diagnostics), cancel_(cancel) {}

  void add(const std::string& path) {
    std::error_code error;
    if (!has_nul(path) && fs::is_directory(path, error)) add_folder(path);
    else add_file(path, false);
  }

  FoundRuleFiles found() && { return std::move(found_); }

 private:
  void add_folder(const fs::path& folder) {
    std::vector<std::string> files;
    std::vector<fs::path> open{folder};
    while (!open.empty()) {
      stop_if(cancel_);
      const fs::path at = std::move(open.back());
      open.pop_back();
      std::vector<std::string> names;
      if (const int why = add_folder_names(at.string(), SIZE_MAX, names); why != 0)
        diagnostics_.push_back(make_error("K100", {std::make_shared<const Source>(Source{at.string(), {}}), 0, 0},
                                          std::string("cannot read the folder: ") + std::strerror(why)));
      for (const std::string& name : names)
        if (!name.starts_with('.')) sort(at / name, files, open);
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) add_file(file, true);
  }

  /// Links to folders are not followed: they may lead in a circle.
  static void sort(const fs::path& path, std::vector<std::string>& files, std::vector<fs::path>& folders) {
    std::error_code unknown;
    if (fs::is_directory(fs::symlink_status(path, unknown))) folders.push_back(path);
    else if ((path.extension() == ".yaml" || path.extension() == ".yml") && fs::is_regular_file(path, unknown))
      files.push_back(path.string());
  }

  void add_file(const std::string& path, bool in_folder) {
    const std::string normal = fs::path(path).lexically_normal().string();
    stop_if(cancel_);
    if (!seen_.insert(normal).second) return;
    std::error_code error;
    if (in_folder && fs::file_size(normal, error) > most_yaml_bytes && !error) {
      found_.skipped.push_back(normal);
      return;
    }
    auto source = read_rule_source(normal, "rule file", cancel_);
    if (!source) {
      suggest_similar(normal, source.error().front());
      diagnostics_.insert(diagnostics_.end(), source.error().begin(), source.error().end());
      return;
    }
    if (is_lua_rule(normal)) {
      found_.rules.push_back(std::move(*source));
      return;
    }
    switch (purpose_of((*source)->text)) {
      case YamlPurpose::tests: found_.tests.push_back(std::move(*source)); break;
      case YamlPurpose::rules: found_.rules.push_back(std::move(*source)); break;
      case YamlPurpose::other:
        if (in_folder) found_.skipped.push_back(normal);
        else found_.rules.push_back(std::move(*source));  // its reader says what it lacks
    }
  }

  Diagnostics& diagnostics_;
  CancelFlag cancel_;
  FoundRuleFiles found_;
  std::set<std::string> seen_;
};

}  // namespace

FoundRuleFiles find_rule_files(std::span<const std::string> paths, Diagnostics& diagnostics, CancelFlag cancel) {
  Finder finder(diagnostics, cancel);
  for (const std::string& path : paths) finder.add(path);
  return std::move(finder).found();
}

}  // namespace kdiag
