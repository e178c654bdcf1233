// SPDX-License-Identifier: Apache-2.0
// How much of calls and operators is waiting for the device.
#include <atomic>
#include <cstdint>
#include <string_view>

#include "engine/compare/waits.hpp"
#include "engine/compare/work.hpp"
#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using tests::Trace;

namespace {

std::uint32_t name_of(const FactStore& store, std::string_view name) {
  const auto names = store.indices(column("ops.name"));
  for (const std::uint32_t id : names)
    if (store.strings[id] == name) return id;
  return absent_index;
}

/// A step around a read of a value, of which 80 ns of 100 wait, and another operator.
Trace reading(bool calls, bool linked) {
  Trace trace;
  const Row thread = trace.thread(1);
  const Row step = trace.op(thread, "step", 0, 200);
  const Row item = trace.op(thread, "aten::item", 0, 100, step);
  trace.op(thread, "aten::mm", 100, 100, step);
  if (!calls) return trace;
  const Row call = trace.call(thread, "cudaStreamSynchronize", 10, 80);
  if (linked) trace.batch.set(call, column("api.op"), item);
  return trace;
}

}  // namespace

TEST_CASE("what a call waits, all operators around it wait", "[compare]") {
  const FactStore store = reading(true, true).store();
  const Waits waits(store);
  CHECK(waits.of_operator(name_of(store, "aten::item")) == 0.8);
  CHECK(waits.of_operator(name_of(store, "step")) == 0.4);
  CHECK(waits.of_operator(name_of(store, "aten::mm")) == 0);
}

TEST_CASE("operators wait by their names where calls are not told by operator", "[compare]") {
  for (const bool calls : {false, true}) {
    const FactStore store = reading(calls, false).store();
    const Waits waits(store);
    CHECK(waits.of_operator(name_of(store, "aten::item")) == 1);
    CHECK(waits.of_operator(name_of(store, "aten::mm")) == 0);
  }
}

TEST_CASE("waits are counted once for each of many nested operators", "[compare]") {
  Trace trace;
  const Row thread = trace.thread(1);
  constexpr int depth = 20'000;
  Row around;
  for (int i = 0; i < depth; ++i) around = trace.op(thread, i == 0 ? "outer" : "nested", 0, depth, around);
  for (int i = 0; i < depth; ++i) {
    const Row call = trace.call(thread, "cudaStreamSynchronize", i, 1);
    trace.batch.set(call, column("api.op"), around);
  }
  const FactStore store = trace.store();
  const Waits waits(store);
  CHECK(waits.of_operator(name_of(store, "outer")) == 1);
  const std::atomic<bool> stop = true;
  CHECK_THROWS_AS(Waits(store, &stop), Interrupted);
}

TEST_CASE("an operator that works longer and waits less is no waiting", "[compare]") {
  Work work;
  NamedWork own;
  own.name = "aten::item";
  own.in_normal = own.in_abnormal = true;
  own.calls_normal = own.calls_abnormal = 1;
  own.ns_normal = 100, own.waited_normal = 80;
  own.ns_abnormal = 150, own.waited_abnormal = 30;
  work.operators = {own};
  CHECK_FALSE(largest_changes(work, {}, 1).front().waits);
  work.operators.front().waited_abnormal = 120;
  CHECK(largest_changes(work, {}, 1).front().waits);
}
