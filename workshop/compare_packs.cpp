// SPDX-License-Identifier: Apache-2.0
// What a new version of a pack changes, shown before it is taken.
#include <kdiag/error_ids.hpp>
#include <kdiag/file_reader.hpp>
#include <kdiag/packs.hpp>
#include <kdiag/refusal_ids.hpp>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/diagnostic.hpp"
#include "base/escape.hpp"
#include "base/interrupt.hpp"
#include "engine/ruleset/pack_hash.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "ingest/reading.hpp"
#include "packs/rule_files.hpp"
#include "packs/tests_of_rule.hpp"
#include "workshop/rule_difference.hpp"
#include "workshop/run_rule_test.hpp"

namespace kdiag {
namespace {

/// One version, checked, with the file that stands for the pack.
struct Version {
  RuleSet rules;
  std::shared_ptr<const RuleFile> pack;
  PackEntry entry;
};

/// The files as a host keeps them, below their name.
Shared<FileReader> reader_of(const PackFiles& files) {
  auto texts = std::make_shared<std::map<std::string, std::string>>();
  for (const auto& [name, text] : files.files) texts->emplace(files.name + "/" + name, text);
  auto reader = std::make_shared<FileReader>();
  reader->read = [texts](const std::string& path) -> std::optional<std::string> {
    const auto found = texts->find(path);
    return found == texts->end() ? std::nullopt : std::optional(found->second);
  };
  return std::shared_ptr<const FileReader>(std::move(reader));
}

/// What a host names of a pack: the files beside its pack.yaml. Test files of their own are left out.
std::vector<std::string> named_paths(const PackFiles& files) {
  std::vector<std::string> out;
  for (const auto& [name, text] : files.files)
    if (name.find('/') == std::string::npos && (name.ends_with(".yaml") || name.ends_with(".yml")))
      out.push_back(files.name + "/" + name);
  if (out.empty() && !files.files.empty()) out.push_back(files.name + "/" + files.files.front().first);
  return out;
}

Result<Version> load_version(const PackFiles& files, RuleOptions options) {
  options.files = reader_of(files);
  options.incubating = true;
  Result<RuleSet> rules = load_rules(named_paths(files), options);
  if (!rules) return rules.error();
  const auto& loaded = rules->loaded().files;
  const auto pack = std::find_if(loaded.begin(), loaded.end(), [](const auto& file) { return !file->builtin; });
  if (pack == loaded.end())
    return load_error(refusal_id::no_pack, visible(files.name) + " holds no rules",
                      "A pack is a folder with a pack.yaml.");
  for (const Diagnostic& warning : rules->warnings())
    if (warning.id == error_id::other_engine) {
      Diagnostic error = warning;
      error.level = Level::error;
      return Diagnostics{std::move(error)};
    }
  return Version{*rules, *pack, packs_of(*rules).front()};
}

const Rule* rule_of(const Version& version, const std::string& id) {
  for (const Rule& rule : version.pack->rules)
    if (rule.id == id) return &rule;
  return nullptr;
}

std::vector<RuleDifference> rule_differences(const Version& before, const Version& after) {
  std::map<std::string, RuleDifference> out;
  for (const Rule& rule : before.pack->rules) {
    const Rule* now = rule_of(after, rule.id);
    if (now == nullptr) out[rule.id] = {rule.id, RuleDifference::Kind::removed, {}};
    else if (auto changes = rule_changes(rule, *now); !changes.empty())
      out[rule.id] = {rule.id, RuleDifference::Kind::changed, std::move(changes)};
  }
  for (const Rule& rule : after.pack->rules)
    if (rule_of(before, rule.id) == nullptr)
      out[rule.id] = {rule.id, RuleDifference::Kind::added, {rule.summary.empty() ? title_text(rule) : rule.summary}};
  std::vector<RuleDifference> list;
  for (auto& [id, difference] : out) list.push_back(std::move(difference));
  return list;
}

/// Runs the tests of one version's rules by the rules of another, as far as it still has them. Returns how many.
std::size_t run_tests(const Version& of, const Version& by, bool earlier, RuleTestRunner& runner,
                      std::vector<BrokenTest>& broken) {
  std::size_t count = 0;
  for (const Rule& rule : of.pack->rules) {
    if (rule_of(by, rule.id) == nullptr) continue;
    for (const RuleTest& test : tests_of(rule)) {
      ++count;
      BrokenTest found{.rule = rule.id, .test = test.name, .earlier = earlier, .reasons = {}};
      const Result<RuleTestResult> result = runner.run(test, by.rules);
      if (!result) found.reasons.push_back("it cannot be run: " + result.error().front().title);
      else if (result->status == TestStatus::failed)
        for (const TestMismatch& mismatch : result->mismatches)
          found.reasons.push_back("expected " + mismatch.expected + ", got " + mismatch.got);
      if (!found.reasons.empty()) broken.push_back(std::move(found));
    }
  }
  return count;
}

std::string version_phrase(const PackEntry& pack) { return pack.version.empty() ? "without a version" : pack.version; }

}  // namespace

Result<PackEntry> entry_of(const PackFiles& files, const RuleOptions& options) {
  const Result<Version> version = load_version(files, options);
  return version ? Result<PackEntry>(version->entry) : Result<PackEntry>(version.error());
}

Result<PackDifference> compare_packs(const PackFiles& before, const PackFiles& after, const RuleOptions& options) {
  const Result<Version> old_version = load_version(before, options);
  if (!old_version) return old_version.error();
  const Result<Version> new_version = load_version(after, options);
  if (!new_version) return new_version.error();
  PackDifference out;
  out.before = old_version->entry;
  out.after = new_version->entry;
  out.rules = rule_differences(*old_version, *new_version);
  out.definitions = changed_definitions(old_version->pack->defines, new_version->pack->defines);
  try {
    RuleTestRunner runner(nullptr, {.cancel = options.cancel});
    out.earlier_tests = run_tests(*old_version, *new_version, true, runner, out.broken);
    out.own_tests = run_tests(*new_version, *new_version, false, runner, out.broken);
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "comparing the packs was interrupted");
  }
  return out;
}

