// SPDX-License-Identifier: Apache-2.0
// Inputs that state the phases of steps: which finding explains a line of their account.
#include <kdiag/facts_builder.hpp>
#include <kdiag/kdiag.hpp>

#include <map>
#include <string>
#include <utility>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

Facts facts_of_phases() {
  FactsBuilder builder("plugin");
  FactRows& rows = builder.rows();
  const Row step = rows.add("steps");
  rows.set(step, "dur", std::int64_t{1000});
  for (const auto& [kind, dur] : {std::pair{"kernel", 500}, {"dataloader", 300}, {"cpu", 200}}) {
    const Row phase = rows.add("phases");
    rows.set(phase, "step", step);
    rows.set(phase, "kind", kind);
    rows.set(phase, "dur", std::int64_t{dur});
    rows.set(phase, "device", rows.device(0, {}));
  }
  Result<Facts> facts = std::move(builder).build();
  REQUIRE(facts);
  return *facts;
}

/// The rule of each line of the account, by rules with these impacts.
std::map<std::string, std::string> explained(const std::string& first, const std::string& second) {
  const auto rules = load_rules_text("t.yaml",
                                     "kdiag: 1\nrules:\n"
                                     "- {rule: t.first, title: a, for_each: device, when: true, impact: '" +
                                         first +
                                         "'}\n"
                                         "- {rule: t.second, title: b, for_each: device, when: true, impact: '" +
                                         second + "'}\n",
                                     {.builtin = false});
  REQUIRE(rules);
  const Report report = diagnose(facts_of_phases(), *rules);
  REQUIRE(report.ledger.size() == 1);
  CHECK(report.ledger[0].basis == LedgerBasis::phases);
  std::map<std::string, std::string> out;
  for (const LedgerLine& line : report.ledger[0].lines)
    if (!line.rule.empty()) out[line.name] = line.rule;
  return out;
}

}  // namespace

TEST_CASE("a line of stated phases names the first finding whose impact is its time", "[api][ledger]") {
  using Lines = std::map<std::string, std::string>;
  const std::string loading = "sum(phases where kind == \"dataloader\", dur)",
                    host = "sum(phases where kind == \"cpu\", dur)";
  CHECK(explained(loading, host) == Lines{{"idle.data_loading", "t.first"}, {"idle.launch", "t.second"}});
  CHECK(explained(host, host) == Lines{{"idle.launch", "t.first"}});
  CHECK(explained("sum(phases, dur)", "150ns") == Lines{});
}

TEST_CASE("an account of stated phases adds up to the wall, also where a kind is missing", "[api][ledger]") {
  FactsBuilder builder("plugin");
  FactRows& rows = builder.rows();
  const Row device = rows.device(0, {});
  const auto phase = [&](std::string_view kind, std::int64_t dur) {
    const Row row = rows.add("phases");
    if (!kind.empty()) rows.set(row, "kind", kind);
    rows.set(row, "dur", dur);
    rows.set(row, "device", device);
  };
  phase("kernel", 500);
  phase("", 200);
  const Result<Facts> facts = std::move(builder).build();
  REQUIRE(facts);
  const Report report = diagnose(*facts, *builtin_rules());
  REQUIRE(report.ledger.size() == 1);
  std::map<std::string, std::int64_t> lines;
  for (const LedgerLine& line : report.ledger[0].lines) lines[line.name] = line.ns;
  CHECK(report.ledger[0].wall_ns == 700);
  CHECK(lines == std::map<std::string, std::int64_t>{{"compute", 500}, {"idle.unknown", 200}});
}
