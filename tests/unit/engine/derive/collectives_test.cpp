// SPDX-License-Identifier: Apache-2.0
// Collectives that several ranks have in common, and who waits for whom.
#include "tests/catch.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "engine/derive/derive.hpp"
#include "tests/support/trace.hpp"
#include "tests/support/units.hpp"

using namespace kdiag;
using kdiag::tests::ms;
using kdiag::tests::Trace;
using kdiag::tests::us;

namespace {

struct Ranks : Trace {
  /// A collective of a rank, which computes on a device of its own.
  Row collective(std::int64_t rank, std::string_view op, std::int64_t start, std::int64_t dur) {
    const Row row = batch.add(table("comms"));
    batch.set(row, column("comms.op"), op);
    batch.set(row, column("comms.start"), start);
    batch.set(row, column("comms.dur"), dur);
    const Row of_rank = batch.rank(rank);
    batch.set(row, column("comms.rank"), of_rank);
    return row;
  }
};

template <class T>
std::vector<T> values(std::span<const T> column) {
  return {column.begin(), column.end()};
}

}  // namespace

TEST_CASE("The n-th collectives of ranks whose ends agree are one, and the shortest came last",
          "[engine][derive][comms]") {
  Ranks trace;
  for (std::int64_t n = 0; n < 3; ++n) {
    trace.collective(0, "all_to_all", 10 * n * ms, 5 * ms);
    trace.collective(1, "all_to_all", 7 * ms + 10 * n * ms + 4 * ms, ms + 5 * us);  // its clock is 7 ms ahead
  }
  FactStore store = trace.store();
  derive(store, {});
  CHECK(values(store.integers(column("comms.match"))) == std::vector<std::int64_t>{0, 0, 1, 1, 2, 2});
  const std::int64_t wait = 4 * ms - 5 * us;
  CHECK(values(store.integers(column("comms.waited"))) == std::vector<std::int64_t>{wait, 0, wait, 0, wait, 0});
}

TEST_CASE("Collectives whose ends do not agree, or which ranks have in other numbers, are not matched",
          "[engine][derive][comms]") {
  const bool unequal = GENERATE(false, true);
  Ranks trace;
  for (std::int64_t n = 0; n < 4; ++n) trace.collective(0, "all_reduce", 10 * n * ms, ms);
  for (std::int64_t n = 0; n < (unequal ? 3 : 4); ++n)
    trace.collective(1, "all_reduce", (unequal ? 10 : 13) * n * ms, ms);
  FactStore store = trace.store();
  derive(store, {});
  CHECK_FALSE(store.has(column("comms.match")));
}

TEST_CASE("Numbers match collectives whatever their ends", "[engine][derive][comms]") {
  Ranks trace;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const Row row = trace.collective(rank, "all_reduce", 5 * ms * rank, ms * (rank + 1));
    trace.batch.set(row, column("comms.seq"), std::int64_t{8});
    trace.batch.set(row, column("comms.bytes"), std::int64_t{8'000'000});
    trace.batch.set(row, column("comms.group_size"), std::int64_t{2});
  }
  FactStore store = trace.store();
  derive(store, {});
  CHECK(values(store.integers(column("comms.waited"))) == std::vector<std::int64_t>{0, ms});
  // The rank that waited for the other one moved its data no slower.
  for (std::size_t row = 0; row < 2; ++row) CHECK(store.real(column("comms.bus_bw"), row) == Approx(8e9));
}

TEST_CASE("A collective that outlasts one that moves as much or more waits", "[engine][derive][comms]") {
  const bool same_group = GENERATE(true, false);
  const std::string op = GENERATE(as<std::string>(), "all_reduce", "all_to_all");
  Ranks trace;
  const std::int64_t mib[] = {16, 64, 144, 144, 9}, dur[] = {88 * ms, 2 * ms, 3 * ms, 4 * ms, ms};
  for (std::size_t n = 0; n < std::size(mib); ++n) {
    const Row row = trace.collective(0, op, static_cast<std::int64_t>(n) * 100 * ms, dur[n]);
    trace.batch.set(row, column("comms.bytes"), mib[n] << 20);
    trace.batch.set(row, column("comms.group"), same_group ? "data" : "group " + std::to_string(n));
  }
  FactStore store = trace.store();
  derive(store, {});
  const bool known = same_group && op == "all_reduce";
  CHECK(store.has(column("comms.stalled")) == known);
  if (known) CHECK(values(store.integers(column("comms.stalled"))) == std::vector<std::int64_t>{86 * ms, 0, 0, ms, 0});
}

