// SPDX-License-Identifier: Apache-2.0
// Rule files as a whole: defines, imports, overrides, status; and what each wrong one says.
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

#include "base/regex.hpp"
#include "dsl/rule_file.hpp"
#include "engine/language/plan_text.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag {
namespace {

std::string shown(const Diagnostics& diagnostics) {
  return diagnostics.empty() ? "no problems\n" : render(diagnostics);
}

/// What loading a file says that stands alone; of files called so, what it says to authors.
std::string messages(const std::string& name, const std::string& text) {
  const auto rules = load_rules_text("t.yaml", text);
  if (!rules) return shown(rules.error());
  return shown(name.starts_with("style") ? rules->style() : rules->warnings());
}

std::vector<std::string> ids(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& diagnostic : diagnostics) out.push_back(diagnostic.id);
  return out;
}

RuleSet loaded(const std::string& text, const RuleOptions& options = {}) {
  auto rules = load_rules_text("t.yaml", text, options);
  if (!rules) FAIL(render(rules.error()));
  return *rules;
}

/// Runs the tests inside the rules of a text.
void hold(const std::string& text, std::size_t tests, const RuleOptions& options = {}) {
  const auto report = test_rules(loaded(text, options));
  if (!report) FAIL(render(report.error()));
  std::size_t own = 0;
  for (const RuleTestResult& result : report->tests) {
    if (result.file != "t.yaml") continue;  // of the built-in rules
    ++own;
    INFO(result.name << "\n" << result.explanation);
    CHECK(result.status == TestStatus::passed);
  }
  CHECK(own == tests);
}

/// A folder of rule files that is gone at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::temp_directory_path() / ("kdiag_rules_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_ / "sub");
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string path(const std::string& name) const { return (path_ / name).string(); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  Result<RuleSet> load(std::initializer_list<std::string> names, const RuleOptions& options = {}) const {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(path(name));
    return load_rules(paths, options);
  }

 private:
  std::filesystem::path path_;
};

/// "main.yaml:2:10 K117" for each.
std::vector<std::string> places(const Diagnostics& diagnostics) {
  std::vector<std::string> out;
  for (const Diagnostic& diagnostic : diagnostics) {
    const Span& span = diagnostic.labels.at(0).span;
    const Position at = position_of(*span.source, span.offset);
    out.push_back(std::filesystem::path(span.source->name).filename().string() + ":" + std::to_string(at.line) + ":" +
                  std::to_string(at.column) + " " + diagnostic.id);
  }
  return out;
}

std::string rule(const std::string& id, const std::string& when = "count(kernels) > 3") {
  return "- rule: " + id + "\n  title: t\n  when: " + when + "\n";
}

const RuleOptions alone{.builtin = false, .set = {}};

}  // namespace

TEST_CASE("checking says what is wrong with rules", "[api][rules][golden]") {
  tests::check_golden_folder("check", ".out", messages);
}

