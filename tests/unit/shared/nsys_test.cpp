// SPDX-License-Identifier: Apache-2.0
// Real captures of Nsight Systems, against sums that SQL makes of the same exports, and against each other.
#include <numeric>
#include <optional>
#include <string>

#include <kdiag/kdiag.hpp>

#include "adapters/json/json.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using tests::real_of;
using tests::rows;
using tests::shared_trace;
using tests::sql;
using tests::total;

namespace {

std::optional<std::int64_t> integer(const Facts& facts, const std::string& expression) {
  const Result<QueryAnswer> answer = query(facts, expression);
  CAPTURE(expression);
  if (!answer) FAIL(render(answer.error()));
  const auto json = adapters::parse_json(answer->json);
  REQUIRE(json);
  return (*json)["value"].integer();
}

const Finding* find(const Report& report, const std::string& rule) {
  for (const Finding& finding : report.findings)
    if (finding.rule == rule) return &finding;
  return nullptr;
}

std::size_t findings_from(const Report& report, Severity least) {
  std::size_t count = 0;
  for (const Finding& finding : report.findings) count += finding.severity >= least ? 1 : 0;
  return count;
}

const std::string tutorial = "nsys_misc/SC23_Programming-Your-GPU-with-OpenMP_Tutorial/";
const std::string cloverleaf = "nsys_pipit/cloverleaf-nsys/perlmutter-cloverleaf-cuda.sqlite";
const std::string flame = "nsys_misc/Flame/Results/torch-ex/torch-ex";

}  // namespace

