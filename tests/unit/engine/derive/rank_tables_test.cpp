// SPDX-License-Identifier: Apache-2.0
// What a rank is compared by: durations as a sketch, clocks by step, and how many ranks have a finding.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "engine/derive/derive.hpp"
#include "engine/derive/fleet/causes.hpp"
#include "engine/derive/fleet/duration_sketch.hpp"
#include "engine/derive/fleet/rank_tables.hpp"
#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::fleet::DurationCounts;
using kdiag::fleet::sketch_accuracy;
using kdiag::fleet::sketched;
using kdiag::fleet::sketched_median;

TEST_CASE("a duration is sketched within its accuracy, and longer ones never as shorter", "[fleet]") {
  std::int64_t before = 0;
  for (std::int64_t ns = 1; ns < std::numeric_limits<std::int64_t>::max() / 3; ns += 1 + ns / 37) {
    const std::int64_t value = sketched(ns);
    INFO(ns << " " << value);
    CHECK(std::abs(static_cast<double>(value - ns)) <= sketch_accuracy * static_cast<double>(ns) + 0.5);
    CHECK(value >= before);
    before = value;
  }
  CHECK(sketched(0) == 0);
  CHECK(sketched(-5) == 0);
}

TEST_CASE("the median of sketches that are put together is that of all durations", "[fleet]") {
  DurationCounts together;
  std::vector<std::int64_t> all;
  for (std::int64_t part = 0; part < 3; ++part)
    for (std::int64_t i = 0; i < 100; ++i) {
      all.push_back((part + 1) * 1000 + i * i * 17);
      together.emplace_back(sketched(all.back()), 1);
    }
  std::sort(all.begin(), all.end());
  const auto median = static_cast<double>(all[all.size() / 2 - 1]);
  CHECK(static_cast<double>(sketched_median(together).value()) == Approx(median).epsilon(sketch_accuracy));
  CHECK_FALSE(sketched_median({}));
  CHECK_FALSE(sketched_median({{1000, 0}}));
}

TEST_CASE("samples are told by step, each value as long as it holds", "[fleet]") {
  tests::Trace trace;
  const Row main = trace.thread(1);
  for (std::int64_t step = 0; step < 3; ++step) {
    trace.step(step, step * 1000, 1000);
    trace.kernel(0, "gemm", step * 1000 + 10, 900, trace.call(main, "cudaLaunchKernel", step * 1000 + 1, 2));
  }
  for (std::int64_t i = 0; i < 6; ++i) {
    trace.sample(0, "sm_clock", i * 500, i < 3 ? 1.4e9 : 1.0e9);  // 1,400 MHz until the middle of step 1
    trace.sample(0, "throttle_reasons", i * 500, i < 4 ? 0 : 4);
  }
  FactStore store = trace.store();
  derive(store, {});
  CHECK_FALSE(store.present(table("step_samples")));  // of a run of one rank nobody asks
  derive_rank_tables(store);
  std::vector<std::string> rows;
  for (std::size_t row = 0; row < store.rows(table("step_samples")); ++row) {
    const std::int64_t step = store.integer(column("steps.index"), store.index(column("step_samples.step"), row));
    const double mean = store.real(column("step_samples.mean"), row);
    const std::string_view series = store.text(column("step_samples.series"), row);
    rows.push_back(std::to_string(step) + " " + std::string(series) + " " +
                   (std::isnan(mean) ? std::string(store.text(column("step_samples.reasons"), row))
                                     : std::to_string(std::llround(mean / 1e6))));
  }
  CHECK(rows == std::vector<std::string>{"0 sm_clock 1400", "1 sm_clock 1200", "2 sm_clock 1000",
                                         "0 throttle_reasons none", "1 throttle_reasons none",
                                         "2 throttle_reasons sw_power_cap"});
  CHECK(store.real(column("step_samples.max"), 1) == Approx(1.4e9));
  CHECK(store.real(column("step_samples.min"), 1) == Approx(1.0e9));
}