TEST_CASE("built-in rules that are not judged are checked when they are asked for", "[api][rules]") {
  const auto rules = builtin_rules();
  REQUIRE(rules);
  const auto facts = load_trace(std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json");
  REQUIRE(facts);
  const auto explained = explain(*facts, *rules, "comm.small-messages");
  REQUIRE(explained);
  CHECK(explained->find("it has no condition") == std::string::npos);
  CHECK(rule_page(*rules, "comm.small-messages")->find("## Tests\n\n|") != std::string::npos);
}

TEST_CASE("loading rules ends when the host wants it to", "[api][rules]") {
  const std::atomic<bool> cancel{true};
  const RuleOptions options{.cancel = &cancel};
  CHECK(builtin_rules(options).error().front().id == "K690");
  CHECK(load_rules_text("t.yaml", "kdiag: 1\nrules: []\n", options).error().front().id == "K690");
  CHECK(load_rules_text("t.yaml", "kdiag: 1\nrules: []\n", {.builtin = false, .cancel = &cancel}).error().size() == 1);
}

TEST_CASE("a setting of a rule that is not judged is checked and stays in force", "[api][rules]") {
  CHECK(builtin_rules({.set = {{"comm.small-messages.no_such", "1"}}}).error().front().id == "K304");
  const auto rules = builtin_rules({.set = {{"comm.small-messages.share", "77%"}}});
  REQUIRE(rules);
  CHECK(describe_rule(*rules, "comm.small-messages")->find("77%") != std::string::npos);
}

TEST_CASE("rules that are not judged are listed with their summaries", "[api][rules]") {
  for (const RuleEntry& rule : list_rules(*builtin_rules())) {
    CAPTURE(rule.id);
    CHECK_FALSE(rule.summary.empty());
  }
}

void compile_patterns(const PlanPtr& plan, std::size_t& count) {
  if (!plan) return;
  if (plan->regex) {
    std::string why;
    CAPTURE(plan->regex->pattern());
    CHECK(compile_regex(plan->regex->pattern(), plan->regex->ignore_case(), why));
    ++count;
  }
  for (const PlanPtr& arg : plan->args) compile_patterns(arg, count);
}

TEST_CASE("the patterns of built-in rules are good: they are compiled when they are used", "[api][rules]") {
  const auto rules = builtin_rules({.incubating = true});
  REQUIRE(rules);
  std::size_t count = 0;
  for (const PlanPtr& define : rules->loaded().library.defines) compile_patterns(define, count);
  for (const CheckedRule& rule : rules->loaded().rules) {
    for (const PlanPtr& let : rule.lets) compile_patterns(let, count);
    const auto compile = [&](const PlanPtr& plan) { compile_patterns(plan, count); };
    for_each_plan(rule, compile);
    for_each_plan(rule.finding(), compile);
  }
  CHECK(count > 20);
}

std::string text_of(const CheckedTemplate& text) {
  std::string out;
  for (const CheckedTemplate::Piece& piece : text.pieces)
    out += piece.hole ? "${" + text_of(*piece.hole) + "}" : piece.literal;
  return out;
}

/// Every expression of a finding as it is written, with its names.
std::vector<std::string> written(const CheckedFinding& finding) {
  std::vector<std::string> out;
  for (const auto* sentences : {&finding.title, &finding.message})
    for (const CheckedSentence& sentence : *sentences) out.push_back(text_of(sentence.text));
  for_each_plan(finding, [&](const PlanPtr& plan) { out.push_back(plan ? text_of(*plan) : ""); });
  for (const auto& [name, plan] : finding.evidence) out.push_back(name);
  for (const auto& [condition, reason] : finding.except) out.push_back(reason);
  if (finding.one_off) out.push_back(finding.one_off->what);
  for (const CheckedRecommendation& advice : finding.recommend) {
    out.push_back(advice.source->risk + advice.source->url + advice.source->where);
    out.push_back(advice.verify ? text_of(*advice.verify) : "");
  }
  return out;
}

TEST_CASE("what a built-in rule says is the same whether it is checked at once or when it fires", "[api][rules]") {
  const auto rules = builtin_rules();
  REQUIRE(rules);
  std::size_t late = 0;
  for (const CheckedRule& rule : rules->loaded().comparing().rules) {
    if (rule.rule->parts != RuleParts::decision) continue;
    CAPTURE(rule.rule->id);
    ++late;
    REQUIRE_FALSE(rule.late_finding->early());
    const CheckedRule* const whole = rules->loaded().complete().find(rule.rule->id);
    REQUIRE(whole->late_finding->early());
    CHECK(written(rule.finding()) == written(whole->finding()));
    CHECK(rule.lets.size() <= whole->lets.size());
  }
  CHECK(late > 30);
}

TEST_CASE("rules that compare are read when there is something to compare", "[api][rules]") {
  const auto rules = builtin_rules();
  REQUIRE(rules);
  const auto parts = [](const LoadedRules& loaded) { return loaded.find("changed.cpu-contention")->rule->parts; };
  CHECK(parts(rules->loaded()) == RuleParts::compared);
  CHECK(parts(rules->loaded().comparing()) == RuleParts::decision);
  CHECK(parts(rules->loaded().complete()) == RuleParts::whole);
  CHECK(&rules->loaded().comparing() == &rules->loaded().comparing().comparing());
  CHECK(rules->size() == RuleSet(complete_rules(rules->share())).size());
}

TEST_CASE("defines of packs that compare can be named by queries and by rules of the user", "[api][rules]") {
  const auto facts = load_trace(std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json");
  REQUIRE(facts);
  const auto rules = builtin_rules();
  REQUIRE(rules);
  CHECK(rules->loaded().defines->values.count("step_time") == 0);
  CHECK(query(*facts, *rules, "step_time > 0s"));
  CHECK(query_help(*rules, "step_time").find("define step_time") == 0);
  CHECK(load_rules_text("t.yaml", "kdiag: 1\nrules:\n- {rule: my.one, title: t, when: step_time > 1s}\n"));
}

TEST_CASE("a rule of a pack that compares is not applicable to a run alone", "[api][rules]") {
  const auto rules = load_rules_text("t.yaml",
                                     "kdiag: 1\npack: {name: mine, compares: true}\nrules:\n"
                                     "- {rule: my.more, title: t, when: 'default(count(kernels) > 0, true)'}\n",
                                     {.builtin = false});
  REQUIRE(rules);
  const auto facts = load_trace(std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json");
  REQUIRE(facts);
  const Report alone = diagnose(*facts, *rules);
  CHECK(alone.tally.not_applicable == 1);
  CHECK(alone.outcomes.front().reason == "there is nothing to compare with");
  CHECK(diagnose(*facts, *rules, {.baseline = *facts}).tally.fired == 1);
}

TEST_CASE("a rule that compares devices asks for a baseline before it asks for devices", "[api][rules]") {
  const auto rules = load_rules_text("t.yaml",
                                     "kdiag: 1\npack: {name: mine, compares: true}\nrules:\n"
                                     "- {rule: my.more, title: t, for_each: device, when: count(kernels) > 0}\n",
                                     {.builtin = false});
  REQUIRE(rules);
  const std::string host_alone = R"({"traceEvents": [
    {"ph": "X", "cat": "cpu_op", "name": "aten::add", "pid": 1, "tid": 1, "ts": 1, "dur": 5}]})";
  const auto facts = load_trace("host.json", std::span<const char>(host_alone));
  REQUIRE(facts);
  const Report alone = diagnose(*facts, *rules);
  CHECK(alone.tally.not_applicable == 1);
  CHECK(alone.tally.inconclusive == 0);
}

