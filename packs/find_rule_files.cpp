// SPDX-License-Identifier: Apache-2.0
#include "packs/find_rule_files.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/interrupt.hpp"
#include "base/names/folder_names.hpp"
#include "base/nul_in_path.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"
#include "dsl/yaml_tree.hpp"
#include "packs/rule_scripts.hpp"
#include "packs/rule_source.hpp"

namespace kdiag {
namespace {

namespace fs = std::filesystem;

bool is_yaml(const fs::path& path) { return path.extension() == ".yaml" || path.extension() == ".yml"; }

/// Where the tests of a rule file are.
fs::path tests_beside(const fs::path& rule) { return rule.parent_path() / "tests" / rule.filename(); }

/// Of which rule file the file holds the tests, if it holds those of one.
fs::path rule_beside(const fs::path& tests) {
  return (tests.parent_path() / ".." / tests.filename()).lexically_normal();
}

bool lies_in_tests(const fs::path& path) { return path.parent_path().filename() == "tests"; }

class Finder {
 public:
  /// `trusted`: the user named what is looked for, so that what lies beside it may be anywhere.
  Finder(Diagnostics& diagnostics, const RuleOptions& options, bool trusted)
      : diagnostics_(diagnostics), options_(options), trusted_(trusted || options.imports_outside) {}

  void add(const std::string& path) {
    std::error_code error;
    if (!lies_with_host(options_) && !has_nul(path) && fs::is_directory(path, error)) add_folder(path);
    else add_file(path, false);
  }

  FoundRuleFiles found() && { return std::move(found_); }

 private:
  void add_folder(const fs::path& folder) {
    std::vector<std::string> files;
    std::vector<fs::path> open{folder};
    while (!open.empty()) {
      const fs::path at = std::move(open.back());
      open.pop_back();
      for (const std::string& name : names_in(at)) sort(at / name, files, open);
    }
    std::sort(files.begin(), files.end());
    for (const std::string& file : files) add_file(file, true);
  }

  /// Without hidden ones.
  std::vector<std::string> names_in(const fs::path& folder) {
    stop_if(options_.cancel);
    std::vector<std::string> names;
    if (const int why = add_folder_names(folder.string(), SIZE_MAX, names); why != 0)
      diagnostics_.push_back(make_error(error_id::unreadable_file,
                                        {std::make_shared<const Source>(Source{folder.string(), {}}), 0, 0},
                                        std::string("cannot read the folder: ") + std::strerror(why)));
    std::erase_if(names, [](const std::string& name) { return name.starts_with('.'); });
    std::sort(names.begin(), names.end());
    return names;
  }

  /// Links to folders are not followed: they may lead in a circle.
  static void sort(const fs::path& path, std::vector<std::string>& files, std::vector<fs::path>& folders) {
    std::error_code unknown;
    if (fs::is_directory(fs::symlink_status(path, unknown))) folders.push_back(path);
    else if ((is_yaml(path) || is_lua_rule(path.native())) && fs::is_regular_file(path, unknown))
      files.push_back(path.string());
  }

  static std::string normal(const fs::path& path) { return path.lexically_normal().string(); }

  void add_file(const std::string& path, bool in_folder) {
    stop_if(options_.cancel);
    if (const auto part = parts_.find(normal(path)); part != parts_.end()) {
      want(part->second);
      return;
    }
    if (!seen_.insert(normal(path)).second) return;
    if (in_folder && too_large(path)) {
      found_.skipped.push_back(path);
      return;
    }
    auto source = read_named_file(path, options_);
    if (!source) {
      std::move(source.error().begin(), source.error().end(), std::back_inserter(diagnostics_));
      return;
    }
    if (!is_lua_rule(path)) return add_yaml(*source, in_folder);
    if (!in_folder || states_rule((*source)->text)) found_.rules.push_back(pack_of_text(*source));  // else of a pack
  }

  void add_yaml(const SourcePtr& source, bool in_folder) {
    const fs::path path = source->name;
    const YamlPurpose purpose = purpose_of(source->text);
    const bool of_one_rule = is_of_one_rule(source->text);
    if (path.filename() == pack_file_name) return add_pack(path.parent_path(), source, {});
    if (purpose == YamlPurpose::rules && of_one_rule) return add_rule(source);
    if (purpose == YamlPurpose::tests) {
      if (of_one_rule && lies_in_tests(path) && add_rule_of(path)) return;
      found_.tests.push_back(source);
    } else if (purpose == YamlPurpose::rules || !in_folder) {
      found_.rules.push_back(pack_of_text(source));  // of what is neither its reader says what it lacks
    } else {
      found_.skipped.push_back(source->name);
    }
  }

