// SPDX-License-Identifier: Apache-2.0
// Findings keep their names over recordings of one program.
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "engine/judge/fingerprint.hpp"
#include "tests/catch.hpp"
#include "tests/corpus/faults.hpp"
#include "tests/support/folder.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

/// A table of two kernels, of which the first takes most of the time.
Facts table_of(const std::string& first, int latency = 8000) {
  const auto line = [](const std::string& name, int cycles) {
    std::string out = name;
    out.resize(100, ' ');
    return out + "|" + std::string(11 - std::to_string(cycles).size(), ' ') + std::to_string(cycles) +
           "   0.55    0.20\n";
  };
  std::string head = "Kernel";
  head.resize(105, ' ');
  const std::string text = head + "Latency Tensor   DRAM\n" + line(first, latency) + line("elementwise", 400);
  const auto facts = load_trace("table.txt", text);
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

/// The fingerprint that the one rule of a text gives.
std::string name_by(const std::string& rule, const Facts& facts) {
  const auto rules = load_rules_text("t.yaml", "kdiag: 1\nrules:\n" + rule, {.builtin = false});
  if (!rules) FAIL(render(rules.error()));
  const Report report = diagnose(facts, *rules);
  REQUIRE(report.findings.size() == 1);
  return report.findings[0].fingerprint;
}

const std::string longest =
    "- rule: test.longest\n  title: ${argmax(kernel_stats, total, name)} takes ${max(kernel_stats, total)}\n"
    "  when: count(kernel_stats) > 0\n";
const std::string by_let =
    "- rule: test.by-let\n  title: A kernel takes ${max(kernel_stats, total)}\n"
    "  message: It is ${culprit}.\n  let: {culprit: 'argmax(kernel_stats, total, name)'}\n"
    "  when: count(kernel_stats) > 0\n";
const std::string by_subject =
    "- rule: test.by-subject\n  title: Long\n  for_each: kernel\n  when: sum(kernel_stats, total) > 1us\n";

using Names = std::map<std::string, std::string>;

void add_names(const std::vector<Finding>& findings, Names& names) {
  for (const Finding& finding : findings) {
    names[finding.rule] = finding.fingerprint;
    add_names(finding.symptoms, names);
  }
}

Names names_of(const corpus::Scenario& scenario, std::uint64_t seed, const RuleSet& rules) {
  std::vector<ArchiveFile> files;
  for (corpus::TraceFile& file : scenario.play(seed)) files.push_back({file.name, std::move(file.text)});
  const Folder folder(files);
  const auto facts = load_trace(folder.path());
  REQUIRE(facts);
  Names names;
  add_names(diagnose(*facts, rules).findings, names);
  return names;
}

}  // namespace

TEST_CASE("names lose what another recording or build writes otherwise", "[fingerprint]") {
  CHECK(lasting_name("void gemm<128, 64>(Params)") == "gemm");
  CHECK(lasting_name("ampere_sgemm_128x64_tn") == lasting_name("ampere_sgemm_32x128_tn"));
  CHECK(lasting_name("triton_poi_fused_add_12") == lasting_name("triton_poi_fused_add_3"));
  CHECK(lasting_name("ProfilerStep#7") == lasting_name("ProfilerStep#12"));
  CHECK(lasting_name("graph 0x7f3a9c00") == lasting_name("graph 0x7F11ab20"));
  CHECK(lasting_name("kernel_9f86d081884c7d65") == lasting_name("kernel_60303ae22b998861"));
  CHECK(lasting_name("aten::item") == "aten::item");
  CHECK(lasting_name("aten::add") != lasting_name("aten::mul"));
  CHECK(lasting_name("flash_fwd_fp16") != lasting_name("flash_fwd_fp32"));
  CHECK(lasting_name("decade") == "decade");
}

TEST_CASE("a finding has the name of its culprit, not of its figures", "[fingerprint]") {
  for (const std::string& rule : {longest, by_let, by_subject}) {
    CAPTURE(rule);
    const std::string name = name_by(rule, table_of("gemm"));
    CHECK(name.size() == 19);
    CHECK(name.starts_with("v1:"));
    CHECK(name_by(rule, table_of("gemm", 9000)) == name);
    CHECK(name_by(rule, table_of("void gemm<64, 64>(Params)")) == name);
    CHECK(name_by(rule, table_of("softmax")) != name);
  }
}

TEST_CASE("a rule that was renamed keeps the names of its findings", "[fingerprint]") {
  std::string renamed = longest;
  renamed.replace(renamed.find("test.longest"), 12, "test.other");
  CHECK(name_by(renamed, table_of("gemm")) != name_by(longest, table_of("gemm")));
  CHECK(name_by(renamed + "  replaces: test.longest\n", table_of("gemm")) == name_by(longest, table_of("gemm")));
}

TEST_CASE("findings of simulated faults have the same names in another recording", "[fingerprint][corpus]") {
  const auto rules = builtin_rules();
  REQUIRE(rules);
  std::size_t same = 0;
  std::vector<std::string> others;
  for (corpus::Scenario& scenario : corpus::scenarios(11)) {
    if (scenario.faults.size() != 1) continue;
    if (auto* loop = std::get_if<corpus::Workload>(&scenario.loop)) loop->layers = 8;
    const Names first = names_of(scenario, 11, *rules), second = names_of(scenario, 12, *rules);
    for (const auto& [rule, name] : first)
      if (const auto found = second.find(rule); found == second.end()) continue;
      else if (found->second == name) ++same;
      else others.push_back(scenario.name + ": " + rule);
  }
  CHECK(same >= 60);
  // Its title names the call that holds up the device longest, which is one of two that take as long.
  CHECK(others == std::vector<std::string>{"allocates in every layer: launch.slow-calls"});
}