TEST_CASE("exports hold as much device work as SQL finds in them", "[shared]") {
  const std::string name =
      GENERATE(flame + ".sqlite", tutorial + "report3.sqlite", tutorial + "report4.sqlite",
               std::string("nsys_misc/cp3/report1.sqlite"), std::string("nsys_misc/cp3/report5.sqlite"),
               std::string("nsys_misc/cuda-perf-sandbox/report1.sqlite"), cloverleaf,
               std::string("nsys_pipit/saxpy-mpi-cuda_nsys_perlmutter0.sqlite"));
  CAPTURE(name);
  const Facts facts = tests::load_facts(shared_trace(name));
  CHECK(rows(facts, table("kernels")) == sql(name, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL"));
  CHECK(total(facts, column("kernels.dur")) == sql(name, "SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_KERNEL"));
  CHECK(rows(facts, table("copies")) == sql(name, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_MEMCPY"));
  CHECK(total(facts, column("copies.bytes")) == sql(name, "SELECT sum(bytes) FROM CUPTI_ACTIVITY_KIND_MEMCPY"));
  CHECK(total(facts, column("copies.dur")) == sql(name, "SELECT sum(end - start) FROM CUPTI_ACTIVITY_KIND_MEMCPY"));
  const std::string calls = " FROM CUPTI_ACTIVITY_KIND_RUNTIME WHERE eventClass IN (0, 1)";
  CHECK(rows(facts, table("api")) == sql(name, "SELECT count(*)" + calls));
  CHECK(total(facts, column("api.dur")) == sql(name, "SELECT sum(end - start)" + calls));
  const std::string ids = "(SELECT correlationId" + calls + ")";
  CHECK(integer(facts, "count(all.kernels where defined(launch.name))") ==
        sql(name, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE correlationId IN " + ids));
}

TEST_CASE("a loop that copies around every kernel, and one that does not", "[shared]") {
  const Facts slow = tests::load_facts(shared_trace(tutorial + "report3.sqlite"));
  CHECK(integer(slow, "count(kernels)") == 50);
  CHECK(integer(slow, "count(copies)") == 200);
  // 26.8 s from the first kernel to the end of the last one; the inventory of the traces says 4 % busy.
  CHECK(integer(slow, "max(kernels, end) - min(kernels, start)") == 26'846'897'144);
  CHECK(real_of(slow, "busy(kernels) / run.wall") == Approx(0.0392).margin(0.0001));
  CHECK(integer(slow, "count(copies where src == \"pageable\" and sync)") == 100);
  const Report report = diagnose(slow, *builtin_rules());
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].rule == "copy.repeated");

  const Facts fast = tests::load_facts(shared_trace(tutorial + "report4.sqlite"));
  CHECK(integer(fast, "count(copies)") == 3);
  CHECK(integer(fast, "max(kernels, end) - min(kernels, start)") == 1'066'080'945);
  // What remains are three copies at its ends; its twin's round trips are gone.
  const Report repaired = diagnose(fast, *builtin_rules());
  CHECK(find(repaired, "copy.repeated") == nullptr);
  CHECK(findings_from(repaired, Severity::high) == 0);
}

TEST_CASE("migrations of managed memory are copies of their own kind", "[shared]") {
  const Facts slow = tests::load_facts(shared_trace("nsys_misc/cp3/report1.sqlite"));
  CHECK(integer(slow, "max(kernels, dur)") == 6'251'539'057);
  CHECK(integer(slow, "max(kernels, grid_x * grid_y * grid_z * block_x * block_y * block_z)") == 1);
  CHECK(integer(slow, "count(copies where kind == \"um\")") == 4608);
  CHECK(integer(slow, "sum(copies where dst == \"device\", bytes)") == 536'870'912);
  // One thread works for 6 s, and the device counts as busy.
  const Report alone = diagnose(slow, *builtin_rules());
  REQUIRE_FALSE(alone.findings.empty());
  CHECK(alone.findings[0].rule == "kernel.small-grid");
  CHECK(alone.findings[0].severity == Severity::critical);
  const Facts prefetched = tests::load_facts(shared_trace("nsys_misc/cp3/report5.sqlite"));
  CHECK(integer(prefetched, "max(kernels, dur)") == 599'642);
  CHECK(findings_from(diagnose(prefetched, *builtin_rules()), Severity::medium) == 0);
}

TEST_CASE("waiting for a busy device is no stall", "[shared]") {
  const Facts facts = tests::load_facts(shared_trace(cloverleaf));
  CHECK(integer(facts, "count(api where is_sync and name == \"cudaDeviceSynchronize\")") == 1312);
  CHECK(integer(facts, "sum(api where name == \"cudaDeviceSynchronize\", dur)") == 301'652'956);
  CHECK(integer(facts, "sum(kernels, dur)") == 294'404'540);
  CHECK(integer(facts, "run.wall") == 342'407'810);
  // The device is idle for less than 39 ms beside copies: all that could be won.
  CHECK(integer(facts, "sum(idle where cause == \"host_sync\" and device.id == 0, dur)").value_or(0) < 39'000'000);
  const Report report = diagnose(facts, *builtin_rules());
  CHECK(find(report, "host.sync-stall") == nullptr);
  CHECK(findings_from(report, Severity::medium) == 0);
}

TEST_CASE("where the device's work was not recorded, rules cannot tell", "[shared]") {
  const std::string name =
      GENERATE("nsys_misc/qcu/test/report2.sqlite", "nsys_misc/NVIDIA_SGEMM_PRACTICE/report1.sqlite");
  const Facts facts = tests::load_facts(shared_trace(name));
  CHECK(rows(facts, table("api")) == sql(name, "SELECT count(*) FROM CUPTI_ACTIVITY_KIND_RUNTIME"));
  CHECK_FALSE(facts.loaded().runs[0].store->present(table("kernels")));
  const Report report = diagnose(facts, *builtin_rules());
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].rule == "trace.no-device-work");
  CHECK(report.tally.clear == 1);  // trace.empty: calls are something
  for (const OutcomeEntry& outcome : report.outcomes)
    if (outcome.outcome == Outcome::clear) CHECK(outcome.rule == "trace.empty");
  REQUIRE_FALSE(report.inputs[0].notes.empty());
  const bool traced = name.starts_with("nsys_misc/qcu");
  CHECK(report.inputs[0].notes[0].id == (traced ? "K772" : "K628"));
}

TEST_CASE("steps of a range that was never closed end where the next begins", "[shared]") {
  const Facts facts = tests::load_facts(shared_trace(flame + ".sqlite"));
  CHECK(integer(facts, "count(steps)") == 9);
  CHECK(integer(facts, "count(steps where kind == \"steady\")") == 8);
  // Launched from the beginning of iteration11 until that of iteration19.
  const std::string kernels =
      " FROM CUPTI_ACTIVITY_KIND_KERNEL k JOIN CUPTI_ACTIVITY_KIND_RUNTIME r USING (correlationId) "
      "WHERE r.start >= 2196919565 AND r.start < 2333663303";
  CHECK(integer(facts, "sum(kernels, dur)") == sql(flame + ".sqlite", "SELECT sum(k.end - k.start)" + kernels));
  CHECK(integer(facts, "count(kernels)") == sql(flame + ".sqlite", "SELECT count(*)" + kernels));
  CHECK(real_of(facts, "busy(kernels) / run.wall") > 0.99);
  const Report judged = diagnose(facts, *builtin_rules());
  CHECK(find(judged, "gpu.low-utilization") == nullptr);
  CHECK(find(judged, "layout.conversion") != nullptr);  // 10.3 % of the time in conversions to NHWC and back
}

TEST_CASE("a report and an export of one run say the same", "[shared]") {
  const Facts report = tests::load_facts(shared_trace(flame + "_cuda_gpu_trace_base.csv"));
  const Facts whole = tests::load_facts(shared_trace(flame + ".sqlite"));
  for (const TableId id : {table("kernels"), table("copies"), table("memsets")})
    CHECK(rows(report, id) == rows(whole, id));
  for (const ColumnId id : {column("kernels.dur"), column("copies.dur"), column("memsets.dur"), column("kernels.regs")})
    CHECK(total(report, id) == total(whole, id));
  CHECK(total(report, column("kernels.dur")) == 339'300'381);  // summed over the report by Python
  // Sizes are rounded in reports.
  CHECK(static_cast<double>(total(report, column("copies.bytes"))) ==
        Approx(static_cast<double>(total(whole, column("copies.bytes")))).epsilon(0.0005));
  CHECK(find(diagnose(report, *builtin_rules()), "layout.conversion") != nullptr);
}

TEST_CASE("traces of ranges are read from reports", "[shared]") {
  // Rows and sums of durations by Python.
  const Facts jax = tests::load_facts(shared_trace("nsys_jax/pax_fsdp4_4proc_proc0/report_nvtx_pushpop_trace.csv.xz"));
  CHECK(integer(jax, "count(annotations)") == 27891);
  CHECK(integer(jax, "sum(annotations, dur)") == 297'465'411'510);
  CHECK(integer(jax, "count(annotations where kind == \"communication\")") == 2193);
  CHECK(integer(jax, "sum(annotations where kind == \"communication\", dur)") == 2'623'762'276);
  CHECK(diagnose(jax, *builtin_rules()).findings.empty());
  const Facts nbody = tests::load_facts(shared_trace("nsys_pipit/nbody-nvtx/trace.csv"));
  CHECK(integer(nbody, "count(annotations)") == 131);
  CHECK(integer(nbody, "sum(annotations, dur)") == 1592922291);
}

TEST_CASE("what is no export of Nsight Systems is refused by its name", "[shared]") {
  using Row = std::tuple<std::string, std::string, std::string>;
  const auto [name, id, words] = GENERATE(values<Row>({
      {"nsys_misc/cuda-perf-sandbox/report1.nsys-rep", "K615", "nsys export -t sqlite"},
      {"nsys_misc/profiling-cuda-in-torch/flops.nsys-rep", "K615", "nsys export -t sqlite"},
      {"nsys_jax/pax_fsdp4_4proc_proc0/device-metadata.parquet", "K616", "Parquet"},
      {"nsys_pipit/cloverleaf-nsys/cloverleaf_gpu_trace.csv", "K692", "Pipit"},
      {"hostile_pointers/lfs_pointers_koshiq/report1.sqlite", "K614", "git lfs pull"},
  }));
  CAPTURE(name);
  const Result<Facts> facts = load_trace(shared_trace(name));
  REQUIRE_FALSE(facts);
  CHECK(facts.error().front().id == id);
  CHECK((facts.error().front().title + facts.error().front().help).find(words) != std::string::npos);
}