TEST_CASE("a change of one built-in rule reads its pack whole, the others as before", "[api][rules]") {
  const auto rules = builtin_rules({.set = {{"host.sync-stall.share", "3%"}}});
  REQUIRE(rules);
  const auto parts = [&](std::string_view id) { return rules->loaded().find(id)->rule->parts; };
  CHECK(parts("host.sync-stall") == RuleParts::whole);
  CHECK(parts("copy.exposed") == RuleParts::decision);
}

TEST_CASE("a rule of which there is an outline alone says why it cannot be had", "[engine][rules]") {
  const auto file_of = [](const std::string& text) {
    Diagnostics diagnostics;
    return std::make_shared<RuleFile>(
        parse_rule_file(std::make_shared<const Source>(Source{"pack.yaml", text}), diagnostics, "1.0"));
  };
  const auto whole = file_of("kdiag: 1\nrules:\n- {rule: a.b, title: t, when: no_such > 1}\n");
  const auto outlined = std::make_shared<RuleFile>(*whole);
  outlined->rules.front().parts = RuleParts::outline;
  outlined->rules.front().status = RuleStatus::incubating;
  outlined->whole = [whole] { return whole; };
  const auto rules = check_rules({outlined}, {});
  REQUIRE(rules);
  CHECK((*rules)->complete().find("a.b")->when == nullptr);
  CHECK((*rules)->completion_errors().front().id == "K302");
}

