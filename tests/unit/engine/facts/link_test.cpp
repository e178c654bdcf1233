// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/facts/fact_builder.hpp"
#include "engine/link/link.hpp"
#include "tests/catch.hpp"
#include "tests/support/units.hpp"

using namespace kdiag;
using kdiag::tests::us;

namespace {

/// Rows of one process, as an adapter would submit them. Times in microseconds.
struct LinkedRows {
  Batch batch;

  Row op(const char* name, std::int64_t start, std::int64_t dur, std::int64_t thread = 1, std::int64_t external = 0) {
    const Row row = batch.add(table("ops"));
    batch.set(row, column("ops.name"), name);
    batch.set(row, column("ops.start"), start * us);
    batch.set(row, column("ops.dur"), dur * us);
    batch.set(row, column("ops.thread"), batch.thread(9, thread));
    if (external != 0) batch.set(row, column("ops.external"), external);
    return row;
  }
  Row call(const char* name, std::int64_t start, std::int64_t dur, std::int64_t correlation, std::int64_t external = 0,
           std::int64_t thread = 1) {
    const Row row = batch.add(table("api"));
    batch.set(row, column("api.name"), name);
    batch.set(row, column("api.start"), start * us);
    batch.set(row, column("api.dur"), dur * us);
    batch.set(row, column("api.thread"), batch.thread(9, thread));
    batch.set(row, column("api.correlation"), correlation);
    batch.set(row, column("api.is_launch"), std::string_view(name).find("Launch") != std::string_view::npos);
    batch.set(row, column("api.is_sync"), std::string_view(name) == "cudaMemcpy");
    if (external != 0) batch.set(row, column("api.external"), external);
    return row;
  }
  Row kernel(const char* name, std::int64_t start, std::int64_t dur, std::int64_t correlation,
             std::int64_t external = 0) {
    const Row row = batch.add(table("kernels"));
    batch.set(row, column("kernels.name"), name);
    batch.set(row, column("kernels.start"), start * us);
    batch.set(row, column("kernels.dur"), dur * us);
    batch.set(row, column("kernels.device"), batch.device(0));
    if (correlation != 0) batch.set(row, column("kernels.correlation"), correlation);
    if (external != 0) batch.set(row, column("kernels.external"), external);
    return row;
  }
  Row copy(std::int64_t correlation, const char* src, const char* dst) {
    const Row row = batch.add(table("copies"));
    batch.set(row, column("copies.device"), batch.device(0));
    batch.set(row, column("copies.correlation"), correlation);
    batch.set(row, column("copies.src"), src);
    batch.set(row, column("copies.dst"), dst);
    return row;
  }

  Fragment fragment(std::optional<std::int64_t> rank = {}) && {
    Fragment part;
    part.adapter = "test";
    part.info.rank = rank;
    part.batches.emplace_back(0, std::move(batch));
    return part;
  }
  FactStore link() && {
    std::vector<Fragment> parts;
    parts.push_back(std::move(*this).fragment());
    FactStore store = build_facts(std::move(parts));
    link_facts(store);
    return store;
  }
};

std::int64_t ns(const FactStore& store, std::string_view table_name, std::string_view column_name, std::size_t row) {
  return store.integer(find_column(table_name, column_name), row);
}

}  // namespace

TEST_CASE("a graph launch owns all kernels of its correlation", "[engine][link]") {
  LinkedRows trace;
  trace.op("run", 0, 100);
  trace.call("cudaGraphLaunch", 10, 5, 7);
  for (int i = 0; i < 3; ++i) trace.kernel("k", 20 + 10 * i, 9, 7);
  trace.kernel("stray", 90, 9, 8);
  const FactStore store = std::move(trace).link();
  for (std::size_t row = 0; row < 3; ++row) {
    CHECK(store.index(column("kernels.launch"), row) == 0);
    CHECK(store.index(column("kernels.op"), row) == 0);
  }
  CHECK(store.index(column("kernels.launch"), 3) == absent_index);
  CHECK(store.index(column("kernels.op"), 3) == absent_index);
  CHECK(ns(store, "ops", "device_self", 0) == 27 * us);
}

TEST_CASE("a call that owns work is a launch whatever its name", "[engine][link]") {
  LinkedRows trace;
  trace.call("vendorSubmit", 10, 5, 7);
  trace.call("vendorAsk", 20, 5, 8);
  trace.kernel("k", 30, 9, 7);
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("api.is_launch"), 0) == 1);
  CHECK(store.index(column("api.is_launch"), 1) == 0);
}

