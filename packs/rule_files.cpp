// SPDX-License-Identifier: Apache-2.0
#include "packs/rule_files.hpp"

#include <algorithm>
#include <cassert>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <kdiag/error_ids.hpp>
#include <kdiag/file_reader.hpp>

#include "base/diagnostic.hpp"
#include "base/interrupt.hpp"
#include "base/parallel.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"
#include "dsl/yaml_image.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "packs/find_rule_files.hpp"
#include "packs/packed_files.hpp"
#include "packs/rule_scripts.hpp"
#include "packs/rule_source.hpp"
#include "rules/builtin_packs.hpp"

namespace kdiag {
namespace {

namespace fs = std::filesystem;

/// Whether two files define a rule or a derived fact of the same name.
bool share_a_name(const RuleFile& a, const RuleFile& b) {
  std::set<std::string_view> names(a.withheld.begin(), a.withheld.end());
  for (const Rule& rule : a.rules) names.insert(rule.id);
  for (const Define& define : a.defines) names.insert(define.name);
  const auto known = [&](const std::string& name) { return names.contains(name); };
  return std::any_of(b.rules.begin(), b.rules.end(), [&](const Rule& rule) { return known(rule.id); }) ||
         std::any_of(b.defines.begin(), b.defines.end(), [&](const Define& define) { return known(define.name); });
}

/// `clocks` of `rules/clocks/pack.yaml`.
std::string folder_name(const RuleFile& pack) {
  return fs::absolute(pack.source->name).lexically_normal().parent_path().filename().string();
}

/// Whether a pack is a built-in one that someone works on: it has the name of its folder, its pack name, and its rules,
/// which would all be defined twice.
bool is_version_of(const RuleFile& file, const RuleFile& builtin) {
  return builtin.builtin && file.pack == builtin.pack &&
         fs::path(file.source->name).filename() == fs::path(builtin.source->name).filename() &&
         folder_name(file) == folder_name(builtin) && share_a_name(builtin, file);
}

using RuleFilePtr = std::shared_ptr<const RuleFile>;

/// The texts of each pack, one for all details: their places agree.
const std::vector<std::vector<SourcePtr>>& builtin_sources() {
  static const auto* const sources = [] {
    auto* const out = new std::vector<std::vector<SourcePtr>>;
    const std::vector<SourcePtr> all = unpack_files(builtin_rule_texts());
    auto next = all.begin();
    for (const BuiltinPack& pack : builtin_packs()) {
      const auto end = next + static_cast<std::ptrdiff_t>(pack.files.size());
      out->emplace_back(next, end);
      next = end;
    }
    return out;
  }();
  return *sources;
}

std::vector<RuleFilePtr> read_builtin_packs(ImageDetail detail);

/// The built-in packs, read once in a process: a host that asks one question after another should not wait for them
/// each time. They are constant, and never freed: a process that ends need not tidy up.
template <ImageDetail detail>
const std::vector<RuleFilePtr>& builtin_rule_files() {
  static const auto* const files = new std::vector<RuleFilePtr>(read_builtin_packs(detail));
  return *files;
}

/// A rule of which the place in the image of its pack is known.
std::shared_ptr<const Rule> whole_builtin_rule(std::size_t pack, std::size_t place) {
  Diagnostics diagnostics;
  Rule rule = read_rule_alone(rule_of_image(builtin_packs()[pack].image, builtin_sources()[pack], place), diagnostics);
  assert(diagnostics.empty());
  return std::make_shared<const Rule>(std::move(rule));
}

std::vector<RuleFilePtr> read_builtin_packs(ImageDetail detail) {
  const std::span<const BuiltinPack> packs = builtin_packs();
  const std::vector<std::vector<SourcePtr>>& sources = builtin_sources();
  std::vector<RuleFilePtr> files(packs.size());
  parallel_for(packs.size(), 0, [&](std::size_t i) {
    Diagnostics diagnostics;
    const YamlNode root = tree_of_image(packs[i].image, sources[i], detail);
    RuleFile file = read_rule_file(root, sources[i], diagnostics, version());
    assert(diagnostics.empty());  // a test checks each pack
    file.builtin = true;
    for (std::size_t r = 0; r < file.rules.size(); ++r) {
      Rule& rule = file.rules[r];
      rule.tests_apart = true;
      if (rule.parts == RuleParts::decision)
        rule.whole = [i, place = root.find("rules")->items[r].image_place] { return whole_builtin_rule(i, place); };
      if (rule.parts == RuleParts::compared)
        file.comparing = [i] { return builtin_rule_files<ImageDetail::decisions>()[i]; };
      if (rule.parts != RuleParts::whole) file.whole = [i] { return builtin_rule_files<ImageDetail::whole>()[i]; };
    }
    files[i] = std::make_shared<const RuleFile>(std::move(file));
  });
  return files;
}

/// A built-in pack with the scripts that its rules name: which there are, and their limits, is for each set of rules.
RuleFilePtr with_scripts(const RuleFilePtr& file, const RuleOptions& options) {
  if (std::none_of(file->rules.begin(), file->rules.end(),
                   [](const Rule& rule) { return rule.script_path.has_value(); }))
    return file;
  RuleFile own = *file;
  Diagnostics diagnostics, style;
  RuleScripts(options, diagnostics, style).attach(own, {});
  assert(diagnostics.empty());
  if (own.whole) {
    // No more of the options: what else of the host they point to is not needed so long.
    RuleOptions of_scripts;
    of_scripts.lua = options.lua;
    of_scripts.lua_limits = options.lua_limits;
    own.whole = [whole = own.whole, of_scripts] { return with_scripts(whole(), of_scripts); };
  }
  return std::make_shared<const RuleFile>(std::move(own));
}

/// Takes rules out of a file that are not to be judged. Others may go on referring to them.
template <class Unwanted>
void withhold(RuleFile& file, Unwanted unwanted) {
  std::erase_if(file.rules, [&](const Rule& rule) {
    if (!unwanted(rule)) return false;
    file.withheld.push_back(rule.id);
    return true;
  });
}

/// A built-in pack of which the user does not want the rules: its library of defines comes along all the same.
RuleFilePtr without_rules(const RuleFile& file) {
  RuleFile own = file;
  withhold(own, [](const Rule&) { return true; });
  own.whole = nullptr;
  own.comparing = nullptr;
  return std::make_shared<const RuleFile>(std::move(own));
}

class Reader {
 public:
  using Keep = std::function<bool(std::string_view pack_file)>;

