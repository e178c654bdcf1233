// SPDX-License-Identifier: Apache-2.0
// Real traces in the Trace Event Format beside the repository, against figures taken from their JSON by other means.
#include <string>

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
