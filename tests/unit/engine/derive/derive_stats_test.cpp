// SPDX-License-Identifier: Apache-2.0
// The *_stats tables, phases, busy clocks and device figures.
#include "tests/catch.hpp"

#include <map>
#include <string>

#include "engine/derive/derive.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;

TEST_CASE("Kernels are summed by name and device, largest first", "[engine][derive]") {
  Trace trace;
  trace.kernel(0, "a", 0, 10);
  trace.kernel(0, "b", 10, 40);
  trace.kernel(0, "a", 60, 25);
  trace.kernel(1, "a", 0, 50);
  trace.kernel(1, "c", 60, 35);
  FactStore store = trace.store();
  derive(store, {});
  REQUIRE(store.rows(table("kernel_stats")) == 4);
  std::vector<std::pair<std::string, std::int64_t>> rows;
  for (std::size_t row = 0; row < 4; ++row)
    rows.emplace_back(store.text(column("kernel_stats.name"), row),
                      store.integer(column("devices.id"), store.index(column("kernel_stats.device"), row)));
  CHECK(rows == std::vector<std::pair<std::string, std::int64_t>>{{"a", 1}, {"b", 0}, {"a", 0}, {"c", 1}});
  CHECK(store.integer(column("kernel_stats.calls"), 2) == 2);
  CHECK(store.integer(column("kernel_stats.total"), 2) == 35);
  CHECK(store.integer(column("kernel_stats.min"), 2) == 10);
  CHECK(store.integer(column("kernel_stats.max"), 2) == 25);
  CHECK(store.integer(column("kernel_stats.mean"), 2) == 18);
  CHECK(store.provider(column("kernel_stats.total")) == "derived");
}

TEST_CASE("Events without names give no totals by name", "[engine][derive]") {
  Trace trace;
  trace.batch.set(trace.batch.add(table("kernels")), column("kernels.dur"), std::int64_t{7});
  trace.batch.set(trace.batch.add(table("api")), column("api.dur"), std::int64_t{7});
  trace.batch.set(trace.batch.add(table("ops")), column("ops.dur"), std::int64_t{7});
  trace.batch.set(trace.batch.add(table("copies")), column("copies.dur"), std::int64_t{7});
  FactStore store = trace.store();
  derive(store, {});
  for (const char* name : {"kernel_stats", "api_stats", "op_stats"}) CHECK_FALSE(store.present(find_table(name)));
  CHECK(store.rows(table("copy_stats")) == 1);
}

TEST_CASE("Stated statistics stay as they are and absent events give none", "[engine][derive]") {
  Trace trace;
  const Row stated = trace.batch.add(table("kernel_stats"));
  trace.batch.set(stated, column("kernel_stats.name"), "k");
  trace.batch.set(stated, column("kernel_stats.total"), std::int64_t{7});
  trace.kernel(0, "other", 0, 10);
  FactStore store = trace.store();
  derive(store, {});
  REQUIRE(store.rows(table("kernel_stats")) == 1);
  CHECK(store.text(column("kernel_stats.name"), 0) == "k");
  CHECK(store.provider(column("kernel_stats.total")) == "test");
  CHECK_FALSE(store.present(table("api_stats")));
}

TEST_CASE("Copies are named by kind and, when known, by memories", "[engine][derive]") {
  Trace trace;
  const Row pageable = trace.copy(0, "h2d", 0, 10);
  trace.batch.set(pageable, column("copies.src"), "pageable");
  trace.batch.set(pageable, column("copies.dst"), "device");
  const Row unknown = trace.copy(0, "d2h", 20, 5);
  trace.batch.set(unknown, column("copies.src"), "device");
  trace.batch.set(unknown, column("copies.dst"), "unknown");
  FactStore store = trace.store();
  derive(store, {});
  CHECK(store.text(column("copy_stats.name"), 0) == "h2d (pageable -> device)");
  CHECK(store.text(column("copy_stats.name"), 1) == "d2h");
}

TEST_CASE("A recursive operator counts its inclusive times once and its own each time", "[engine][derive]") {
  Trace trace;
  const Row main = trace.thread(1), other = trace.thread(2);
  auto op = [&](Row thread, std::string_view name, std::int64_t start, std::int64_t dur, std::int64_t self) {
    const Row row = trace.op(thread, name, start, dur);
    trace.batch.set(row, column("ops.host_total"), dur);
    trace.batch.set(row, column("ops.host_self"), self);
  };
  op(main, "f", 0, 100, 30);
  op(main, "g", 10, 80, 20);
  op(main, "f", 20, 60, 60);
  op(other, "f", 50, 40, 40);
  op(main, "f", 200, 10, 10);
  FactStore store = trace.store();
  derive(store, {});
  REQUIRE(store.rows(table("op_stats")) == 2);
  CHECK(store.text(column("op_stats.name"), 0) == "f");
  CHECK(store.integer(column("op_stats.calls"), 0) == 4);
  CHECK(store.integer(column("op_stats.host_total"), 0) == 150);
  CHECK(store.integer(column("op_stats.host_self"), 0) == 140);
  CHECK(store.integer(column("op_stats.host_total"), 1) == 80);
  CHECK_FALSE(store.has(column("op_stats.device_total")));
}