TEST_CASE("a launch outside of operators works for the operator of its work", "[engine][link]") {
  LinkedRows trace;
  const Row add = trace.op("aten::add", 0, 10);
  const Row mul = trace.op("aten::mul", 100, 50, 2);
  const Row queued = trace.call("aclrtLaunchKernel", 40, 5, 7, 0, 2);
  const Row nested = trace.call("aclrtLaunchKernel", 110, 5, 8, 0, 2);
  for (const std::int64_t correlation : {7, 8})
    trace.batch.set(trace.kernel("k", 200 * correlation, 10, correlation), column("kernels.op"), add);
  const Row compiling = trace.call("aclopCompileAndExecute", 30, 20, 9, 0, 2);
  const Row other = trace.call("aclCreateTensorDesc", 60, 5, 10, 0, 2);
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("api.op"), queued.index) == add.index);
  CHECK(store.index(column("api.op"), nested.index) == mul.index);
  CHECK(store.index(column("api.op"), compiling.index) == add.index);
  CHECK(store.index(column("api.op"), other.index) == absent_index);
}

TEST_CASE("of two calls with one correlation the launching one owns the work", "[engine][link]") {
  LinkedRows trace;
  trace.call("cudaFuncGetAttributes", 10, 20, 7);
  trace.call("cuLaunchKernel", 12, 5, 7);
  trace.kernel("k", 30, 9, 7);
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("kernels.launch"), 0) == 1);
}

TEST_CASE("equal correlations of two ranks do not meet", "[engine][link]") {
  std::vector<Fragment> parts;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    LinkedRows trace;
    trace.op(rank == 0 ? "first" : "second", 0, 100);
    trace.call("cudaLaunchKernel", 10, 5, 7);
    trace.kernel("k", 20, 9, 7);
    parts.push_back(std::move(trace).fragment(rank));
  }
  FactStore store = build_facts(std::move(parts));
  link_facts(store);
  CHECK(store.index(column("kernels.launch"), 0) == 0);
  CHECK(store.index(column("kernels.launch"), 1) == 1);
  CHECK(store.text(column("ops.name"), store.index(column("kernels.op"), 1)) == "second");
}

TEST_CASE("operators nest by time on their thread, in any order of rows", "[engine][link]") {
  LinkedRows trace;
  trace.op("inner", 20, 10);
  trace.op("outer", 0, 100);
  trace.op("elsewhere", 21, 5, 2);
  trace.op("middle", 10, 40);
  const FactStore store = std::move(trace).link();
  const auto parent = store.indices(column("ops.parent"));
  CHECK(parent[0] == 3);
  CHECK(parent[3] == 1);
  CHECK(parent[1] == absent_index);
  CHECK(parent[2] == absent_index);
}

TEST_CASE("equal spans nest in the order of the profiler's ids", "[engine][link]") {
  LinkedRows trace;
  trace.op("callee", 0, 10, 1, 12);
  trace.op("caller", 0, 10, 1, 11);
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("ops.parent"), 0) == 1);
  CHECK(store.index(column("ops.parent"), 1) == absent_index);
}

TEST_CASE("whole microseconds may let a child end after its parent", "[engine][link]") {
  LinkedRows trace;
  trace.op("parent", 10, 5);
  trace.op("child", 12, 4);
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("ops.parent"), 1) == 0);
  CHECK(ns(store, "ops", "host_self", 0) == 2 * us);  // only what lies inside counts
}

TEST_CASE("of operators that overlap in part neither is the parent", "[engine][link]") {
  LinkedRows trace;
  trace.op("a", 0, 50);
  trace.op("b", 30, 50);
  trace.op("in both", 35, 5);
  trace.op("in b", 60, 5);
  const FactStore store = std::move(trace).link();
  const auto parent = store.indices(column("ops.parent"));
  CHECK(parent[1] == absent_index);
  CHECK(parent[2] == 1);
  CHECK(parent[3] == 1);
  CHECK(ns(store, "ops", "host_self", 0) == 50 * us);
  CHECK(ns(store, "ops", "host_self", 1) == 40 * us);
}

TEST_CASE("a long chain of partial overlaps is nested without delay", "[engine][link]") {
  LinkedRows trace;
  constexpr std::int64_t n = 200000;
  for (std::int64_t i = 0; i < n; ++i) trace.op("op", 5 * i, 5 * n);
  trace.call("late", 5 * n / 2, 10 * n, 1);
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("ops.parent"), n - 1) == absent_index);
  CHECK(store.index(column("api.op"), 0) == absent_index);
}

