// SPDX-License-Identifier: Apache-2.0
// Real databases of Ascend's profiler, against what SQL says of them, and against the text files of another recording
// of the same program.
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <kdiag/kdiag.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

const std::string program = "ascend_msinsight/test/data/pytorch/";

std::string output(const std::string& form, int rank) {
  return shared_trace(program + form + "/level1/rank" + std::to_string(rank) + "_ascend_pt/ASCEND_PROFILER_OUTPUT/");
}
std::string database(int rank) {
  return output("db", rank) + "ascend_pytorch_profiler_" + std::to_string(rank) + ".db";
}

/// Kernels by name, without collectives: their names hold a number of the communicator.
std::map<std::string, int> kernels_by_name(const Facts& facts) {
  std::map<std::string, int> counts;
  const FactStore& store = *facts.loaded().runs.at(0).store;
  for (std::size_t row = 0; row < store.rows(table("kernels")); ++row)
    if (store.text(column("kernels.class"), row) != "communication")
      ++counts[std::string(store.text(column("kernels.name"), row))];
  return counts;
}

const std::string computing = "kernels where class != \"communication\"";

}  // namespace

TEST_CASE("an Ascend database holds what SQL counts in it", "[shared][ascend]") {
  struct Expected {
    int rank;
    // COMPUTE_TASK_INFO with TASK; COMMUNICATION_OP; CANN_API; PYTORCH_API of type 50001 but the step; ns.
    std::int64_t kernel_time, collective_time, calls, ops, step;
  };
  const auto [rank, kernel_time, collective_time, calls, ops, step] =
      GENERATE(Expected{0, 8'903'431, 102'108'100, 710, 859, 151'888'750},
               Expected{1, 8'915'634, 98'590'190, 709, 859, 148'265'420});
  CAPTURE(rank);
  const Facts facts = load_facts(database(rank));
  CHECK(integer_of(facts, "count(" + computing + ")") == 187);
  CHECK(integer_of(facts, "sum(" + computing + ", dur)") == kernel_time);
  CHECK(integer_of(facts, "count(comms)") == 4);
  CHECK(integer_of(facts, "sum(comms, dur)") == collective_time);
  CHECK(integer_of(facts, "count(copies)") == 24);
  CHECK(integer_of(facts, "count(api)") == calls);
  CHECK(integer_of(facts, "count(ops)") == ops);
  CHECK(integer_of(facts, "count(steps)") == 1);
  CHECK(integer_of(facts, "max(steps, dur)") == step);
  CHECK(integer_of(facts, "count(kernels where defined(launch))") == 191);
  CHECK(integer_of(facts, "count(ranks where id == " + std::to_string(rank) + ")") == 1);
  CHECK(integer_of(facts, "count(devices where id == " + std::to_string(rank) + ")") == 1);
}

TEST_CASE("an Ascend database and the text files of the same program agree", "[shared][ascend]") {
  const int rank = GENERATE(0, 1);
  const Facts db = load_facts(database(rank)), text = load_facts(output("text", rank) + "trace_view.json");
  CHECK(kernels_by_name(db) == kernels_by_name(text));
  const auto ratio = [&](const std::string& expression) { return real_of(db, expression) / real_of(text, expression); };
  CHECK(ratio("sum(" + computing + ", dur)") == Approx(1).margin(0.01));
  CHECK(ratio("count(copies)") == 1);
  CHECK(ratio("count(ops)") == 1);
  CHECK(ratio("count(api where is_sync)") == 1);
  CHECK(ratio("sum(comms, bytes)") == 1);
  const std::string shares = "sum(kernels where defined(tensor_util), tensor_util)";
  CHECK(real_of(db, shares) ==
        Approx(real_of(load_facts(output("text", rank) + "kernel_details.csv"), shares)).epsilon(0.01));
  const auto fired = [](const Facts& facts) {
    std::set<std::string> rules;
    for (const Finding& finding : diagnose(facts, *builtin_rules()).findings) rules.insert(finding.rule);
    return rules;
  };
  CHECK(fired(db) == fired(text));
}

TEST_CASE("an Ascend analysis database states what its profiler's database shows", "[shared][ascend]") {
  const int rank = GENERATE(0, 1);
  const Facts db = load_facts(database(rank)), analysis = load_facts(output("db", rank) + "analysis.db");
  const auto phase = [&](const std::string& kind) {
    return integer_of(analysis, "sum(phases where kind == \"" + kind + "\", dur)");
  };
  CHECK(std::abs(phase("kernel") - integer_of(db, "busy(" + computing + ")")) <= 1000);
  CHECK(std::abs(phase("communication") - integer_of(db, "length(spans(comms) - spans(" + computing + "))")) <= 1000);
  CHECK(integer_of(analysis, "count(comms)") == 4);
}

TEST_CASE("a folder of Ascend recordings is one run for each recording, with all ranks", "[shared][ascend]") {
  const Facts facts = load_facts(shared_trace(program));
  REQUIRE(facts.loaded().runs.size() == 2);  // the databases, and half an hour earlier the text files
  for (const RunFacts& run : facts.loaded().runs) {
    CAPTURE(run.label);
    const FactStore& store = *run.store;
    CHECK(store.rows(table("ranks")) == 2);
    CHECK(store.rows(table("devices")) == 2);
    CHECK(store.rows(table("steps")) == 2);
    CHECK(store.rows(table("kernels")) == 2 * 191);
    CHECK(store.rows(table("comms")) == 2 * 4);
    CHECK(store.rows(table("copies")) == 2 * 24);
  }
  // Each text recording alone gives the account that its timeline gives.
  const Facts timeline = load_facts(output("text", 0) + "trace_view.json");
  const Facts recording = load_facts(shared_trace(program + "text/level1/rank0_ascend_pt"));
  REQUIRE(recording.loaded().runs.size() == 1);
  for (const char* value : {"run.wall", "busy(kernels)", "sum(kernel_stats, total)", "sum(api_stats, calls)"})
    CHECK(integer_of(recording, value) == integer_of(timeline, value));
}
