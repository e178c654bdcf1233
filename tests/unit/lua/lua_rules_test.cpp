// SPDX-License-Identifier: Apache-2.0
// Lua rules beside others: files, `script:` in packs, switches, tests, explanations; and the same report as the
// language.
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

#include "tests/catch.hpp"
#include "tests/support/lua_rules.hpp"

using namespace kdiag;
using namespace kdiag::tests;
using Catch::Matchers::Contains;

namespace {

const RuleOptions alone{.builtin = false};

/// A folder that is gone at the end.
class Pack {
 public:
  Pack() : path_(std::filesystem::temp_directory_path() / ("kdiag_lua_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_ / "lua");
  }
  ~Pack() { std::filesystem::remove_all(path_); }
  Pack(const Pack&) = delete;
  Pack& operator=(const Pack&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

std::string pack(const std::string& script, const std::string& more = "") {
  return "kdiag: 1\nrules:\n- rule: my.rule\n  title: t\n  for_each: device\n  script: " + script + "\n" + more;
}

const std::string fires_above =
    "return { detect = function(kd) if kd.eval('count(kernels) > $most') then kd.finding{} end end }";
const std::string most = "  params: {most: {type: number, default: 1}}\n";

std::string first_id(const Result<RuleSet>& rules) { return rules ? "none" : rules.error().front().id; }

}  // namespace

TEST_CASE("a rule in YAML is decided by its script", "[lua][api]") {
  const Pack folder;
  folder.write("lua/above.lua", fires_above);
  const std::string path = folder.write("p.yaml", pack("lua/above.lua", most + R"(  tests:
  - facts:
      devices: [{id: 0}]
      kernels: [{name: k, start: 0us+9us*2, dur: 5us, device: 0}]
    expect: fired
  - facts:
      devices: [{id: 0}]
      kernels: [{name: k, start: 0us, dur: 5us, device: 0}]
    expect: clear
  - facts: {devices: [{id: 0}]}
    expect: {inconclusive: {missing: [kernels]}}
  - set: {most: 5}
    facts:
      devices: [{id: 0}]
      kernels: [{name: k, start: 0us+9us*2, dur: 5us, device: 0}]
    expect: clear
)"));
  const auto rules = load_rules(path, alone);
  if (!rules) FAIL(render(rules.error()));
  CHECK(rules->warnings().empty());
  REQUIRE(rules->style().size() == 2);  // no advice; runs Lua
  CHECK(std::any_of(rules->style().begin(), rules->style().end(), [](const Diagnostic& d) { return d.id == "K744"; }));
  const std::string paths[] = {path};
  const auto tested = test_rules(paths, {.builtin = false, .coverage = true});
  if (!tested) FAIL(render(tested.error()));
  CHECK(tested->count(TestStatus::passed) == 4);
  CHECK(tested->coverage->rules.at(0).inconclusive == 1);
  CHECK_THAT(*describe_rule(*rules, "my.rule"), Contains("is decided by the Lua script") && Contains("above.lua"));
  CHECK_THAT(*rule_page(*rules, "my.rule"), Contains("script: lua/above.lua"));
}

TEST_CASE("a script that cannot be used is an error at its name", "[lua][api]") {
  const Pack folder;
  folder.write("lua/good.lua", fires_above);
  folder.write("lua/more.lua", "return { id = 'a.b', detect = function(kd) end }");
  folder.write("lua/nothing.lua", "local x = 1");
  for (const auto& [script, id] : std::initializer_list<std::pair<const char*, const char*>>{
           {"lua/missing.lua", "K740"},
           {"../good.lua", "K740"},
           {"/tmp/good.lua", "K740"},
           {"lua/good.txt", "K740"},
           {"lua/more.lua", "K743"},
           {"lua/nothing.lua", "K743"},
           {"lua/good.lua\n  when: count(kernels) > 1", "K740"}}) {
    CAPTURE(script);
    CHECK(first_id(load_rules(folder.write("p.yaml", pack(script, most)), alone)) == id);
  }
  CHECK(first_id(load_rules_text("p.yaml", pack("lua/good.lua"), alone)) == "K740");
}

TEST_CASE("a script lies in the folder of its pack, where links lead", "[lua][api][hostile]") {
  const Pack folder;
  folder.write("good.lua", fires_above);
  const std::string path = folder.write("lua/p.yaml", pack("far.lua", most));
  std::filesystem::create_symlink("../good.lua", std::filesystem::path(path).replace_filename("far.lua"));
  CHECK(first_id(load_rules(path, alone)) == "K740");
  RuleOptions trusted = alone;
  trusted.imports_outside = true;
  CHECK(first_id(load_rules(path, trusted)) == "none");
}

TEST_CASE("without Lua its rules are refused, built-in ones left out", "[lua][api]") {
  RuleOptions off = alone;
  off.lua = false;
  const Pack folder;
  folder.write("lua/above.lua", fires_above);
  CHECK(first_id(load_rules(folder.write("p.yaml", pack("lua/above.lua", most)), off)) == "K741");
  CHECK(first_id(load_rules_text("t.lua", lua_rule(""), off)) == "K741");
  off.builtin = true;
  const auto rules = builtin_rules(off);
  if (!rules) FAIL(render(rules.error()));
  for (const RuleEntry& rule : list_rules(*rules)) CHECK(rule.id.find("step.") != 0);
}

TEST_CASE("a rule file in Lua has all keys of a rule", "[lua][api]") {
  const auto rules = load_rules_text("t.lua", R"lua(
    return {
      id = "team.many-kernels",
      title = "${count(kernels)} kernels",
      for_each = "device",
      needs = {"kernels.dur"},
      params = {most = 1},
      severity = {{high = "count(kernels) > 2"}, {low = true}},
      impact = "sum(kernels, dur)",
      recommend = {"Launch less.", {text = "Or fuse.", ["if"] = "count(kernels) > 100"}},
      detect = function(kd) if #kd.column("kernels", "dur") > kd.param.most then kd.finding{} end end,
      tests = {
        {name = "three", expect = "fired", severity = "high",
         facts = {devices = {{id = 0}}, kernels = {{name = "k", start = "0us+9us*3", dur = "5us", device = 0}}}},
        {name = "one", expect = "clear",
         facts = {devices = {{id = 0}}, kernels = {{name = "k", start = "0us", dur = "5us", device = 0}}}},
        {name = "none recorded", expect = {inconclusive = {missing = {"kernels.dur"}}},
         facts = {devices = {{id = 0}}}},
      },
    })lua",
                                     alone);
  if (!rules) FAIL(render(rules.error()));
  const auto tested = test_rules(*rules);
  if (!tested) FAIL(render(tested.error()));
  for (const RuleTestResult& test : tested->tests) {
    INFO(test.name << "\n" << test.explanation);
    CHECK(test.status == TestStatus::passed);
  }
  CHECK(tested->tests.size() == 3);
}

TEST_CASE("what is wrong with the table of a rule is said as for YAML", "[lua][api]") {
  struct Case {
    std::string text, id;
  };
  const auto [text, id] = GENERATE(values<Case>({
      {"return {id = 'a.b', title = 't', tittle = 't', detect = function(kd) end}", "K111"},
      {"return {id = 'ab', title = 't', detect = function(kd) end}", "K114"},
      {"return {id = 'a.b', detect = function(kd) end}", "K112"},
      {"return {id = 'a.b', title = 't', impact = 'sum(kernel, dur)', detect = function(kd) end}", "K302"},
      {"return {id = 'a.b', title = 't', needs = {'kernls'}, detect = function(kd) end}", "K302"},
      {"return {id = 'a.b', title = 't'}", "K743"},
      {"return {id = 'a.b', title = 't', detect = 3}", "K743"},
      {"return 3", "K743"},
      {"error('x')", "K743"},
      {"return kd.eval('1')", "K743"},
      {"return {id = 'a.b', title = 't', when = '1 > 0', detect = function(kd) end}", "K740"},
  }));
  CAPTURE(text);
  CHECK(first_id(load_rules_text("t.lua", text, alone)) == id);
}

TEST_CASE("kdiag explain shows what a script read and noted", "[lua][api]") {
  const Pack folder;
  folder.write("lua/above.lua",
               "return { detect = function(kd) kd.note('looked') local n = kd.eval('count(kernels)') end }");
  const auto rules = load_rules(folder.write("p.yaml", pack("lua/above.lua")), alone);
  if (!rules) FAIL(render(rules.error()));
  const auto facts = load_trace(std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json");
  REQUIRE(facts);
  const std::string text = *explain(*facts, *rules, "my.rule");
  CHECK_THAT(text, Contains("CLEAR") && Contains("note looked") && Contains("count(kernels) = "));
}

TEST_CASE("a table that is too large is refused before it is copied", "[lua][api]") {
  const std::string text =
      "local s, t = ('x'):rep(1000000), {} for i = 1, 90000 do t[i] = s end "
      "return {id = 'a.b', title = 't', tags = t, detect = function(kd) end}";
  CHECK(first_id(load_rules_text("t.lua", text, alone)) == "K743");
}

TEST_CASE("a negative default has the type of its number", "[lua][api]") {
  const std::string text =
      "return {id = 'a.b', title = 't', params = {shift = '-5us'}, detect = function(kd) "
      "if kd.param.shift < kd.q(0, 'us') then kd.finding{} end end}";
  const auto rules = load_rules_text("t.lua", text, alone);
  if (!rules) FAIL(render(rules.error()));
  const auto facts = load_trace(std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json");
  REQUIRE(facts);
  CHECK(diagnose(*facts, *rules).findings.size() == 1);
}

TEST_CASE("the language and Lua find the same", "[lua][api]") {
  const Pack folder;
  const std::string head =
      "kdiag: 1\nrules:\n- rule: my.rule\n  title: waits\n  for_each: device\n"
      "  params: {share: {type: ratio, default: 5%}}\n  confidence: 0.8\n"
      "  recommend: [Wait less.]\n";
  const std::string language = folder.write("a.yaml", head +
                                                          "  let: {waits: 'idle where cause == \"host_sync\"'}\n"
                                                          "  when: sum(waits, dur) / run.wall > $share\n"
                                                          "  impact: spans(waits)\n"
                                                          "  evidence: {waited: 'sum(waits, dur)'}\n");
  folder.write("lua/waits.lua", R"(return { detect = function(kd)
    local waited = kd.q(0, "ns")
    for idle in kd.rows("idle", 'cause == "host_sync"') do waited = waited + idle.dur end
    if waited / kd.eval("run.wall") > kd.param.share then
      kd.finding{ impact = kd.spans('idle where cause == "host_sync"'), evidence = { waited = waited } }
    end
  end })");
  const std::string lua = folder.write("b.yaml", head + "  script: lua/waits.lua\n");
  const auto facts = load_trace(std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json");
  REQUIRE(facts);
  const auto report = [&](const std::string& path, unsigned threads) {
    const auto rules = load_rules(path, alone);
    if (!rules) FAIL(render(rules.error()));
    Report out = diagnose(*facts, *rules, {.threads = threads});
    REQUIRE(out.findings.size() == 1);
    out.findings[0].provenance = {};  // file and line differ
    out.packs.clear();                // and so do the texts of the rules
    return to_json(out);
  };
  CHECK(report(language, 1) == report(lua, 1));
  CHECK(report(lua, 1) == report(lua, 4));
}