TEST_CASE("what a user adds to a rule that is not judged is checked", "[api][rules]") {
  const auto rules = load_rules_text("t.yaml",
                                     "kdiag: 1\noverrides:\n- rule: comm.small-messages\n  append:\n    except:\n"
                                     "    - {when: no_such > 3, reason: x}\n");
  REQUIRE_FALSE(rules);
  CHECK(rules.error().front().id == "K302");
}

TEST_CASE("a define with parameters is bound anew for each use", "[api][rules][define]") {
  hold(R"(kdiag: 1
define:
- name: tiny
  params: {limit: {type: time, default: 10us, doc: Longest.}}
  expr: kernels where dur < limit
- name: tiny_share
  params: {limit: time}
  type: ratio
  expr: count(tiny(limit)) / count(kernels)
- name: short
  params: {d: time, cut: time}
  expr: d < cut
rules:
- rule: my.uses
  title: ${tiny_share(20us)}
  for_each: device
  params: {cut: {type: time, default: 6us}}
  let:
    longest: max(kernels, dur)
  when: |
    count(tiny) == 1 and count(tiny()) == 1 and count(tiny(20us)) == 2 and tiny_share(20us) == 2 / 3
    and count(kernels where short(dur, $cut)) == 1
    and count(tiny(longest)) == 2 and count(tiny(0)) == 0
    and sum(kernels group by (name) select (n = count(), t = max(dur)) where short(t, 20us), n) == 2
  tests:
  - facts: {kernels: [{name: a, dur: 5us, device: 0}, {name: b, dur: 15us, device: 0}, {name: c, dur: 25us, device: 0}]}
    expect: fired
)",
       1, alone);
}

TEST_CASE("names of rows do not leak between lets, defines and conditions", "[api][rules][define][join]") {
  hold(R"(kdiag: 1
define:
- name: outlasted             # by a memset, while there is a copy longer than `limit`
  params: {limit: time}
  expr: exists(copies as c where exists(memsets where dur > c.dur and c.dur > limit))
rules:
- rule: my.names
  title: t
  for_each: device
  let:
    k: count(kernels as k where k.dur > 5us)
    shorter: count(kernels as y where exists(memsets where outlasted(y.dur)))
    with_copies: count(kernels as x where exists(copies where start >= x.start and start < x.end))
  when: |
    count(kernels as k where exists(copies where with_copies == 2 and start >= k.start and start < k.end)) == 2
    and k == 2
    and shorter == 1
  tests:
  - facts:
      devices: [{id: 0}]
      kernels: [{name: a, start: 0us, dur: 6us, device: 0}, {name: b, start: 10us, dur: 3us, device: 0}, {name: c, start: 20us, dur: 9us, device: 0}]
      copies: [{start: 1us, dur: 4us, device: 0}, {start: 11us, dur: 1us, device: 0}]
      memsets: [{start: 30us, dur: 7us, device: 0}]
    expect: fired
)",
       1, alone);
}

TEST_CASE("imports bring defines and rules, each file once", "[api][rules][import]") {
  const Folder folder;
  folder.write(
      "common.yaml",
      "kdiag: 1\nimport: [./main.yaml, sub/deep.yaml]\ndefine:\n- {name: few, expr: count(kernels) < 3}\nrules:\n" +
          rule("common.rule"));
  folder.write("sub/deep.yaml", "kdiag: 1\nimport: ../common.yaml\nrules:\n" + rule("deep.rule", "few"));
  folder.write("main.yaml", "kdiag: 1\nimport: [std, ./common.yaml, common.yaml, ./sub/../common.yaml]\nrules:\n" +
                                rule("main.rule", "few"));
  for (const auto& names : {std::vector<std::string>{"main.yaml"}, {"main.yaml", "common.yaml", "main.yaml"}}) {
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(folder.path(name));
    const auto rules = load_rules(paths, alone);
    if (!rules) FAIL(render(rules.error()));
    CHECK(rules->size() == 3);
    CHECK(shown(rules->warnings()) == "no problems\n");
  }
}