  /// The rule of which a file holds the tests; false: there is none.
  bool add_rule_of(const fs::path& tests) {
    const fs::path rule = rule_beside(tests);
    if (parts_.contains(normal(rule)) || seen_.contains(normal(rule))) {
      add_file(rule.string(), false);
      return true;
    }
    const SourcePtr source = read_beside(rule);
    if (!source || !is_of_one_rule(source->text)) return false;
    seen_.insert(normal(rule));
    add_rule(source);
    return true;
  }

  /// A file with one rule: what it belongs to comes along.
  void add_rule(const SourcePtr& source) {
    const fs::path path = source->name;
    const fs::path pack = path.parent_path() / pack_file_name;
    if (const SourcePtr file = read_beside(pack)) {
      seen_.insert(normal(pack));
      const auto known = parts_.find(normal(pack));
      if (known != parts_.end()) return add_part(known->second.pack, source, true);  // of a host: it named another rule
      return add_pack(path.parent_path(), file, source);
    }
    found_.rules.push_back({.pack = nullptr, .rules = {{source, tests_of(path)}}});
  }

  /// A pack of which the user named the whole, or that one rule.
  void add_pack(const fs::path& folder, const SourcePtr& file, const SourcePtr& named) {
    const std::size_t place = found_.rules.size();
    found_.rules.push_back({.pack = file, .rules = {}});
    parts_.emplace(normal(file->name), Part{place, {}});
    if (lies_with_host(options_) && named) add_part(place, named, true);
    if (lies_with_host(options_)) return;
    for (const std::string& name : names_in(folder.empty() ? "." : folder)) {
      const fs::path path = folder / name;
      if (!is_yaml(path) || name == pack_file_name) continue;
      if (named && normal(path) == normal(named->name)) add_part(place, named, true);
      else if (const SourcePtr rule = read_beside(path); rule && is_rule(*rule))
        add_part(place, rule, named == nullptr);
    }
  }

  void add_part(std::size_t place, const SourcePtr& rule, bool wanted) {
    const SourcePtr tests = tests_of(rule->name);
    auto& rules = found_.rules[place].rules;
    for (const SourcePtr& part : {rule, tests})
      if (part) parts_.emplace(normal(part->name), Part{place, rules.size()});
    rules.push_back({rule, tests, wanted});
  }

  static bool is_rule(const Source& source) {
    return purpose_of(source.text) == YamlPurpose::rules && is_of_one_rule(source.text);
  }

  SourcePtr tests_of(const fs::path& rule) {
    SourcePtr tests = read_beside(tests_beside(rule));
    return tests && purpose_of(tests->text) == YamlPurpose::tests && is_of_one_rule(tests->text) ? tests : nullptr;
  }

  /// A file that nobody named; null: there is none, or it may not be read.
  SourcePtr read_beside(const fs::path& path) {
    stop_if(options_.cancel);
    const std::string file = path.string();
    std::error_code error;
    if (!lies_with_host(options_) && (!fs::is_regular_file(path, error) || too_large(path))) return nullptr;
    if (!trusted_ && !lies_below(file, path.parent_path().string(), options_)) return nullptr;
    auto source = read_named_file(file, options_);
    if (source) return std::move(*source);
    if (!lies_with_host(options_))
      std::move(source.error().begin(), source.error().end(), std::back_inserter(diagnostics_));
    return nullptr;
  }

  static bool too_large(const fs::path& path) {
    std::error_code error;
    return fs::file_size(path, error) > most_yaml_bytes && !error;
  }

  /// A file of a pack that was read already.
  struct Part {
    std::size_t pack;
    std::optional<std::size_t> rule;  ///< nothing: its pack.yaml
  };

  void want(const Part& part) {
    auto& rules = found_.rules[part.pack].rules;
    if (part.rule) rules[*part.rule].wanted = true;
    else
      for (PackSource::OfRule& rule : rules) rule.wanted = true;
  }

  Diagnostics& diagnostics_;
  const RuleOptions& options_;
  bool trusted_;
  FoundRuleFiles found_;
  std::set<std::string> seen_;
  std::map<std::string, Part> parts_;
};

}  // namespace

FoundRuleFiles find_rule_files(std::span<const std::string> paths, Diagnostics& diagnostics,
                               const RuleOptions& options) {
  Finder finder(diagnostics, options, true);
  for (const std::string& path : paths) finder.add(path);
  return std::move(finder).found();
}

FoundRuleFiles find_imported(const std::string& path, Diagnostics& diagnostics, const RuleOptions& options) {
  Finder finder(diagnostics, options, false);
  finder.add(path);
  return std::move(finder).found();
}

}  // namespace kdiag
