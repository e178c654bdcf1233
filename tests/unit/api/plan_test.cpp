// SPDX-License-Identifier: Apache-2.0
// A plan asks for what was taken away from a trace, and what it names settles the rules that it names.
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/plan.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

const std::string root = KDIAG_SOURCE_DIR;

/// The bundled trace without the lines that hold a text, which are events or arguments of one.
std::string trace_without(const std::string& part) {
  std::ifstream file(root + "/examples/traces/item_storm.json");
  std::string out;
  for (std::string line; std::getline(file, line);)
    if (part.empty() || line.find(part) == std::string::npos) out += line + "\n";
  return out;
}

Report judged(const std::string& trace, const std::vector<std::string>& plan_for = {}) {
  static const RuleSet rules = *builtin_rules();
  const Result<Facts> facts = load_trace("trace.json", std::span<const char>(trace));
  if (!facts) FAIL(render(facts.error()));
  return diagnose(*facts, rules, {.plan_for = plan_for});
}

std::set<std::string> undecided(const Report& report) {
  std::set<std::string> rules;
  for (const OutcomeEntry& entry : report.outcomes)
    if (entry.outcome == Outcome::inconclusive) rules.insert(entry.rule);
  return rules;
}

/// What the recording of PyTorch's profiler is to settle.
std::set<std::string> settled_by_torch(const Report& report, std::string& command) {
  std::set<std::string> rules;
  if (!report.plan) return rules;
  for (const PlannedRecording& one : report.plan->runs.at(0).recordings)
    if (one.command.find("torch.profiler") != std::string::npos) {
      rules.insert(one.settles.begin(), one.settles.end());
      command = one.command;
    }
  return rules;
}

}  // namespace

TEST_CASE("a plan asks for exactly what a trace lacks, and having it settles the rules", "[api][plan]") {
  struct Cut {
    const char* part;     ///< lines of the trace that go
    const char* setting;  ///< what the plan must ask for
  };
  const Cut cut = GENERATE(Cut{"\"cuda_runtime\"", "ProfilerActivity.CUDA"},
                           Cut{"\"python_function\"", "with_stack=True"}, Cut{"\"cpu_op\"", "ProfilerActivity.CPU"});
  CAPTURE(cut.part);
  const std::set<std::string> open_before = undecided(judged(trace_without("")));
  const Report report = judged(trace_without(cut.part));
  std::string command;
  const std::set<std::string> settled = settled_by_torch(report, command);
  std::set<std::string> lost;
  for (const std::string& rule : undecided(report))
    if (!open_before.contains(rule)) lost.insert(rule);
  std::set<std::string> again;
  for (const std::string& rule : settled)
    if (!open_before.contains(rule)) again.insert(rule);
  CHECK(again == lost);
  if (!lost.empty()) CHECK(command.find(cut.setting) != std::string::npos);
}

TEST_CASE("a plan for a rule holds that rule alone", "[api][plan]") {
  const Report all = judged(trace_without("\"cuda_runtime\""));
  REQUIRE(all.plan);
  const std::string rule = all.plan->runs.at(0).recordings.at(0).settles.at(0);
  const Report one = judged(trace_without("\"cuda_runtime\""), {rule});
  REQUIRE(one.plan);
  REQUIRE(one.plan->runs.size() == 1);
  CHECK(one.plan->runs[0].open.empty());
  REQUIRE(one.plan->runs[0].recordings.size() == 1);
  CHECK(one.plan->runs[0].recordings[0].settles == std::vector<std::string>{rule});
}

TEST_CASE("a plan is text, JSON and Markdown", "[api][plan]") {
  const Report report = judged(trace_without("\"cuda_runtime\""));
  const std::string text = plan_text(report);
  CAPTURE(text);
  CHECK(text.find("    Run     ") != std::string::npos);
  CHECK(text.find("    Settles") != std::string::npos);
  CHECK(plan_text(report, {.ascii = true}).find_first_of("\x80\xc2\xe2") == std::string::npos);
  CHECK(plan_json(report).starts_with("{\n  \"schema\": \"kdiag.plan/1\""));
  CHECK(plan_markdown(report).find("```\n") != std::string::npos);
  CHECK(to_text(report).find("kdiag plan") != std::string::npos);
  const Report nothing;
  CHECK(plan_text(nothing).starts_with("Nothing to record"));
  CHECK(plan_json(nothing).find("\"plans\": []") != std::string::npos);
}