  /// `alone`: nothing of the user's is added, whose rules could name defines of packs that compare.
  Reader(const Keep& keep, const RuleOptions& options, bool alone)
      : scripts_(options, out_.diagnostics, out_.style), options_(options) {
    const auto& files = options.incubating ? builtin_rule_files<ImageDetail::whole>()
                        : alone            ? builtin_rule_files<ImageDetail::least>()
                                           : builtin_rule_files<ImageDetail::without_comparing>();
    for (const RuleFilePtr& file : files)
      out_.files.push_back(keep(file->source->name) ? with_scripts(file, options) : without_rules(*file));
  }

  void add_text(std::string_view name, std::string_view text) {
    add(pack_of_text(std::make_shared<const Source>(Source{std::string(name), std::string(text)})), {}, 0);
  }

  void add_sources(std::span<const PackSource> sources) {
    for (const PackSource& source : sources) add_names(source);
    for (const PackSource& source : sources) add_new(source, 0);
  }

  void add_files(std::span<const std::string> paths) {
    FoundRuleFiles found = find_rule_files(paths, out_.diagnostics, options_);
    for (const SourcePtr& source : found.tests)  // who named one as a rule file is told that it is none
      if (std::find(paths.begin(), paths.end(), source->name) != paths.end())
        found.rules.push_back(pack_of_text(source));
    if (found.rules.empty() && !has_error(out_.diagnostics)) tell_none(paths);
    add_sources(found.rules);
  }

  RuleFiles take() && { return std::move(out_); }

 private:
  /// Folders were named in which there are none.
  void tell_none(std::span<const std::string> paths) {
    for (const std::string& path : paths) {
      Diagnostic error = unreadable(path, "it is a folder without rule files");
      error.help = "They begin with `kdiag: 1`, and their names end in .yaml or .yml.";
      out_.diagnostics.push_back(std::move(error));
    }
  }

  std::string identity(const std::string& path) const { return file_identity(path, options_); }

  void add_names(const PackSource& source) {
    for (const SourcePtr& text : source.all()) names_.emplace(identity(text->name), text->name);
    const std::string& path = source.main()->name;
    folders_.insert(identity(folder_of(path)));
    folders_.insert(fs::path(identity(path)).parent_path().string());
  }

  static std::string folder_of(const std::string& path) {
    const std::string folder = fs::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
  }

  void add_new(const PackSource& source, std::size_t depth) {
    if (!seen_.insert(identity(source.main()->name)).second) return;
    for (const SourcePtr& text : source.all()) seen_.insert(identity(text->name));
    add(source, fs::path(source.main()->name).parent_path(), depth);
  }

  void add(const PackSource& source, const std::optional<fs::path>& folder, std::size_t depth) {
    stop_if(options_.cancel);
    RuleFile file = read(source);
    if (!is_lua_rule(source.main()->name)) scripts_.attach(file, folder);
    for (const Reference& import : file.imports)
      if (import.rule != "std") follow(import, folder, depth);
    // What another version of a pack lacks has to be said now, not when a rule of another pack fires or is asked for.
    if (std::erase_if(out_.files, [&](const auto& other) { return is_version_of(file, *other); }) > 0)
      out_.files = whole_files(std::move(out_.files));
    out_.files.push_back(std::make_shared<const RuleFile>(std::move(file)));
  }

