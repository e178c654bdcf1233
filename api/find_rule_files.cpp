// SPDX-License-Identifier: Apache-2.0
#include "api/find_rule_files.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "api/rule_scripts.hpp"
#include "api/similar_file.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"
#include "dsl/yaml_tree.hpp"
#include "engine/diagnostic.hpp"
#include "engine/nul_in_path.hpp"

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
    std::error_code error;
    fs::recursive_directory_iterator at(folder, error);
    for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error)) {
      stop_if(cancel_);
      const fs::path& path = at->path();
      std::error_code unknown;
      if (path.filename().native().starts_with('.')) at.disable_recursion_pending();
      else if ((path.extension() == ".yaml" || path.extension() == ".yml") && at->is_regular_file(unknown))
        files.push_back(path.string());
    }
    if (error)
      diagnostics_.push_back(make_error("K100", {std::make_shared<const Source>(Source{folder.string(), {}}), 0, 0},
                                        "cannot read the folder: " + error.message()));
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) add_file(file, true);
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
    auto source = read_rule_source(normal);
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
