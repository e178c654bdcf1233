// SPDX-License-Identifier: Apache-2.0
// Real databases of AMD's profilers, against sums that SQL makes of them and against the same captures in other
// formats.
#include <string>
#include <tuple>

#include <kdiag/kdiag.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

const std::string rpd = "amd_rpd/examples/rocm-profile-data/results/matmul_result";
const std::string v1 = "amd_hip_programming/results";

}  // namespace

TEST_CASE("RPD files hold as much work and as many calls as SQL finds in them", "[shared][amd]") {
  const std::string name = GENERATE(rpd + ".rpd", rpd + "_large.rpd");
  CAPTURE(name);
  const Facts facts = load_facts(shared_trace(name));
  // The views of the tracer itself: kernel, copyop, op.
  CHECK(rows(facts, table("kernels")) == sql(name, "SELECT count(*) FROM kernel"));
  CHECK(total(facts, column("kernels.dur")) == sql(name, "SELECT sum(duration) FROM kernel"));
  CHECK(rows(facts, table("copies")) == sql(name, "SELECT count(*) FROM copyop"));
  CHECK(total(facts, column("copies.dur")) == sql(name, "SELECT sum(duration) FROM copyop"));
  CHECK(rows(facts, table("memsets")) == sql(name, "SELECT count(*) FROM op WHERE opType = 'FillBuffer'"));
  CHECK(total(facts, column("memsets.dur")) ==
        sql(name, "SELECT sum(end - start) FROM op WHERE opType = 'FillBuffer'"));
  CHECK(rows(facts, table("api")) == sql(name, "SELECT count(*) FROM api WHERE apiName LIKE 'hip%'"));
  CHECK(total(facts, column("api.dur")) == sql(name, "SELECT sum(end - start) FROM api WHERE apiName LIKE 'hip%'"));
  CHECK(rows(facts, table("annotations")) == sql(name, "SELECT count(*) FROM api WHERE apiName NOT LIKE 'hip%'"));
  CHECK(rows(facts, table("samples")) == sql(name, "SELECT count(*) FROM rocpd_monitor"));
  CHECK(integer_of(facts, "count(api where is_sync)") ==
        sql(name, "SELECT count(*) FROM api WHERE apiName = 'hipMemcpyWithStream'"));
  CHECK(integer_of(facts, "sum(kernels, dur)") + integer_of(facts, "sum(copies, dur)") +
            integer_of(facts, "sum(memsets, dur)") ==
        sql(name, "SELECT GpuTime FROM busy"));
}

TEST_CASE("RPD states sizes of copies at their calls, and grids in the unit of the call", "[shared][amd]") {
  const Facts facts = load_facts(shared_trace(rpd + ".rpd"));
  CHECK(integer_of(facts, "sum(copies where kind == \"h2d\", bytes)") == 2'032'000'000);
  CHECK(integer_of(facts, "sum(copies where kind == \"d2h\", bytes)") == 296);
  // hipExtModuleLaunchKernel asked for 1792 x 782 work-items in blocks of 256: seven tiles of 128 rows cover 800.
  CHECK(integer_of(facts, "count(kernels where grid_x == 7 and grid_y == 782)") == 1);
  CHECK(integer_of(facts, "count(kernels where grid_x == 1 and grid_y == 6)") == 1);
  // 20 GB do not fit the column's 32 bits; the file has a blank there.
  const Facts large = load_facts(shared_trace(rpd + "_large.rpd"));
  CHECK(rows(large, table("copies")) == 55);
  CHECK(total(large, column("copies.bytes")) == 160'000'000 + 296);
}

TEST_CASE("RPD and its Chrome export agree up to the export's microseconds", "[shared][amd]") {
  const Facts file = load_facts(shared_trace(rpd + ".rpd"));
  const Facts exported = load_facts(shared_trace(rpd + ".json"));
  const auto [kernels, copies] = std::tuple(integer_of(file, "count(kernels)"), integer_of(file, "count(copies)"));
  CHECK(integer_of(exported, "count(kernels)") == kernels);
  const std::int64_t cut = integer_of(file, "sum(kernels, dur)") - integer_of(exported, "sum(kernels, dur)");
  CHECK(cut >= 0);
  CHECK(cut < 1000 * kernels);
  CHECK(integer_of(exported, "count(copies)") == copies);
}

TEST_CASE("rocprof's database has the totals of its tables", "[shared][amd]") {
  const Facts facts = load_facts(shared_trace(v1 + ".db"));
  const Facts kernels = load_facts(shared_trace(v1 + ".stats.csv"));
  const Facts calls = load_facts(shared_trace(v1 + ".hip_stats.csv"));
  const Facts copies = load_facts(shared_trace(v1 + ".copy_stats.csv"));
  CHECK(integer_of(facts, "sum(kernels, dur)") == integer_of(kernels, "sum(kernel_stats, total)"));
  CHECK(integer_of(facts, "sum(api, dur)") == integer_of(calls, "sum(api_stats, total)"));
  CHECK(integer_of(facts, "count(api)") == integer_of(calls, "sum(api_stats, calls)"));
  CHECK(integer_of(facts, "sum(copies, dur)") == integer_of(copies, "sum(copy_stats, total)"));
  CHECK(integer_of(facts, "count(copies)") == integer_of(copies, "sum(copy_stats, calls)"));
  CHECK(integer_of(facts, "sum(copies, bytes)") == 12'000'000'000);
  CHECK(integer_of(facts, "count(kernels where grid_x == 3906250 and block_x == 256)") == 1);
}