TEST_CASE("Each instant of a step belongs to the first phase that was active", "[engine][derive]") {
  Trace trace;
  const Row main = trace.thread(1);
  trace.step(0, 0, 100);
  trace.kernel(0, "gemm", 10, 10, trace.call(main, "cudaLaunchKernel", 5, 20));
  trace.batch.set(trace.kernel(0, "ncclAllReduce", 15, 15), column("kernels.class"), "communication");
  trace.copy(0, "h2d", 28, 7);
  trace.memset(0, 34, 4);
  trace.range(main, "enumerate(DataLoader)", "data_loading", 40, 20);
  trace.op(main, "aten::add", 0, 70);
  FactStore store = trace.store();
  derive(store, {});
  std::map<std::string, std::int64_t> phases;
  for (std::size_t row = 0; row < store.rows(table("phases")); ++row)
    phases[std::string(store.text(column("phases.kind"), row))] = store.integer(column("phases.dur"), row);
  CHECK(phases == std::map<std::string, std::int64_t>{{"kernel", 10},
                                                      {"memcpy", 7},
                                                      {"memset", 3},
                                                      {"communication", 8},
                                                      {"runtime", 5},
                                                      {"dataloader", 20},
                                                      {"cpu", 17},
                                                      {"other", 30}});
}

TEST_CASE("Busy clocks are medians over time inside kernels", "[engine][derive]") {
  Trace trace;
  trace.kernel(0, "k", 100, 200);
  trace.kernel(0, "k", 500, 100);
  trace.sample(0, "sm_clock", 0, 210e6);     // idle but for the start of the first kernel
  trace.sample(0, "sm_clock", 120, 1410e6);  // 180 ns busy
  trace.sample(0, "sm_clock", 300, 210e6);
  trace.sample(0, "sm_clock", 500, 1155e6);  // 100 ns busy
  trace.sample(0, "sm_clock", 600, 210e6);
  SECTION("on one clock") {
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.real(column("devices.sm_clock_avg"), 0) == 1410e6);
    CHECK(store.provider(column("devices.sm_clock_avg")) == "derived");
    CHECK_FALSE(store.has(column("devices.mem_clock_avg")));
  }
  SECTION("by utilization when trace and telemetry cannot be compared") {
    trace.sample(0, "gpu_util", 300, 0.2);
    trace.sample(0, "gpu_util", 500, 0.9);
    trace.sample(0, "gpu_util", 600, 0.1);
    FactStore store = trace.store();
    store.samples_aligned = false;
    derive(store, {});
    CHECK(store.real(column("devices.sm_clock_avg"), 0) == 1155e6);
  }
  SECTION("never over a stated one") {
    trace.batch.set(trace.batch.device(0), column("devices.sm_clock_avg"), 1000e6);
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.real(column("devices.sm_clock_avg"), 0) == 1000e6);
  }
}

TEST_CASE("The only device owns what names none, several leave it unknown", "[engine][derive]") {
  Trace trace;
  const Row row = trace.batch.add(table("kernels"));
  trace.batch.set(row, column("kernels.name"), "k");
  trace.kernel(3, "k", 0, 10);
  SECTION("one") {
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.index(column("kernels.device"), 0) == 0);
  }
  SECTION("two") {
    trace.kernel(4, "k", 0, 10);
    FactStore store = trace.store();
    derive(store, {});
    CHECK(store.index(column("kernels.device"), 0) == absent_index);
  }
}

TEST_CASE("Threads of a device are those that launched work on it", "[engine][derive]") {
  Trace trace;
  const Row one = trace.thread(1), two = trace.thread(2), idle = trace.thread(3);
  trace.call(idle, "cudaGetDevice", 0, 1);
  trace.kernel(0, "k", 10, 1, trace.call(two, "cudaLaunchKernel", 1, 1));
  trace.kernel(0, "k", 12, 1, trace.call(one, "cudaLaunchKernel", 2, 1));
  trace.kernel(0, "k", 14, 1, trace.call(two, "cudaLaunchKernel", 3, 1));
  trace.kernel(1, "k", 14, 1, trace.call(two, "cudaLaunchKernel", 4, 1));
  FactStore store = trace.store();
  derive(store, {});
  CHECK(store.device_threads == std::vector<std::vector<std::uint32_t>>{{0, 1}, {1}});
}

TEST_CASE("Threads of a device are also those that queue what another one launches", "[engine][derive]") {
  Trace trace;
  const Row main = trace.thread(1), queue = trace.thread(2);
  const Row launch = trace.call(queue, "aclrtLaunchKernel", 5, 1);
  trace.batch.set(launch, column("api.op"), trace.op(main, "aten::add", 0, 3));
  trace.kernel(0, "k", 10, 1, launch);
  FactStore store = trace.store();
  derive(store, {});
  CHECK(store.device_threads == std::vector<std::vector<std::uint32_t>>{{0, 1}});
}