TEST_CASE("kernels of a class are counted by their sketched duration", "[fleet]") {
  tests::Trace trace;
  for (std::int64_t i = 0; i < 4; ++i)
    trace.batch.set(trace.kernel(0, "gemm", i * 2000, i == 3 ? 1500 : 1000), column("kernels.class"), "gemm");
  FactStore store = trace.store();
  derive(store, {});
  derive_rank_tables(store);
  REQUIRE(store.rows(table("kernel_durations")) == 2);
  CHECK(store.text(column("kernel_durations.class"), 0) == "gemm");
  CHECK(store.integer(column("kernel_durations.dur"), 0) == sketched(1000));
  CHECK(store.integer(column("kernel_durations.count"), 0) == 3);
  CHECK(store.integer(column("kernel_durations.count"), 1) == 1);
}

TEST_CASE("a finding says how many ranks have one of its rule", "[fleet]") {
  tests::Trace trace;
  const auto add = [&](std::int64_t rank, std::string_view rule) {
    const Row row = trace.batch.add(table("findings"));
    trace.batch.set(row, column("findings.rank"), trace.batch.rank(rank));
    trace.batch.set(row, column("findings.rule"), rule);
  };
  add(0, "a");
  add(0, "a");
  add(1, "a");
  add(1, "b");
  FactStore store = trace.store();
  derive(store, {});
  std::vector<std::int32_t> ranks;
  for (std::size_t row = 0; row < 4; ++row) ranks.push_back(store.small(column("findings.ranks"), row));
  CHECK(ranks == std::vector<std::int32_t>{2, 2, 2, 1});
}

namespace {

/// What each of four ranks did, in ms: all alike but the last one.
struct Deed {
  const char *kind, *name;
  std::int64_t usual, last;
};

std::string cause_of_last(const std::vector<Deed>& deeds, double excess_ms) {
  constexpr std::int64_t ms = 1'000'000;
  tests::Trace trace;
  for (std::int64_t rank = 0; rank < 4; ++rank) {
    const Row device = trace.batch.device(0, trace.batch.rank(rank));
    for (const Deed& deed : deeds) {
      const Row row = trace.batch.add(table("activities"));
      trace.batch.set(row, column("activities.device"), device);
      trace.batch.set(row, column("activities.kind"), deed.kind);
      trace.batch.set(row, column("activities.name"), deed.name);
      trace.batch.set(row, column("activities.count"), std::int64_t{10});
      trace.batch.set(row, column("activities.dur"), (rank == 3 ? deed.last : deed.usual) * ms);
    }
  }
  const FactStore store = trace.store();
  const std::vector<std::uint32_t> peers = {0, 1, 2, 3};
  const auto cause = fleet::cause_of(store, 3, peers, {}, excess_ms * ms);
  if (!cause) return "none";
  return std::string(store.strings[cause->kind]) + " " +
         (cause->name == absent_index ? "-" : std::string(store.strings[cause->name]));
}

}  // namespace

TEST_CASE("the cause of a slow rank is what it works more, and idle time where it works no more", "[fleet]") {
  // Ranks that wait in collectives show less idle time: it is asked only where work does not explain the difference.
  CHECK(cause_of_last({{"kernel", "gemm", 10, 15}, {"idle", "host_work", 4, 10}}, 8) == "kernel gemm");
  CHECK(cause_of_last({{"kernel", "gemm", 10, 12},
                       {"kernel", "conv", 10, 12},
                       {"kernel", "norm", 10, 12},
                       {"kernel", "reduce", 10, 12},
                       {"idle", "host_work", 4, 10}},
                      8) == "kernel -");
  // Kernels of another class in place of others are no more work.
  CHECK(cause_of_last({{"kernel", "gemm", 5, 7}, {"kernel", "conv", 4, 2}, {"idle", "input", 1, 4}}, 3) ==
        "idle input");
  CHECK(cause_of_last({{"kernel", "gemm", 10, 10}, {"idle", "communication", 1, 9}}, 5) == "none");
}