TEST_CASE("imports that cannot be followed are errors at their place", "[api][rules][import]") {
  const Folder folder;
  folder.write("common.yaml", "kdiag: 1\nrules:\n" + rule("common.rule", "cont(kernels) > 3"));
  folder.write("main.yaml", "kdiag: 1\nimport: [./comon.yaml, st, sub, ./sub, common.yaml]\n");
  const auto rules = folder.load({"main.yaml"}, alone);
  REQUIRE_FALSE(rules);
  CHECK(places(rules.error()) == std::vector<std::string>{"common.yaml:5:9 K303", "main.yaml:2:10 K117",
                                                          "main.yaml:2:24 K117", "main.yaml:2:28 K117",
                                                          "main.yaml:2:33 K117"});
  CHECK(rules.error()[1].labels[0].text == "did you mean '" + folder.path("common.yaml") + "'?");
}

TEST_CASE("imports stay below the folders of the named files, where links lead", "[api][rules][import][hostile]") {
  const Folder folder;
  folder.write("sub/main.yaml", "kdiag: 1\nimport: [../common.yaml]\nrules:\n" + rule("main.rule", "few"));
  folder.write("sub/link.yaml", "kdiag: 1\nimport: [./shortcut.yaml]\nrules:\n" + rule("main.rule", "few"));
  folder.write("common.yaml", "kdiag: 1\ndefine:\n- {name: few, expr: count(kernels) < 3}\n");
  std::filesystem::create_symlink("../common.yaml", folder.path("sub/shortcut.yaml"));
  std::filesystem::create_directory_symlink(".", folder.path("sub/here"));
  folder.write("sub/round.yaml", "kdiag: 1\nimport: [here/here/part.yaml]\nrules:\n" + rule("main.rule", "few"));
  folder.write("sub/part.yaml", "kdiag: 1\ndefine:\n- {name: few, expr: count(kernels) < 3}\n");
  RuleOptions trusted = alone;
  trusted.imports_outside = true;
  for (const char* name : {"sub/main.yaml", "sub/link.yaml"}) {
    CAPTURE(name);
    const auto refused = folder.load({name}, alone);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().front().id == "K119");
    CHECK(refused.error().front().help.find("--allow-imports-outside") != std::string::npos);
    CHECK(folder.load({name}, trusted));
    CHECK(folder.load({name, "common.yaml"}, alone));  // named by the user
  }
  CHECK(folder.load({"sub/round.yaml"}, alone));
}

