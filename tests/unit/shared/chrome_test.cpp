// SPDX-License-Identifier: Apache-2.0
// Real traces in the Trace Event Format beside the repository, against figures taken from their JSON by other means.
#include <string>

#include <kdiag/fleet.hpp>
#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using tests::real_of;
using tests::shared_trace;

TEST_CASE("a pipeline timeline gives its ranks and their stages' times", "[shared]") {
  const Facts facts = tests::load_facts(shared_trace("bytedance_straggler/data/timeline-ST.json.gz"));
  CHECK(real_of(facts, "count(annotations)") == 6784);
  CHECK(real_of(facts, "count(ranks)") == 8);
  CHECK(real_of(facts, "count(annotations where kind == \"communication\")") == 4224);
  // Sums of the events' durations in the file: data-parallel rank 0, first and last stage.
  const auto forward = [&](int rank) {
    return real_of(facts, "sum(annotations where name == \"forward-compute\" and thread.rank.id == " +
                              std::to_string(rank) + ", dur)");
  };
  CHECK(forward(0) == Approx(8'602'332'443.0).margin(128));  // each of 128 is rounded to ns
  CHECK(forward(6) == Approx(17'848'901'749.0).margin(128));
  CHECK(forward(7) == Approx(17'913'478'345.0).margin(128));
}

TEST_CASE("a file of many workers is judged as a fleet, as its publishers did", "[shared]") {
  // Slowdown of the result files beside them, M_W and M_S of the mw and ms files. AR has one slow worker, ST a long
  // last stage.
  const auto [name, slowdown, by_workers, by_stage] = GENERATE(table<std::string, double, double, double>(
      {{"bytedance_straggler/data/timeline-ST.json.gz", 1.1787021836556841, 0.031404269124045224, 1.2193563788811714},
       {"reviewed/bytedance_straggler/data/timeline-AR.json.gz", 1.9730450967262543, 1.0017012777290497,
        -0.00121196404622606}}));
  INFO(name);
  const std::string path = shared_trace(name);
  const Result<Fleet> fleet = load_fleet({&path, 1});
  REQUIRE(fleet);
  CHECK(fleet->unreadable.empty());
  const auto of = [&](const std::string& kind, const std::string& what) {
    return real_of(fleet->facts, "max(outliers where kind == \"" + kind + "\", " + what + ")");
  };
  CHECK(of("run", "observed") / of("run", "expected") == Approx(slowdown).epsilon(0.001));
  CHECK(of("ranks", "cost") / of("run", "cost") == Approx(by_workers).epsilon(0.02));
  const bool stage = real_of(fleet->facts, "count(outliers where kind == \"stage\")") > 0;
  CHECK((stage ? of("stage", "cost") / of("run", "cost") : 0) == Approx(by_stage).epsilon(0.02).margin(0.002));
  CHECK(real_of(fleet->facts, "count(outliers where kind == \"rank\")") == (by_workers > 0.5 ? 1 : 0));
}

TEST_CASE("odd and broken traces are repaired", "[shared]") {
  // Beginnings and complete events of each file, less those that state no duration.
  const auto [name, ranges] = GENERATE(table<std::string, int>({{"bex-interaction", 12},
                                                                {"end-event-with-empty-stack", 1},
                                                                {"end-non-top-of-stack", 3},
                                                                {"event-reordering-name-match", 3},
                                                                {"hermes-multiple-frames", 4},
                                                                {"invalid-x-nesting", 2},
                                                                {"matching-x", 5},
                                                                {"mismatched-args", 1},
                                                                {"mismatched-name", 1},
                                                                {"multi-thread-with-samples", 2},
                                                                {"multiprocess", 8},
                                                                {"must-retain-original-order", 7},
                                                                {"not-enough-end-events", 3},
                                                                {"only-begin-events", 3},
                                                                {"out-of-order-unbalanced-name", 2},
                                                                {"out-of-order", 3},
                                                                {"simple-hermes", 2},
                                                                {"simple-object", 2},
                                                                {"simple-partial-trailing-comma", 3},
                                                                {"simple-partial-whitespace", 3},
                                                                {"simple-partial", 3},
                                                                {"simple", 3},
                                                                {"simultaneous-anonymous-calls", 6},
                                                                {"too-many-end-events", 2},
                                                                {"unbalanced-args", 2},
                                                                {"unbalanced-name", 2},
                                                                {"x-events-matching-end", 9},
                                                                {"x-events-matching-start", 9},
                                                                {"zero-duration-events", 4}}));
  const Facts facts = tests::load_facts(shared_trace("hostile_chrome/trace-event/" + name + ".json"));
  CAPTURE(name);
  CHECK(real_of(facts, "count(annotations)") == ranges);
  CHECK(diagnose(facts, *builtin_rules()).findings.empty());
}

TEST_CASE("the demo of a trace viewer is read whole", "[shared]") {
  const Facts facts = tests::load_facts(shared_trace("xprof/plugin/trace_viewer/tf_trace_viewer/data/trace.json"));
  CHECK(real_of(facts, "count(annotations)") == 12);
  CHECK(real_of(facts, "count(samples)") == 5);
  CHECK(real_of(facts, "sum(samples, value)") == 10 + 1 + 5 + 1 + 10);
}