TEST_CASE("What a late rank did while the others waited is said of its call", "[engine][derive][comms]") {
  Ranks trace;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const Row device = trace.batch.device(rank);
    trace.batch.set(device, column("devices.rank"), trace.batch.rank(rank));
    for (std::int64_t n = 0; n < 3; ++n) {
      const std::int64_t late = rank == 1 ? 4 * ms : 0;
      const Row comm = trace.collective(rank, "all_reduce", 10 * n * ms + 3 * ms + late, 5 * ms - late);
      trace.batch.set(comm, column("comms.device"), device);
      trace.kernel(rank, "work", 10 * n * ms, 3 * ms + late);
      trace.batch.set(trace.kernel(rank, "nccl", 10 * n * ms + 3 * ms + late, 5 * ms - late), column("kernels.class"),
                      "communication");
    }
  }
  FactStore store = trace.store();
  derive(store, {});
  REQUIRE(store.has(column("comms.late_for")));
  CHECK(store.text(column("comms.late_for"), 0).empty());
  CHECK(store.text(column("comms.late_for"), 3) == "compute");
}

TEST_CASE("A deed is named where it fills more than half of the time that the others waited",
          "[engine][derive][comms]") {
  const auto [loading, first, expected] = GENERATE(table<std::int64_t, std::int64_t, std::string>({
      {5 * ms, 0, "input"},
      {3 * ms, 0, ""},
      {3 * ms, 5 * ms, "before its recording"},
      {5 * ms, 1 * ms, "input"},
  }));
  Ranks trace;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    const Row device = trace.batch.device(rank);
    const Row of_rank = trace.batch.rank(rank);
    const Row main = trace.thread(rank);
    trace.batch.set(device, column("devices.rank"), of_rank);
    trace.batch.set(main, column("threads.rank"), of_rank);
    const std::int64_t late = rank == 1 ? 8 * ms : 0;
    const Row comm = trace.collective(rank, "all_reduce", late, 10 * ms - late);
    trace.batch.set(comm, column("comms.seq"), std::int64_t{1});
    trace.batch.set(comm, column("comms.device"), device);
    trace.batch.set(
        trace.kernel(rank, "nccl", late, 10 * ms - late, trace.call(main, "cudaLaunchKernel", late, 10 * us)),
        column("kernels.class"), "communication");
    if (rank == 0) continue;
    trace.batch.set(trace.step(0, first, 10 * ms - first), column("steps.rank"), of_rank);
    trace.range(main, "load", "data_loading", 8 * ms - loading, loading);
    if (expected.empty()) trace.call(main, "cudaMalloc", 1 * ms, 3 * ms);
  }
  FactStore store = trace.store();
  derive(store, {});
  if (expected.empty()) CHECK_FALSE(store.has(column("comms.late_for")));
  else CHECK(store.text(column("comms.late_for"), 1) == (expected == "input" ? "input: load" : expected));
}

TEST_CASE("Bus bandwidth is what crosses each link, by the factors of nccl-tests", "[engine][derive][comms]") {
  Trace trace;
  const auto add = [&](std::string_view op) {
    const Row row = trace.batch.add(table("comms"));
    trace.batch.set(row, column("comms.op"), op);
    trace.batch.set(row, column("comms.bytes"), std::int64_t{8'000'000});
    trace.batch.set(row, column("comms.dur"), ms);
    trace.batch.set(row, column("comms.group_size"), std::int64_t{8});
  };
  for (const char* op : {"all_reduce", "all_gather", "broadcast", "barrier"}) add(op);
  FactStore store = trace.store();
  derive(store, {});
  CHECK(store.real(column("comms.bus_bw"), 0) == Approx(14e9));
  CHECK(store.real(column("comms.bus_bw"), 1) == Approx(7e9));
  CHECK(store.real(column("comms.bus_bw"), 2) == Approx(8e9));
  CHECK(store.real(column("comms.bus_bw"), 3) != store.real(column("comms.bus_bw"), 3));
}
