// SPDX-License-Identifier: Apache-2.0
// How many compute units kernels leave empty, and how many of their blocks fit on one.
#include "tests/catch.hpp"

#include <cstdint>
#include <optional>

#include "engine/derive/derive.hpp"
#include "engine/derive/resident_blocks.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;

namespace {

/// A trace of one device of 100 units whose kernels have grids.
struct Grids : Trace {
  Grids() { batch.set(batch.device(0), column("devices.sms"), std::int64_t{100}); }
  Row grid(std::string_view kind, std::int64_t start, std::int64_t dur, std::int64_t blocks) {
    const Row row = kernel(0, "k", start, dur);
    batch.set(row, column("kernels.class"), kind);
    if (blocks > 0) {
      batch.set(row, column("kernels.grid_x"), blocks);
      batch.set(row, column("kernels.grid_y"), std::int64_t{1});
      batch.set(row, column("kernels.grid_z"), std::int64_t{1});
    }
    return row;
  }
  std::vector<std::int64_t> uncovered() {
    FactStore derived = store();
    derive(derived, {});
    const auto values = derived.integers(column("kernels.uncovered"));
    return {values.begin(), values.end()};
  }
};

constexpr UnitResources rtx_3060{
    .threads = 1536, .blocks = 16, .registers = 65536, .shared_memory = 102400, .reserved = 1024};

}  // namespace

TEST_CASE("A kernel alone leaves the units empty for which it has no block", "[engine][derive][coverage]") {
  Grids trace;
  trace.grid("other", 0, 1000, 20);
  trace.grid("other", 1000, 1000, 300);
  CHECK(trace.uncovered() == std::vector<std::int64_t>{800, 0});
}

TEST_CASE("Kernels side by side cover the units together, collectives included", "[engine][derive][coverage]") {
  Grids trace;
  trace.grid("gemm", 0, 1000, 80);
  trace.grid("communication", 0, 1000, 20);
  trace.grid("other", 2000, 1000, 20);
  trace.grid("other", 2500, 1000, 30);
  // Alone for half of their time, together for the other half, where both lose half of what both leave.
  CHECK(trace.uncovered() == std::vector<std::int64_t>{0, absent_integer, 400 + 125, 125 + 350});
}

TEST_CASE("Beside a kernel of unknown grid nothing is known", "[engine][derive][coverage]") {
  Grids trace;
  trace.grid("other", 0, 1000, 20);
  trace.grid("other", 500, 1000, 0);
  trace.grid("other", 1500, 1000, 20);
  CHECK(trace.uncovered() == std::vector<std::int64_t>{absent_integer, absent_integer, 800});
}

TEST_CASE("Blocks fit on a unit as the occupancy calculator counts them", "[engine][derive][coverage]") {
  CHECK(resident_blocks({.threads = 256, .registers = 192, .shared_memory = 8192}, rtx_3060) == 1);
  CHECK(resident_blocks({.threads = 256, .registers = 32, .shared_memory = 0}, rtx_3060) == 6);      // threads
  CHECK(resident_blocks({.threads = 32, .registers = 32, .shared_memory = 0}, rtx_3060) == 16);      // blocks
  CHECK(resident_blocks({.threads = 128, .registers = 32, .shared_memory = 48000}, rtx_3060) == 2);  // shared memory
  CHECK(resident_blocks({.threads = 100, .registers = 40, .shared_memory = 0}, rtx_3060) == 12);     // whole warps
}

TEST_CASE("A block that fits on no unit, or of which a figure is missing, says nothing", "[engine][derive][coverage]") {
  CHECK_FALSE(resident_blocks({.threads = 2048, .registers = 32, .shared_memory = 0}, rtx_3060).has_value());
  CHECK_FALSE(resident_blocks({.threads = 1024, .registers = 255, .shared_memory = 0}, rtx_3060).has_value());
  CHECK_FALSE(resident_blocks({.threads = 256, .registers = absent_small, .shared_memory = 0}, rtx_3060).has_value());
  CHECK_FALSE(resident_blocks({.threads = 0, .registers = 32, .shared_memory = 0}, rtx_3060).has_value());
}