  RuleFile read(const PackSource& source) {
    if (is_lua_rule(source.main()->name)) return scripts_.read(source.main());
    KeptTrees* const kept = options_.files ? options_.files->trees.get() : nullptr;
    RuleFile file = parse_rule_file(source, out_.diagnostics, version(), options_.cancel, kept);
    withhold(file, [&](const Rule& rule) {
      return std::any_of(source.rules.begin(), source.rules.end(),
                         [&](const PackSource::OfRule& part) { return !part.wanted && part.rule == rule.span.source; });
    });
    return file;
  }

  void follow(const Reference& import, const std::optional<fs::path>& folder, std::size_t depth) {
    const std::string& wanted = import.rule;
    if (wanted.find('/') == std::string::npos && !wanted.ends_with(".yaml") && !wanted.ends_with(".yml"))
      return refuse(import, "there is no library '" + wanted + "'", did_you_mean(wanted, {"std"}),
                    "`std`, or the path of a rule file: ./common.yaml");
    if (!folder)
      return refuse(import, "cannot import '" + wanted + "': these rules are in no folder", {},
                    "load them from a file, or load both files together");
    if (depth == deepest_import)
      return refuse(import, "more than " + std::to_string(deepest_import) + " files import each other in a chain");
    const std::string path = (*folder / wanted).lexically_normal().string();
    const std::string file = identity(path);
    if (seen_.contains(file)) return;
    const auto named = names_.find(file);
    if (named == names_.end() && !may_read(import, path)) return;
    Diagnostics errors;
    const FoundRuleFiles found = find_imported(named == names_.end() ? path : named->second, errors, options_);
    if (found.rules.empty()) seen_.insert(file);
    if (has_error(errors))
      return refuse(import, errors.front().title, errors.front().help,
                    "paths are relative to the file that imports; this one is " + path);
    if (found.rules.empty())
      return refuse(import, "'" + wanted + "' is no rule file", {},
                    "`std`, or the path of a rule file or of a folder with a pack.yaml");
    for (const PackSource& source : found.rules) {
      // What is no rule file may be anything that its owner does not show: only who named a file sees its lines.
      const SourcePtr& main = source.main();
      if (named == names_.end() && !is_lua_rule(main->name) && purpose_of(main->text) != YamlPurpose::rules)
        return refuse(import, "'" + wanted + "' is no rule file", "it does not begin with `kdiag: 1`",
                      "kdiag rules check FILE says what is wrong with a file");
      add_new(source, depth + 1);
    }
  }

  /// Whether rules may bring a file along that the user has not named; else false, with an error.
  bool may_read(const Reference& import, const std::string& path) {
    const bool inside = std::any_of(folders_.begin(), folders_.end(),
                                    [&](const std::string& folder) { return lies_below(path, folder, options_); });
    if (!inside && !options_.imports_outside) {
      refuse(import, "'" + import.rule + "' lies outside of the folders of the rules", "it leads to another folder",
             "name the file beside the rules that import it, or trust them with --allow-imports-outside "
             "(RuleOptions::imports_outside)",
             error_id::import_outside);
      return false;
    }
    if (!is_special(path, options_)) return true;
    refuse(import, "'" + import.rule + "' is no ordinary file");
    return false;
  }

  void refuse(const Reference& import, std::string title, std::string label = {}, std::string help = {},
              std::string_view id = error_id::import_not_found) {
    out_.diagnostics.push_back(make_error(id, import.span, std::move(title), std::move(label), std::move(help)));
  }

  RuleFiles out_;
  RuleScripts scripts_;
  const RuleOptions& options_;
  std::set<std::string> seen_;                // files that were read, or could not be
  std::map<std::string, std::string> names_;  // how the user calls a file, for messages
  std::set<std::string> folders_;             // of the files that the user named: where imports may lie
};

}  // namespace

RuleFiles read_rule_files(std::span<const std::string> paths, const RuleOptions& options) {
  Reader reader([&](std::string_view) { return options.builtin; }, options, paths.empty());
  reader.add_files(paths);
  return std::move(reader).take();
}

RuleFiles read_rule_sources(std::span<const PackSource> sources, const Reader::Keep& keep, const RuleOptions& options) {
  Reader reader(keep, options, sources.empty());
  reader.add_sources(sources);
  return std::move(reader).take();
}

RuleFiles read_rule_text(std::string_view name, std::string_view text, const RuleOptions& options) {
  Reader reader([&](std::string_view) { return options.builtin; }, options, false);
  reader.add_text(name, text);
  return std::move(reader).take();
}

}  // namespace kdiag
