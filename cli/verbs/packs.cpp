// SPDX-License-Identifier: Apache-2.0
// kdiag packs: pins the packs of a project, shows what a new version of one changes, and takes it.
#include "cli/packs.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

#include <kdiag/packs.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

namespace fs = std::filesystem;

std::string lock_file(const Options& options) {
  return options.project ? lock_of(options.project->settings().file, {}).file : std::string();
}

/// The rules of the project without its lock; says why not.
std::optional<RuleSet> project_rules(const Options& options) {
  if (!options.project) {
    complain(options, "there is no project file; `rules:` of kdiag.yaml names the packs");
    return std::nullopt;
  }
  if (options.rules.empty()) {
    complain(options, "the project file names no packs; `rules:` does");
    return std::nullopt;
  }
  return load_unlocked(options, options.rules);
}

std::string listed(const std::vector<PackEntry>& packs) {
  std::string out;
  for (const PackEntry& pack : packs)
    out += shown_value(pack.name + (pack.version.empty() ? "" : "@" + pack.version)) + " " + pack.hash + " " +
           shown_value(pack.path) + "\n";
  return out;
}

int write_lock(const Options& options, const RuleSet& rules, const std::string& told) {
  const PackLock lock = lock_of(options.project->settings().file, packs_of(rules));
  Options into = options;
  into.output = lock.file;
  if (const int code = print(into, to_json(lock), exit_code::ok); code != exit_code::ok) return code;
  return print(options, told + listed(lock.packs), exit_code::ok);
}

/// The folder of a pack, or its one file.
std::string place_of(const PackEntry& pack) {
  const fs::path path = pack.path;
  return path.filename() == "pack.yaml" ? path.parent_path().string() : path.string();
}

/// The pack of the project that has the name of another version.
std::optional<PackEntry> installed(const Options& options, const PackEntry& wanted) {
  const std::optional<RuleSet> rules = project_rules(options);
  if (!rules) return std::nullopt;
  const auto& packs = packs_of(*rules);
  const auto found =
      std::find_if(packs.begin(), packs.end(), [&](const PackEntry& pack) { return pack.name == wanted.name; });
  if (found != packs.end()) return *found;
  complain(options, "the project has no pack '" + wanted.name + "'; unpack it, and name it under `rules:`");
  return std::nullopt;
}

/// Two versions of a pack, and what the later one changes.
struct Update {
  PackEntry present;
  PackFiles files;
  PackDifference difference;
};

std::optional<Update> find_update(const Options& options, const std::string& path) {
  RuleOptions rules = options.rule_options;
  rules.settings = {};
  const auto refuse = [&](const Diagnostics& why) {
    complain(options, why);
    return std::nullopt;
  };
  const Result<PackFiles> files = read_pack(path, &interrupted);
  if (!files) return refuse(files.error());
  const Result<PackEntry> entry = entry_of(*files, rules);
  if (!entry) return refuse(entry.error());
  const std::optional<PackEntry> present = installed(options, *entry);
  if (!present) return std::nullopt;
  const Result<PackFiles> before = read_pack(place_of(*present), &interrupted);
  if (!before) return refuse(before.error());
  Result<PackDifference> difference = compare_packs(*before, *files, rules);
  if (!difference) return refuse(difference.error());
  return Update{*present, *files, std::move(*difference)};
}

bool own_tests_hold(const PackDifference& difference) {
  return std::all_of(difference.broken.begin(), difference.broken.end(),
                     [](const BrokenTest& test) { return test.earlier; });
}

/// Writes files below a folder that is not there yet.
std::optional<std::string> write_files(const PackFiles& files, const fs::path& folder) {
  for (const auto& [name, text] : files.files) {
    const fs::path path = folder / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    if (error) return "cannot make " + path.parent_path().string() + ": " + error.message();
    if (auto wrong = write_output(text, path.string())) return wrong;
  }
  return std::nullopt;
}

/// Puts files in the place of a pack; the old ones are gone only once the new ones are whole.
std::optional<std::string> replace_pack(const std::string& place, const PackFiles& files) {
  std::error_code error;
  if (!fs::is_directory(place, error)) {
    if (files.files.size() == 1) return write_output(files.files.front().second, place);
    return place + " is one file, and the new version is a folder: unpack it, and name it under `rules:`";
  }
  const OrderlyEnd end;  // what lies aside is removed
  const std::string fresh = place + ".new", old = place + ".old";
  for (const std::string& aside : {fresh, old})
    if (fs::exists(aside, error)) return aside + " is in the way; remove it";
  if (auto wrong = write_files(files, fresh)) {
    fs::remove_all(fresh, error);
    return wrong;
  }
  fs::rename(place, old, error);
  if (!error) fs::rename(fresh, place, error);
  if (error) return "cannot replace " + place + ": " + error.message();
  fs::remove_all(old, error);
  return std::nullopt;
}

}  // namespace

bool holds_lock(const Options& options, const RuleSet& rules) {
  const std::string file = options.only_rules ? std::string() : lock_file(options);
  std::error_code error;
  if (file.empty() || !fs::exists(file, error)) return true;
  const Result<PackLock> lock = load_lock(file, &interrupted);
  const Diagnostics wrong =
      lock ? lock_mistakes(*lock, packs_of(rules), options.given.contains("--rules")) : lock.error();
  if (!wrong.empty()) complain(options, wrong);
  return wrong.empty();
}

int lock_packs(const Options& options) {
  const std::optional<RuleSet> rules = project_rules(options);
  if (!rules) return exit_code::rules;
  if (!options.check) return write_lock(options, *rules, {});
  std::error_code error;
  if (!fs::exists(lock_file(options), error)) {
    complain(options, "there is no " + lock_file(options) + "; `kdiag packs lock` writes it");
    return exit_code::rules;
  }
  return holds_lock(options, *rules) ? print(options, listed(packs_of(*rules)), exit_code::ok) : exit_code::rules;
}

int diff_packs(const Options& options) {
  if (options.files.size() == 1) {
    const std::optional<Update> update = find_update(options, options.files.front());
    return update ? print(options, to_text(update->difference), exit_code::ok) : exit_code::rules;
  }
  RuleOptions rules = options.rule_options;
  rules.settings = {};
  const Result<PackFiles> before = read_pack(options.files[0], &interrupted);
  const Result<PackFiles> after = read_pack(options.files[1], &interrupted);
  for (const auto* side : {&before, &after})
    if (!*side) {
      complain(options, side->error());
      return exit_code::rules;
    }
  const Result<PackDifference> difference = compare_packs(*before, *after, rules);
  if (difference) return print(options, to_text(*difference), exit_code::ok);
  complain(options, difference.error());
  return exit_code::rules;
}

int update_pack(const Options& options) {
  const std::optional<Update> update = find_update(options, options.files.front());
  if (!update) return exit_code::rules;
  std::string told = to_text(update->difference);
  if (!own_tests_hold(update->difference) && !options.force) {
    print(options, told, exit_code::ok);
    complain(options, "tests of the new version fail; --force takes it all the same");
    return exit_code::tests;
  }
  if (!options.write) return print(options, told + "\nNothing was changed. --write takes it.\n", exit_code::ok);
  if (const auto wrong = replace_pack(place_of(update->present), update->files)) {
    complain(options, *wrong);
    return exit_code::usage;
  }
  const std::optional<RuleSet> rules = project_rules(options);
  return rules ? write_lock(options, *rules, told + "\n") : exit_code::rules;
}

}  // namespace kdiag::cli
