// SPDX-License-Identifier: Apache-2.0
// Pipelines whose operations are recorded, replayed with other durations; times in ms that can be added up by hand.
#include <string>
#include <vector>

#include <kdiag/input.hpp>

#include "engine/derive/fleet/pipeline.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using kdiag::fleet::Operation;
using kdiag::fleet::Pipeline;

namespace {

struct PipelineShape {
  int replicas = 4, stages = 2, steps = 2;
  int slow_replica = -1, slow_stage = -1;  ///< of the rank whose forward computation takes 9 ms
  double last_stage = 1;                   ///< how many times as long its computations take
  bool collectives = false;                ///< whether replicas gather parameters and add up gradients, 1 ms each
  std::string left_out;                    ///< an operation of the first rank of step 0 that was not recorded
};

/// Forward computations take 3 ms, backward ones 6, what ranks exchange 1, optimizers 2. Ranges begin one ns after
/// another: only their order is looked at.
Result<Facts> record_pipeline(const PipelineShape& shape) {
  std::string ranks, threads, ranges;
  int row = 0;
  for (int replica = 0; replica < shape.replicas; ++replica)
    for (int stage = 0; stage < shape.stages; ++stage, ++row) {
      const std::string id = std::to_string(row);
      ranks += (row > 0 ? ",[" : "[") + id + "," + std::to_string(stage) + "]";
      threads += (row > 0 ? ",[" : "[") + id + "," + std::to_string(replica) + "," + id + "]";
      const bool slow = replica == shape.slow_replica && stage == shape.slow_stage;
      const double times = stage + 1 == shape.stages ? shape.last_stage : 1;
      int now = 1000;
      const auto range = [&](const std::string& name, double ms) {
        if (row == 0 && now < 2000 && name == shape.left_out) return;
        ranges += (ranges.empty() ? "[\"" : ",[\"") + name + "\"," + std::to_string(now++) + "," +
                  std::to_string(static_cast<int>(ms * 1e6)) + "," + id + "]";
      };
      for (int step = 0; step < shape.steps; ++step) {
        now = 1000 * (step + 1);
        const bool first = stage == 0, last = stage + 1 == shape.stages;
        if (shape.collectives) range("params-all-gather", slow ? 4 : 1);
        if (!first) range("forward-recv", 1);
        range("forward-compute", (slow ? 9 : 3) * times);
        if (!last) range("forward-send", 1);
        if (!last) range("backward-recv", 1);
        range("backward-compute", 6 * times);
        if (!first) range("backward-send", 1);
        if (shape.collectives) range("grads-reduce-scatter", 1);
        range("optimizer", 2);
      }
    }
  const std::string text = R"({"schema": "kdiag.facts/1"})"
                           "\n"
                           R"({"run": {"clock": "device"}})"
                           "\n"
                           R"({"table": "ranks", "columns": ["id", "stage"], "rows": [)" +
                           ranks +
                           "]}\n"
                           R"({"table": "threads", "columns": ["id", "process", "rank"], "rows": [)" +
                           threads +
                           "]}\n"
                           R"({"table": "annotations", "columns": ["name", "start", "dur", "thread"], "rows": [)" +
                           ranges + "]}\n";
  const TraceInput input = TraceInput::memory("pipeline.jsonl", text);
  return load_inputs({&input, 1});
}

const FactStore& store_of(const Result<Facts>& facts) {
  REQUIRE(facts);
  REQUIRE(facts->loaded().runs.size() == 1);
  return *facts->loaded().runs.front().store;
}

std::vector<double> recorded_in(const Pipeline& pipeline) {
  std::vector<double> durations;
  for (const Operation& operation : pipeline.operations()) durations.push_back(operation.recorded);
  return durations;
}

double outlier_in(const FactStore& store, std::string_view kind, ColumnId id) {
  for (std::size_t row = 0; row < store.rows(table("outliers")); ++row)
    if (store.text(column("outliers.kind"), row) == kind) return static_cast<double>(store.integer(id, row)) / 1e6;
  return -1;
}

}  // namespace