TEST_CASE("a file that is not there lies in the folder of rules that were named by a relative path",
          "[api][rules][import]") {
  const Folder folder;
  folder.write("main.yaml", "kdiag: 1\nimport: [./nothere.yaml]\nrules: []\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path("."));
  const auto rules = load_rules({"main.yaml"}, alone);
  std::filesystem::current_path(before);
  REQUIRE_FALSE(rules);
  CHECK(rules.error().front().id == "K117");
}

TEST_CASE("a file that rules name and that is no rule file is not shown", "[api][rules][import][hostile]") {
  const Folder folder;
  folder.write("secret.txt", "password: hunter2\n");
  folder.write("main.yaml", "kdiag: 1\nimport: [./secret.txt, sub/../secret.txt, ./link.yaml]\nrules: []\n");
  std::filesystem::create_symlink("secret.txt", folder.path("link.yaml"));
  for (const bool outside : {false, true}) {
    RuleOptions options = alone;
    options.imports_outside = outside;
    const auto rules = folder.load({"main.yaml"}, options);
    REQUIRE_FALSE(rules);
    CHECK(rules.error().front().id == "K117");
    CHECK(render(rules.error()).find("hunter2") == std::string::npos);
  }
  CHECK(render(folder.load({"secret.txt"}, alone).error()).find("hunter2") != std::string::npos);  // its owner asks
}

TEST_CASE("devices and pipes that rules name are not read", "[api][rules][import][hostile]") {
  const Folder folder;
  REQUIRE(::mkfifo(folder.path("pipe.yaml").c_str(), 0600) == 0);
  folder.write("main.yaml", "kdiag: 1\nimport: [./pipe.yaml]\nrules: []\n");
  const auto rules = folder.load({"main.yaml"}, alone);
  REQUIRE_FALSE(rules);
  CHECK(rules.error().front().title == "'./pipe.yaml' is no ordinary file");
  RuleOptions trusted = alone;
  trusted.imports_outside = true;
  folder.write("zero.yaml", "kdiag: 1\nimport: [/dev/zero]\nrules: []\n");
  CHECK(folder.load({"zero.yaml"}, trusted).error().front().title == "'/dev/zero' is no ordinary file");
}

TEST_CASE("a pack for another kdiag is passed over, whatever it says", "[api][rules][import]") {
  const Folder folder;
  folder.write(
      "new.yaml",
      "kdiag: 2\npack: {name: new, engine: \">=99.1\", signed: x}\nlemmas: [a]\nimport: [./gone.yaml]\nrules: {}\n");
  folder.write("old.yaml", "kdiag: 1\npack: {name: old, engine: \">=0.0, <0.1\"}\nrules:\n" + rule("old.rule", "1"));
  folder.write("now.yaml", "kdiag: 1\npack: {name: now, engine: \">=0.1, <99.0.1\"}\nrules:\n" + rule("now.rule"));
  folder.write("main.yaml", "kdiag: 1\nimport: [./new.yaml, ./old.yaml, ./now.yaml]\nrules:\n" + rule("main.rule"));
  const auto rules = folder.load({"main.yaml"}, alone);
  if (!rules) FAIL(render(rules.error()));
  CHECK(rules->size() == 2);
  REQUIRE(rules->warnings().size() == 2);
  CHECK(rules->warnings()[0].title == "pack 'new' needs kdiag >=99.1: its rules were left out");
  CHECK(rules->warnings()[1].title == "pack 'old' needs kdiag >=0.0, <0.1: its rules were left out");
  for (const char* bounds : {"0.3", ">0.3", ">=0", ">=0.1.2.3", ">=0.1,", "<x", ""}) {
    const auto wrong = load_rules_text(
        "t.yaml", "kdiag: 1\npack: {name: p, engine: \"" + std::string(bounds) + "\"}\nrules: []\n", alone);
    CAPTURE(bounds);
    REQUIRE_FALSE(wrong);
    CHECK(wrong.error()[0].id == "K113");
  }
}

TEST_CASE("overrides change rules of other files", "[api][rules][override]") {
  const std::string change = R"(kdiag: 1
overrides:
- rule: gpu.low-utilization
  set: {params: {floor: 40%, least: 5%}, severity: low}
  append:
    except: [{when: device_busy > $floor / 2, reason: good enough here}]
    recommend: ["Ask ${device.name}."]
    tags: [ours, theirs]
)";
  const Folder folder;
  folder.write("a.yaml", change);
  folder.write(
      "b.yaml",
      "kdiag: 1\nimport: [./a.yaml]\noverrides:\n- {rule: gpu.low-utilization, set: {params: {floor: 30%}}}\n");
  RuleOptions options;
  options.set = {{"gpu.low-utilization.least", "7%"}};
  const auto rules = folder.load({"b.yaml", "a.yaml"}, options);  // b imports a, and so comes behind it
  if (!rules) FAIL(render(rules.error()));
  const std::string about = describe_rule(*rules, "gpu.low-utilization").value();
  CAPTURE(about);
  CHECK(about.find("floor = 30%") < about.find("changed by"));
  CHECK(about.find("least = 7%") < about.find("changed by"));
  CHECK(about.find("a.yaml:4: floor = 40%") != std::string::npos);
  CHECK(about.find("b.yaml:4: floor = 30%") != std::string::npos);
  CHECK(about.find("a.yaml:3: severity") != std::string::npos);
  CHECK(about.find("a.yaml:3: more exceptions") != std::string::npos);
  CHECK(about.find("--set gpu.low-utilization.least:1: least = 7%") != std::string::npos);

  const std::string json = R"({"schemaVersion": 1, "traceEvents": [
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 0, "dur": 10, "args": {"device": 0, "stream": 7}},
    {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 90, "dur": 10, "args": {"device": 0, "stream": 7}}]})";
  const auto facts = load_trace("t.json", std::span<const char>(json.data(), json.size()));
  REQUIRE(facts);
  const auto outcome_of = [&](const RuleSet& set) {
    const Report report = diagnose(*facts, set);
    for (const OutcomeEntry& entry : report.outcomes)
      if (entry.rule == "gpu.low-utilization") return std::string(name_of(entry.outcome)) + " " + entry.reason;
    return std::string("not judged");
  };
  CHECK(outcome_of(*rules) == "clear good enough here");  // 20 % busy
  const Report fired =
      diagnose(*facts, *folder.load({"a.yaml"}, {.builtin = true, .set = {{"gpu.low-utilization.floor", "50%"}}}));
  REQUIRE(fired.findings.size() == 2);  // trace.too-short stands first
  CHECK(fired.findings[1].severity == Severity::low);
  CHECK(fired.findings[1].recommendations.back().text.starts_with("Ask "));
  CHECK(outcome_of(loaded("kdiag: 1\noverrides:\n- {rule: gpu.low-utilization, set: {enabled: false}}\n")) ==
        "not judged");
  // Without the built-in rules there is nothing to change, and nothing to complain of.
  CHECK(shown(loaded(change, alone).warnings()) == "no problems\n");
}