TEST_CASE("host self time excludes children and own calls, each instant once", "[engine][link]") {
  LinkedRows trace;
  trace.op("op", 0, 100);
  trace.op("child", 10, 20);
  trace.op("overlapping child", 20, 20);
  trace.call("outer call", 50, 20, 1);
  trace.call("call inside the call", 55, 5, 2);
  const FactStore store = std::move(trace).link();
  CHECK(ns(store, "ops", "host_total", 0) == 100 * us);
  CHECK(ns(store, "ops", "host_self", 0) == (100 - 30 - 20) * us);
}

TEST_CASE("device times of children add up to their parents", "[engine][link]") {
  LinkedRows trace;
  trace.op("outer", 0, 100);
  trace.op("inner", 10, 40);
  trace.call("cudaLaunchKernel", 20, 5, 1);
  trace.call("cudaLaunchKernel", 60, 5, 2);
  trace.kernel("a", 200, 30, 1);
  trace.kernel("b", 230, 4, 2);
  const FactStore store = std::move(trace).link();
  CHECK(ns(store, "ops", "device_self", 0) == 4 * us);
  CHECK(ns(store, "ops", "device_total", 0) == 34 * us);
  CHECK(ns(store, "ops", "device_self", 1) == 30 * us);
}

TEST_CASE("without device work the device times of operators are unknown", "[engine][link]") {
  LinkedRows trace;
  trace.op("op", 0, 100);
  const FactStore store = std::move(trace).link();
  CHECK_FALSE(store.has(column("ops.device_self")));
  CHECK(ns(store, "ops", "host_self", 0) == 100 * us);
}

TEST_CASE("the profiler's id of a call counts only where that operator encloses it", "[engine][link]") {
  LinkedRows trace;
  trace.op("real", 0, 100, 1, 1);
  trace.op("nested", 10, 50, 1, 2);
  trace.op("unrelated", 500, 10, 1, 77);
  trace.op("other thread", 0, 1000, 2, 78);
  SECTION("an enclosing one wins over nesting") {
    trace.call("cudaLaunchKernel", 20, 5, 5, 1);
    const FactStore store = std::move(trace).link();
    CHECK(store.index(column("api.op"), 0) == 0);
  }
  SECTION("an id that is the call's own correlation joins nothing") {
    trace.call("cudaLaunchKernel", 20, 5, 77, 77);
    const FactStore store = std::move(trace).link();
    CHECK(store.index(column("api.op"), 0) == 1);
  }
  SECTION("an operator of another thread is not meant") {
    trace.call("cudaLaunchKernel", 20, 5, 5, 78);
    const FactStore store = std::move(trace).link();
    CHECK(store.index(column("api.op"), 0) == 1);
  }
  SECTION("an id without operator falls back to nesting") {
    trace.call("cudaLaunchKernel", 70, 5, 5, 4711);
    const FactStore store = std::move(trace).link();
    CHECK(store.index(column("api.op"), 0) == 0);
  }
}

TEST_CASE("work without launch takes its operator from the profiler's id", "[engine][link]") {
  LinkedRows trace;
  trace.op("op", 100, 100, 1, 5);
  trace.kernel("joined", 300, 10, 40, 5);
  trace.kernel("its id is its correlation", 300, 10, 5, 5);
  trace.kernel("ran before", 10, 10, 41, 5);
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("kernels.op"), 0) == 0);
  CHECK(store.index(column("kernels.op"), 1) == absent_index);
  CHECK(store.index(column("kernels.op"), 2) == absent_index);
  CHECK_FALSE(store.has(column("kernels.launch")));
}

TEST_CASE("backward operators find their forward ones by sequence number and thread", "[engine][link]") {
  LinkedRows trace;
  const auto sequence = [&trace](Row row, std::int64_t number, std::int64_t forward_thread) {
    trace.batch.set(row, column("ops.sequence"), number);
    trace.batch.set(row, column("ops.forward_thread"), forward_thread);
  };
  sequence(trace.op("aten::linear", 0, 20), 5, 0);
  sequence(trace.op("aten::addmm", 5, 10), 5, 0);  // the one that records the node
  sequence(trace.op("aten::relu", 30, 10), 6, 0);
  sequence(trace.op("other thread", 6, 10, 2), 5, 0);
  sequence(trace.op("AddmmBackward0", 100, 10, 3), 5, 1);
  sequence(trace.op("ReluBackward0", 80, 10, 3), 6, 1);
  sequence(trace.op("without forward", 120, 10, 3), 99, 1);
  const FactStore store = std::move(trace).link();
  const auto forward = store.indices(column("ops.forward"));
  CHECK(forward[4] == 1);
  CHECK(forward[5] == 2);
  CHECK(forward[6] == absent_index);
  CHECK(forward[0] == absent_index);
}