TEST_CASE("a step of a pipeline takes what its stages compute and exchange one after another", "[fleet]") {
  const Result<Facts> facts = record_pipeline({});
  const auto pipeline = Pipeline::of(store_of(facts));
  REQUIRE(pipeline);
  CHECK(pipeline->steps() == 2);
  CHECK(pipeline->replicas() == 4);
  // Forward 3 + 1 + 3, backward 6 + 1 + 6, optimizer 2.
  CHECK(pipeline->step_time(recorded_in(*pipeline)) == Approx(22e6));
  CHECK(outlier_in(store_of(facts), "rank", column("outliers.cost")) == -1);
  CHECK(outlier_in(store_of(facts), "stage", column("outliers.cost")) == -1);
}

TEST_CASE("one slow rank of a pipeline is named with what the job would gain", "[fleet]") {
  const Result<Facts> facts = record_pipeline({.slow_replica = 2, .slow_stage = 0});
  const FactStore& store = store_of(facts);
  // Its replica takes 28 ms. Usual of a forward computation is the mean of all eight, (7 * 3 + 9) / 8 = 3.75 ms.
  CHECK(outlier_in(store, "run", column("outliers.observed")) == Approx(2 * 28));
  CHECK(outlier_in(store, "run", column("outliers.expected")) == Approx(2 * 23.5));
  CHECK(outlier_in(store, "ranks", column("outliers.cost")) == Approx(2 * (28 - 22.75)));
  CHECK(outlier_in(store, "rank", column("outliers.cost")) == Approx(2 * (28 - 22.75)));
  CHECK(outlier_in(store, "rank", column("outliers.observed")) == Approx(15));
  CHECK(outlier_in(store, "rank", column("outliers.expected")) == Approx(9));
  CHECK(outlier_in(store, "stage", column("outliers.cost")) == -1);
}

TEST_CASE("a last stage that computes for longer is a stage, and no rank of it is slow", "[fleet]") {
  const Result<Facts> facts = record_pipeline({.last_stage = 2});
  const FactStore& store = store_of(facts);
  // 31 ms; with the mean of both stages (4.5 and 9) in the last one 26.5.
  CHECK(outlier_in(store, "run", column("outliers.observed")) == Approx(2 * 31));
  CHECK(outlier_in(store, "stage", column("outliers.cost")) == Approx(2 * (31 - 26.5)));
  CHECK(outlier_in(store, "rank", column("outliers.cost")) == -1);
}

TEST_CASE("replicas that are as usual need one of them in the replay", "[fleet]") {
  const Result<Facts> facts =
      record_pipeline({.replicas = 6, .stages = 3, .slow_replica = 2, .slow_stage = 1, .collectives = true});
  const auto pipeline = Pipeline::of(store_of(facts));
  REQUIRE(pipeline);
  for (std::uint32_t replica = 0; replica < pipeline->replicas(); ++replica) {
    INFO("replica " << replica);
    const auto with_others_as_usual = [&](const Pipeline& some) {
      std::vector<double> durations;
      for (const Operation& operation : some.operations())
        durations.push_back(pipeline->replica_of(operation.rank) == replica ? operation.recorded : operation.usual);
      return some.step_time(durations);
    };
    const Pipeline part = pipeline->beside_usual_ones(replica);
    CHECK(part.operations().size() * 3 == pipeline->operations().size());
    REQUIRE(with_others_as_usual(*pipeline));
    CHECK(with_others_as_usual(part) == with_others_as_usual(*pipeline));
  }
}

TEST_CASE("operations without their partners are no pipeline", "[fleet][hostile]") {
  for (const std::string missing : {"forward-send", "backward-recv", "forward-compute", "optimizer"}) {
    INFO(missing);
    const Result<Facts> facts = record_pipeline({.left_out = missing});
    CHECK_FALSE(store_of(facts).present(table("outliers")));
  }
  CHECK_FALSE(store_of(record_pipeline({.replicas = 1, .stages = 3})).present(table("outliers")));  // three ranks
}