TEST_CASE("incubating rules are judged when asked for", "[api][rules][status]") {
  const std::string text = R"(kdiag: 1
rules:
- rule: my.young
  title: t
  status: incubating
  when: count(kernels) > $n
  params: {n: {type: number, default: 0}}
  tests:
  - {facts: {kernels: [{name: a, dur: 5us, device: 0}]}, expect: fired}
  - {facts: {kernels: [{name: a, dur: 5us, device: 0}]}, set: {n: 1}, expect: clear}
)";
  RuleOptions all = alone;
  all.incubating = true;
  CHECK(loaded(text, alone).size() == 0);
  CHECK(loaded(text, all).size() == 1);
  CHECK(loaded(text + "overrides:\n- {rule: my.young, set: {enabled: true}}\n", alone).size() == 1);
  CHECK(loaded(text + "overrides:\n- {rule: my.young, set: {enabled: false}}\n", all).size() == 0);
  CHECK(describe_rule(loaded(text, alone), "my.young").value().find("--incubating") != std::string::npos);
  CHECK(to_text(list_rules(loaded(text, alone))).find("my.young") != std::string::npos);
  hold(text, 2, alone);
}

TEST_CASE("a rule is found by an id that it had before", "[api][rules][replaces]") {
  const std::string text =
      "kdiag: 1\nrules:\n- {rule: my.new, title: t, when: count(kernels) > $n, replaces: [my.old, my.older],"
      " params: {n: {type: number, default: 3}}}\n";
  RuleOptions options = alone;
  options.set = {{"my.older.n", "5"}};
  const RuleSet rules = loaded(text, options);
  CHECK(places(rules.warnings()) == std::vector<std::string>{"--set my.older.n:1:1 K403"});
  const std::string about = describe_rule(rules, "my.old").value();
  CHECK(about.starts_with("my.old is now called my.new.\nmy.new "));
  CHECK(about.find("n = 5") != std::string::npos);
}