TEST_CASE("copies wait when their call does or their memory is pageable", "[engine][link]") {
  LinkedRows trace;
  trace.call("cudaMemcpy", 0, 5, 1);
  trace.call("cudaMemcpyAsync", 10, 5, 2);
  trace.call("cudaMemcpyAsync", 20, 5, 3);
  trace.copy(1, "pinned", "device");
  trace.copy(2, "pinned", "device");
  trace.copy(3, "device", "pageable");
  trace.copy(4, "pinned", "device");
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("copies.sync"), 0) == 1);
  CHECK(store.index(column("copies.sync"), 1) == 0);
  CHECK(store.index(column("copies.sync"), 2) == 1);
  CHECK(store.index(column("copies.sync"), 3) == absent_index);
}

TEST_CASE("the host's record and the kernel of a collective become one row", "[engine][link]") {
  LinkedRows trace;
  const Row record = trace.op("record_param_comms", 0, 50, 1, 3);
  trace.op("inside", 5, 20, 1, 4);
  trace.call("cudaLaunchKernelExC", 10, 5, 1, 4);
  const Row kernel = trace.kernel("ncclDevKernel_SendRecv", 100, 30, 1);
  const Row other = trace.kernel("ncclDevKernel_AllReduce", 200, 40, 9);
  const auto comm = [&trace](const char* op) {
    const Row row = trace.batch.add(table("comms"));
    trace.batch.set(row, column("comms.op"), op);
    return row;
  };
  const Row host = comm("all_to_all");
  trace.batch.set(host, column("comms.issuer"), record);
  trace.batch.set(host, column("comms.bytes"), std::int64_t{4096});
  const Row first = comm("send_recv");
  trace.batch.set(first, column("comms.kernel"), kernel);
  trace.batch.set(first, column("comms.algorithm"), "RING LL");
  const Row second = comm("all_reduce");
  trace.batch.set(second, column("comms.kernel"), other);
  const Row lost = comm("broadcast");
  trace.batch.set(lost, column("comms.issuer"), trace.op("record_param_comms", 60, 10));

  const FactStore store = std::move(trace).link();
  REQUIRE(store.rows(table("comms")) == 3);
  CHECK(store.text(column("comms.op"), 0) == "all_to_all");
  CHECK(store.text(column("comms.algorithm"), 0) == "RING LL");
  CHECK(ns(store, "comms", "bytes", 0) == 4096);
  CHECK(ns(store, "comms", "start", 0) == 100 * us);
  CHECK(ns(store, "comms", "dur", 0) == 30 * us);
  CHECK(store.index(column("comms.device"), 0) == 0);
  CHECK(ns(store, "comms", "dur", 1) == 40 * us);
  CHECK(ns(store, "comms", "bytes", 1) == absent_integer);
  CHECK(store.text(column("comms.op"), 2) == "broadcast");
  CHECK(ns(store, "comms", "dur", 2) == absent_integer);  // its kernel was not recorded
}

TEST_CASE("columns that only serve linking are dropped", "[engine][link]") {
  LinkedRows trace;
  trace.op("op", 0, 100, 1, 5);
  trace.call("cudaLaunchKernel", 10, 5, 1, 5);
  trace.kernel("k", 20, 5, 1, 5);
  const FactStore store = std::move(trace).link();
  for (std::uint16_t c = 0; c < catalogue_columns.size(); ++c)
    if (catalogue_columns[c].traits.transient) CHECK_FALSE(store.has(ColumnId{c}));
}

TEST_CASE("rows without thread, start or duration are left alone", "[engine][link]") {
  LinkedRows trace;
  trace.op("op", 0, 100);
  trace.batch.set(trace.batch.add(table("ops")), column("ops.name"), "without anything");
  trace.batch.set(trace.batch.add(table("api")), column("api.name"), "without anything");
  trace.batch.set(trace.batch.add(table("kernels")), column("kernels.name"), "without anything");
  const FactStore store = std::move(trace).link();
  CHECK(store.index(column("ops.parent"), 1) == absent_index);
  CHECK(ns(store, "ops", "host_self", 1) == absent_integer);
}

TEST_CASE("an empty store stays empty", "[engine][link]") {
  FactStore store;
  link_facts(store);
  CHECK_FALSE(store.present(table("ops")));
}