std::string to_text(const PackDifference& difference) {
  std::vector<std::string> lines;
  const std::string before = version_phrase(difference.before), after = version_phrase(difference.after);
  lines.push_back(difference.after.name + ": " + before + " -> " + after);
  if (difference.before.hash == difference.after.hash) lines.push_back("  the same files");
  for (const RuleDifference& rule : difference.rules) {
    const char* word = rule.kind == RuleDifference::Kind::added     ? "  added    "
                       : rule.kind == RuleDifference::Kind::removed ? "  removed  "
                                                                    : "  changed  ";
    const bool added = rule.kind == RuleDifference::Kind::added;
    lines.push_back(word + rule.rule + (added ? ": " + rule.changes.front() : ""));
    if (!added)
      for (const std::string& change : rule.changes) lines.push_back("           - " + change);
  }
  for (const std::string& name : difference.definitions) lines.push_back("  changed  define " + name);
  const auto held = [&](bool earlier, std::size_t all) {
    const auto broken =
        static_cast<std::size_t>(std::count_if(difference.broken.begin(), difference.broken.end(),
                                               [earlier](const BrokenTest& test) { return test.earlier == earlier; }));
    return std::to_string(all - broken) + " of " + std::to_string(all);
  };
  lines.push_back("  tests    hold with the rules of " + after + ": " + held(true, difference.earlier_tests) + " of " +
                  before + ", " + held(false, difference.own_tests) + " of " + after);
  for (const BrokenTest& test : difference.broken) {
    lines.push_back("           - " + test.rule + ", '" + test.test + "' of " + (test.earlier ? before : after));
    for (const std::string& reason : test.reasons) lines.push_back("             " + reason);
  }
  return joined_lines(lines);
}

}  // namespace kdiag
