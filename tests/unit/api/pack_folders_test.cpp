// SPDX-License-Identifier: Apache-2.0
// Packs that are folders, as users name them: the folder, a rule file in it, its tests, or all of these.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/file_reader.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

#include "tests/catch.hpp"
#include "tests/support/folder.hpp"

namespace kdiag {
namespace {

using Words = std::vector<std::string>;

const std::string pack =
    "kdiag: 1\npack: {name: site}\nparams:\n  few: {type: number, default: 3}\n"
    "define:\n- {name: many, expr: count(kernels) > 100}\n";
const std::string busy = "kdiag: 1\nrule: site.busy\ntitle: t\nwhen: many\nexplains: [site.idle]\n";
const std::string idle = "kdiag: 1\nrule: site.idle\ntitle: t\nwhen: count(kernels) < $few\n";

std::string tests_of(const std::string& rule, const std::string& expect) {
  return "kdiag_test: 1\nrule: " + rule + "\ntests:\n- name: no kernel\n  facts: {kernels: []}\n  expect: " + expect +
         "\n";
}

const std::vector<tests::ArchiveFile> site = {
    {"site/pack.yaml", pack},
    {"site/busy.yaml", busy},
    {"site/idle.yaml", idle},
    {"site/tests/busy.yaml", tests_of("site.busy", "clear")},
    {"site/tests/idle.yaml", tests_of("site.idle", "fired")},
    {"site/tests/together.yaml",
     "kdiag_test: 1\nrules: [..]\ntests:\n- name: both\n  facts: {kernels: []}\n"
     "  expect: {clear: [site.busy], findings: [{rule: site.idle}]}\n"},
};

/// The rules of the user's that are judged.
Words rules_of(const Result<RuleSet>& rules) {
  if (!rules) FAIL(render(rules.error()));
  Words out;
  for (const RuleEntry& rule : list_rules(*rules))
    if (rule.pack == "site") out.push_back(rule.id);
  return out;
}

/// The tests that run when these paths are named.
Words tests_run(const std::vector<std::string>& paths) {
  RuleTestOptions options;
  const auto report = test_rules(paths, options);
  if (!report) FAIL(render(report.error()));
  Words out;
  for (const RuleTestResult& result : report->tests) {
    CHECK(result.status == TestStatus::passed);
    out.push_back(result.name + " of " + result.rules.front());
  }
  return out;
}

TEST_CASE("a folder with a pack.yaml is named as a rule file is", "[api]") {
  const tests::Folder folder(site);
  const Words both = {"site.busy", "site.idle"};
  CHECK(rules_of(load_rules(folder.path("site"))) == both);
  CHECK(rules_of(load_rules(folder.path("site") + "/")) == both);
  CHECK(rules_of(load_rules(folder.path("site/pack.yaml"))) == both);
  CHECK(rules_of(load_rules(folder.path())) == both);
  CHECK(rules_of(load_rules({folder.path("site"), folder.path("site/idle.yaml")})) == both);
  CHECK(rules_of(load_rules({folder.path("site/idle.yaml"), folder.path("site/busy.yaml")})) == both);
}

TEST_CASE("a rule file of a pack brings its pack along, of which only that rule is judged", "[api]") {
  const tests::Folder folder(site);
  CHECK(rules_of(load_rules(folder.path("site/busy.yaml"))) == Words{"site.busy"});
  CHECK(rules_of(load_rules(folder.path("site/idle.yaml"))) == Words{"site.idle"});
}

TEST_CASE("what only other rules of a pack use is no unused name where one rule is named", "[api]") {
  const tests::Folder folder(site);
  for (const char* const named : {"site", "site/busy.yaml", "site/idle.yaml"}) {
    const auto rules = load_rules(folder.path(named));
    if (!rules) FAIL(render(rules.error()));
    INFO(named);
    CHECK(rules->warnings().empty());
  }
}

TEST_CASE("the tests of a pack are found wherever it is named", "[api]") {
  const tests::Folder folder(site);
  const Words idle_only = {"no kernel of site.idle"};
  CHECK(tests_run({folder.path("site/idle.yaml")}) == idle_only);
  CHECK(tests_run({folder.path("site/tests/idle.yaml")}) == idle_only);
  CHECK(tests_run({folder.path("site/tests/idle.yaml"), folder.path("site/idle.yaml")}) == idle_only);
  const Words all = {"no kernel of site.busy", "no kernel of site.idle", "both of site.idle"};
  CHECK(tests_run({folder.path("site")}) == all);
  CHECK(tests_run({folder.path("site/tests")}) == all);
  CHECK(tests_run({folder.path("site/pack.yaml")}) == Words{"no kernel of site.busy", "no kernel of site.idle"});
}

TEST_CASE("a file with one rule finds its tests without a pack", "[api]") {
  const tests::Folder folder({{"one/idle.yaml",
                               "kdiag: 1\npack: {name: site}\nrule: site.idle\ntitle: t\n"
                               "when: count(kernels) < 3\n"},
                              {"one/tests/idle.yaml", tests_of("site.idle", "fired")}});
  CHECK(rules_of(load_rules(folder.path("one/idle.yaml"))) == Words{"site.idle"});
  CHECK(tests_run({folder.path("one/tests/idle.yaml")}) == Words{"no kernel of site.idle"});
  CHECK(tests_run({folder.path()}) == Words{"no kernel of site.idle"});
}

TEST_CASE("tests of one rule without its rule file say what is missing", "[api]") {
  const tests::Folder folder({{"tests/idle.yaml", tests_of("site.idle", "fired")}});
  const std::string path = folder.path("tests/idle.yaml");
  const auto report = test_rules(std::vector<std::string>{path}, {});
  REQUIRE_FALSE(report);
  CHECK(report.error().front().id == "K311");
}

TEST_CASE("a pack is imported by its folder, and nothing outside comes along", "[api]") {
  std::vector<tests::ArchiveFile> files = site;
  files.push_back({"main.yaml", "kdiag: 1\nimport: [./site]\nrules: []\n"});
  files.push_back({"far/main.yaml", "kdiag: 1\nimport: [../site]\nrules: []\n"});
  files.push_back({"none.yaml", "kdiag: 1\nimport: [./empty]\nrules: []\n"});
  files.push_back({"empty/notes.txt", ""});
  files.push_back({"linked/pack.yaml", "", "../site/pack.yaml"});
  files.push_back({"linked/idle.yaml", idle});
  files.push_back({"link.yaml", "kdiag: 1\nimport: [./linked/idle.yaml]\nrules: []\n"});
  const tests::Folder folder(files);
  CHECK(rules_of(load_rules(folder.path("main.yaml"))) == Words{"site.busy", "site.idle"});
  const auto id_of = [&](const char* name) {
    const auto rules = load_rules(folder.path(name));
    return rules ? "none" : rules.error().front().id;
  };
  CHECK(id_of("far/main.yaml") == "K119");
  CHECK(id_of("none.yaml") == "K117");
  CHECK(id_of("link.yaml") == "K304");  // the rule is there, the parameters of another folder's pack.yaml are not
}

TEST_CASE("a version of a built-in pack takes its place", "[api][lua]") {  // some of its rules are scripts
  const std::string rules = std::string(KDIAG_SOURCE_DIR) + "/rules/";
  const auto count = [](const Result<RuleSet>& set) {
    if (!set) FAIL(render(set.error()));
    return set->size();
  };
  const std::size_t builtin = count(builtin_rules());
  CHECK(count(load_rules(rules + "launch")) == builtin);
  CHECK(count(load_rules(rules)) == builtin);
  CHECK(count(load_rules(rules + "launch/tiny_kernels.yaml")) < builtin);
}

TEST_CASE("of a host's files a pack is what the host names, and its pack.yaml", "[api]") {
  RuleOptions options;
  options.files =
      std::make_shared<const FileReader>(FileReader{.read = [](const std::string& path) -> std::optional<std::string> {
        for (const tests::ArchiveFile& file : site)
          if (file.name == path) return file.content;
        return {};
      }});
  CHECK(rules_of(load_rules("site/idle.yaml", options)) == Words{"site.idle"});
}

}  // namespace
}  // namespace kdiag
