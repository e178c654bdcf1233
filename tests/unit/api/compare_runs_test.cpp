// SPDX-License-Identifier: Apache-2.0
// Two simulated training runs, from their bytes to the report of their comparison.
#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <kdiag/compare.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/corpus/workload.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/json_tree.hpp"

using namespace kdiag;

namespace {

Facts simulated(const corpus::Workload& workload, std::uint64_t seed) {
  const std::string text = corpus::simulate(workload, seed).front().text;
  Result<Facts> facts = load_trace("run.json", std::span<const char>(text.data(), text.size()));
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

corpus::Workload healthy() {
  corpus::Workload workload;
  workload.steps = 12;
  workload.layers = 6;
  return workload;
}

const RuleSet& rules() {
  static const Result<RuleSet> loaded = builtin_rules();
  return *loaded;
}

Report compared(const Facts& normal, const Facts& abnormal, const CompareOptions& options = {}) {
  Result<Report> report = compare({normal, abnormal}, rules(), options);
  if (!report) FAIL(render(report.error()));
  return std::move(*report);
}

const FindingChange* fate_of(const Comparison& comparison, const std::string& rule) {
  const auto found = std::find_if(comparison.finding_changes.begin(), comparison.finding_changes.end(),
                                  [&](const FindingChange& fate) { return fate.rule == rule; });
  return found == comparison.finding_changes.end() ? nullptr : &*found;
}

std::int64_t delta_of(const Comparison& comparison, const std::string& line) {
  const auto found = std::find_if(comparison.decomposition.begin(), comparison.decomposition.end(),
                                  [&](const DecompositionEntry& part) { return part.name == line; });
  return found == comparison.decomposition.end() ? 0 : found->delta_ns;
}

}  // namespace

TEST_CASE("two recordings of one healthy loop are neutral", "[compare][api]") {
  const Report report = compared(simulated(healthy(), 1), simulated(healthy(), 2));
  const Comparison& comparison = *report.comparison;
  CHECK(comparison.verdict == Verdict::neutral);
  CHECK(comparison.cycle.basis == CycleBasis::steps);
  CHECK(comparison.nature == Nature::none);
  CHECK(comparison.comparability.score > 0.9);
  CHECK(report.runs.size() == 2);
  CHECK(report.runs[0].id == comparison.abnormal);
  CHECK(report.runs[1].id == comparison.normal);
  CHECK(report.runs[1].role == RunRole::baseline);
  CHECK(report.inputs[1].role == RunRole::baseline);
}

TEST_CASE("a loop that begins to read values back is a regression by its waiting", "[compare][api]") {
  corpus::Workload reading = healthy();
  reading.reads_per_step = 6;
  reading.costs.sync_latency = 400'000;
  const Facts good = simulated(healthy(), 1), bad = simulated(reading, 2);

  const Report report = compared(good, bad);
  const Comparison& worse = *report.comparison;
  CHECK(worse.verdict == Verdict::regression);
  CHECK(worse.cycle.p.value_or(1) < 0.01);
  REQUIRE_FALSE(worse.finding_changes.empty());
  CHECK((worse.finding_changes.front().fate == Fate::appeared ||
         worse.finding_changes.front().fate == Fate::worse));  // what came, ahead of what stayed
  CHECK(delta_of(worse, "idle.host_sync") > worse.decomposed.delta_ns / 2);
  CHECK(worse.nature == Nature::work);
  REQUIRE(fate_of(worse, "host.sync-stall") != nullptr);
  CHECK(fate_of(worse, "host.sync-stall")->fate == Fate::appeared);
  CHECK(std::all_of(report.findings.begin(), report.findings.end(), [](const Finding& f) { return f.run == "A"; }));

  // The other way round it is a fix that can be verified.
  const Report fixed = compared(bad, good);
  CHECK(fixed.comparison->verdict == Verdict::improvement);
  const FindingChange* fate = fate_of(*fixed.comparison, "host.sync-stall");
  REQUIRE(fate != nullptr);
  CHECK(fate->fate == Fate::gone);
  CHECK(fate->verified == true);
  CHECK(fate->after_ns == 0);
  CHECK(*fate->achieved_ns == *fate->before_ns);
  CHECK(fate->predicted_high_ns.value_or(0) > 0);
}

TEST_CASE("kernels that take longer are the same work at another cost", "[compare][api]") {
  corpus::Workload slow = healthy();
  slow.gemm = slow.gemm * 3 / 2;
  const Report report = compared(simulated(healthy(), 1), simulated(slow, 2));
  const Comparison& comparison = *report.comparison;
  CHECK(comparison.verdict == Verdict::regression);
  CHECK(comparison.nature == Nature::cost);
  const auto compute = std::find_if(comparison.decomposition.begin(), comparison.decomposition.end(),
                                    [](const DecompositionEntry& part) { return part.name == "compute"; });
  REQUIRE(compute != comparison.decomposition.end());
  const auto per_call = std::find_if(compute->parts.begin(), compute->parts.end(),
                                     [](const DecompositionEntry& part) { return part.name == "per_call"; });
  REQUIRE(per_call != compute->parts.end());
  CHECK(per_call->delta_ns > compute->delta_ns * 9 / 10);
  CHECK_FALSE(per_call->verdict.has_value());
  for (const DecompositionEntry& part : comparison.decomposition) {
    CAPTURE(part.name, part.delta_ns);
    CHECK(part.verdict == (part.name == "compute" ? Verdict::regression : Verdict::neutral));
  }
  REQUIRE_FALSE(comparison.changes.empty());
  CHECK(comparison.changes[0].kind == ChangeKind::kernel);
  CHECK(comparison.changes[0].change == ChangeWay::slower);
}

TEST_CASE("reports of comparisons keep to the schema and do not depend on the number of threads", "[compare][api]") {
  corpus::Workload reading = healthy();
  reading.reads_per_step = 6;
  reading.costs.sync_latency = 400'000;
  const Facts good = simulated(healthy(), 1), bad = simulated(reading, 2);
  CompareOptions one, four;
  one.threads = 1;
  four.threads = 4;
  const std::string text = to_json(compared(good, bad, one));
  CHECK(text == to_json(compared(good, bad, four)));
  const auto schema = tests::parse_json(tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/docs/report.schema.json"));
  const auto document = tests::parse_json(text);
  REQUIRE(schema);
  REQUIRE(document);
  CHECK(tests::schema_errors(*schema, *document) == std::vector<std::string>{});
  CHECK(document->at("comparison").at("verdict").text == "regression");
}

TEST_CASE("an anchor that is no range of both runs is an error", "[compare][api]") {
  CompareOptions options;
  options.anchor = "Scheduler.run_batch";
  const Result<Report> report = compare({simulated(healthy(), 1), simulated(healthy(), 2)}, rules(), options);
  REQUIRE_FALSE(report);
  CHECK(report.error().front().id == "K694");
}

TEST_CASE("a side is one run, and one input alone holds two", "[compare][api]") {
  const std::string example = std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json";
  const Result<Sides> both = load_sides(example);
  REQUIRE_FALSE(both);
  CHECK(both.error().front().id == "K733");
  CHECK(both.error().front().title.find("holds 1 run") != std::string::npos);
  const std::string twice[] = {example, example};
  const Result<Sides> doubled = load_sides({&example, 1}, twice);
  REQUIRE_FALSE(doubled);
  CHECK(doubled.error().front().title.find("the abnormal side holds 2 runs") != std::string::npos);
  // Recordings of the normal run are several, unless they lie in one file.
  CHECK(load_sides(twice, {&example, 1}));
  const std::string two_runs = std::string(KDIAG_SOURCE_DIR) + "/tests/golden/adapters/tb_plugin/two_runs.in";
  const Result<Sides> one_file = load_sides(two_runs, example);
  REQUIRE_FALSE(one_file);
  CHECK(one_file.error().front().title.find("the normal side holds 2 runs") != std::string::npos);
  const Result<Sides> good = load_sides({&example, 1}, {&example, 1});
  REQUIRE(good);
  CHECK(compared(good->normal, good->abnormal).comparison->verdict == Verdict::neutral);
}

TEST_CASE("names in a folder of both sides say which is the normal one", "[compare][api]") {
  corpus::Workload reading = healthy();
  reading.reads_per_step = 6;
  reading.costs.sync_latency = 400'000;
  const std::string good = corpus::simulate(healthy(), 1).front().text;
  const std::string bad = corpus::simulate(reading, 2).front().text;
  const auto compared_folder = [&](const std::string& of_good, const std::string& of_bad) {
    const tests::Folder folder({{of_good + "/run.json", good, {}}, {of_bad + "/run.json", bad, {}}});
    const Result<Sides> sides = load_sides(folder.path());
    if (!sides) FAIL(render(sides.error()));
    return compared(sides->normal, sides->abnormal);
  };
  const auto warned = [](const Report& report) {
    return std::any_of(report.inputs.begin(), report.inputs.end(), [](const InputEntry& input) {
      return std::any_of(input.notes.begin(), input.notes.end(), [](const NoteEntry& n) { return n.id == "K734"; });
    });
  };
  for (const auto& [of_good, of_bad] : {std::pair("normal", "abnormal"), std::pair("before", "after"),
                                        std::pair("good", "bad"), std::pair("base", "test"), std::pair("old", "new")}) {
    const Report report = compared_folder(of_good, of_bad);
    CAPTURE(of_good, of_bad);
    CHECK(report.comparison->verdict == Verdict::regression);
    CHECK_FALSE(warned(report));
  }
  const Report unnamed = compared_folder("b", "a");
  CHECK(unnamed.comparison->verdict == Verdict::improvement);
  CHECK(warned(unnamed));
}

TEST_CASE("a host that asks to stop gets the abnormal run, as far as it was judged", "[api][compare]") {
  const std::atomic<bool> stop{true};
  const Facts run = simulated(healthy(), 3);
  const Report report = compared(run, run, {.cancel = &stop});
  CHECK_FALSE(report.comparison);
  CHECK(report.findings.empty());
  CHECK(std::all_of(report.outcomes.begin(), report.outcomes.end(),
                    [](const OutcomeEntry& outcome) { return outcome.outcome == Outcome::failed; }));
  CHECK(report.runs.size() == 1);
}

TEST_CASE("a text without a limit of its width, and one with too little, can be laid out", "[api][compare][report]") {
  const Facts run = simulated(healthy(), 3);
  const Report report = compared(run, run);
  CHECK(to_text(report, {.width = std::numeric_limits<std::size_t>::max()}).find("NEUTRAL") != std::string::npos);
  CHECK(to_text(report, {.width = 0}).find("NEUTRAL") != std::string::npos);
}

TEST_CASE("sides with no folder in common keep their whole names", "[compare][report]") {
  Report report = compared(simulated(healthy(), 1), simulated(healthy(), 2));
  report.inputs[0].path = "/data/today.json";
  report.inputs[1].path = "yesterday.json";
  const std::string text = to_text(report, {.width = 200});
  CHECK(text.find("yesterday.json (normal) · /data/today.json (abnormal)") != std::string::npos);
}