TEST_CASE("facts under requires must be there for the subject", "[api][rules][requires]") {
  hold(R"(kdiag: 1
rules:
- rule: my.needs
  title: t
  for_each: device
  requires: [kernels.start, devices.sm_clock_avg, copies, "samples:sm_clock"]
  applies: device.id < 5
  when: count(kernels) > 0
  tests:
  - name: all there
    facts:
      devices: [{id: 0, sm_clock_avg: 1GHz}]
      kernels: [{name: a, start: 0us, dur: 5us, device: 0}, {name: b, dur: 5us, device: 0}]
      copies: []
      samples: [{series: sm_clock, device: 0, time: 0us, value: 210MHz}]
    expect: fired
  - name: one is missing
    facts:
      devices: [{id: 0, sm_clock_avg: 1GHz}]
      kernels: [{name: a, dur: 5us, device: 0}]
      copies: []
      samples: [{series: sm_clock, device: 0, time: 0us, value: 210MHz}]
    expect: {inconclusive: {missing: [kernels.start]}}
  - name: recorded and empty is there
    facts:
      devices: [{id: 0, sm_clock_avg: 1GHz}]
      kernels: []
      copies: []
      samples: [{series: sm_clock, device: 0, time: 0us, value: 210MHz}]
    expect: clear
  - name: all are missing
    facts: {devices: [{id: 0}]}
    expect: {inconclusive: {missing: [kernels.start, devices.sm_clock_avg, copies, "samples:sm_clock"]}}
  - name: of another device
    facts:
      devices: [{id: 0, sm_clock_avg: 1GHz}, {id: 1}]
      kernels: [{name: a, start: 0us, dur: 5us, device: 0}, {name: a, start: 0us, dur: 5us, device: 1}]
      copies: []
      samples: [{series: sm_clock, device: 0, time: 0us, value: 210MHz}, {series: sm_clock, device: 1, time: 0us, value: 210MHz}]
    expect: fired
  - name: what does not apply needs nothing
    facts: {devices: [{id: 7}]}
    expect: not_applicable
)",
       6, alone);
}

TEST_CASE("authors are told what a finished rule has, users are not", "[api][rules][lint]") {
  const RuleSet bare = loaded(
      "kdiag: 1\nrules:\n- {rule: my.bare, title: t, when: count(kernels) > 20 and count(ops) > 1 or run.wall > 3s}\n",
      alone);
  CHECK(bare.warnings().empty());
  CHECK(places(bare.style()) == std::vector<std::string>{"t.yaml:3:10 K420", "t.yaml:3:10 K421", "t.yaml:3:10 K422",
                                                         "t.yaml:3:52 K423", "t.yaml:3:88 K423"});
  for (const Diagnostic& note : bare.style()) CHECK(note.level == Level::note);
  const RuleSet symptom =
      loaded("kdiag: 1\nrules:\n- {rule: my.symptom, title: t, role: symptom, when: count(kernels) > 0}\n", alone);
  CHECK(ids(symptom.style()) == std::vector<std::string>{"K420", "K422"});
  const RuleSet health =
      loaded("kdiag: 1\nrules:\n- {rule: my.health, title: t, role: health, when: count(kernels) > 0}\n", alone);
  CHECK(ids(health.style()) == std::vector<std::string>{"K422"});
  CHECK(shown(builtin_rules()->style()) == "no problems\n");
}

TEST_CASE("a name counts as used wherever it is", "[api][rules][lint]") {
  const std::string defines =
      "kdiag: 1\ndefine:\n- {name: a, expr: count(kernels)}\n- {name: b, expr: a + 1}\n"
      "- {name: c, params: {n: number, m: number}, expr: b + n}\n- {name: d, expr: a}\n";
  const std::string rules = "rules:\n" + rule("my.first", "c(3, 4) > $low") + rule("my.second", "count(ops) > 3");
  CHECK(places(loaded(defines, alone).warnings()) == std::vector<std::string>{"t.yaml:5:33 K401"});  // a library
  CHECK(places(loaded(defines + "params: {low: {type: number, default: 3}, high: {type: number, default: 4}}\n" + rules,
                      alone)
                   .warnings()) ==
        std::vector<std::string>{"t.yaml:5:33 K401", "t.yaml:6:10 K401", "t.yaml:7:43 K401"});
}

}  // namespace kdiag
