// SPDX-License-Identifier: Apache-2.0
// Facts of so many events that they are derived by several threads.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/derive/derive.hpp"
#include "engine/facts/absent_value.hpp"
#include "engine/link/link.hpp"
#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;

namespace {

/// 8,000 operators of which each launches a kernel, on a device whose peaks and units are known; every 50th is followed
/// by a copy that the host waits for.
FactStore many_events() {
  Trace trace;
  const Row device = trace.batch.device(0);
  trace.batch.set(device, column("devices.name"), "NVIDIA H100 80GB HBM3");
  const Row thread = trace.thread(7);
  constexpr std::int64_t iteration = 20'000;
  for (std::int64_t i = 0; i < 8000; ++i) {
    const std::int64_t start = i * iteration;
    const Row op = trace.op(thread, "aten::mm", start, 9000);
    trace.batch.set(op, column("ops.shapes"), "[[1024, 1024], [1024, 1024]]");
    trace.batch.set(op, column("ops.types"), R"(["c10::BFloat16", "c10::BFloat16"])");
    trace.batch.set(op, column("ops.strides"), "[[1024, 1], [1024, 1]]");
    const Row launch = trace.call(thread, "cudaLaunchKernel", start + 1000, 4000);
    trace.batch.set(launch, column("api.op"), op);
    const Row kernel = trace.kernel(0, "gemm" + std::to_string(i % 5), start + 5000, 6000, launch);
    trace.batch.set(kernel, column("kernels.op"), op);
    trace.batch.set(kernel, column("kernels.class"), "gemm");
    for (const ColumnId size : {column("kernels.grid_x"), column("kernels.block_x"), column("kernels.regs")})
      trace.batch.set(kernel, size, std::int64_t{128});
    for (const ColumnId size : {column("kernels.grid_y"), column("kernels.grid_z"), column("kernels.block_y"),
                                column("kernels.block_z"), column("kernels.smem")})
      trace.batch.set(kernel, size, std::int64_t{1});
    if (i % 50 != 0) continue;
    trace.copy(0, "d2h", start + 12'000, 1000, trace.call(thread, "cudaMemcpyAsync", start + 11'000, 500));
    trace.call(thread, "cudaStreamSynchronize", start + 11'600, 1500);
  }
  trace.step(0, 0, 4000 * iteration);
  trace.step(1, 4000 * iteration, 4000 * iteration);
  return trace.store();
}

struct Derived {
  FactStore store;
  std::vector<LedgerEntry> ledger;
};

Derived derived_by(unsigned threads) {
  Derived derived{many_events(), {}};
  link_facts(derived.store, nullptr, threads);
  derived.ledger = derive(derived.store, {}, nullptr, threads);
  return derived;
}

/// Whether two columns hold the same values; what is absent equals what is absent.
bool equal(const ColumnData& a, const ColumnData& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&b](const auto& values) {
        using Values = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<Values, std::monostate>) return true;
        else
          return std::ranges::equal(values, std::get<Values>(b), [](const auto& x, const auto& y) {
            return x == y || (is_absent(x) && is_absent(y));
          });
      },
      a);
}

}  // namespace

TEST_CASE("threads derive the same facts", "[engine][derive]") {
  const Derived alone = derived_by(1), together = derived_by(4);
  for (const char* filled :
       {"idle.blame", "idle.culprit", "phases.dur", "op_stats.host_total", "kernel_stats.total", "copy_stats.name",
        "api_stats.total", "ops.flops", "kernels.compute_efficiency", "kernels.blocks_per_sm", "kernels.uncovered"}) {
    INFO(filled);
    const std::string_view name(filled);
    CHECK(alone.store.has(find_column(name.substr(0, name.find('.')), name.substr(name.find('.') + 1))));
  }
  for (std::uint16_t c = 0; c < catalogue_columns.size(); ++c) {
    INFO(catalogue_columns[c].table << "." << catalogue_columns[c].name);
    CHECK(equal(alone.store.data(ColumnId{c}), together.store.data(ColumnId{c})));
  }
  REQUIRE(alone.store.strings.size() == together.store.strings.size());
  for (std::uint32_t id = 0; id < alone.store.strings.size(); ++id)
    CHECK(alone.store.strings[id] == together.store.strings[id]);
  REQUIRE(alone.ledger.size() == 1);
  REQUIRE(together.ledger.size() == 1);
  CHECK(alone.ledger.front().wall_ns == together.ledger.front().wall_ns);
  CHECK(alone.ledger.front().lines.size() == together.ledger.front().lines.size());
}
