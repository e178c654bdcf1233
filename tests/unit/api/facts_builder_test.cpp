// SPDX-License-Identifier: Apache-2.0
// Facts of a host, its adapters, and reading columns back.
#include <kdiag/columns.hpp>
#include <kdiag/facts_builder.hpp>
#include <kdiag/host_adapter.hpp>
#include <kdiag/input.hpp>

#include <stdexcept>
#include <string>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

std::string text_of_query(const Facts& facts, std::string_view expression) {
  const auto answer = query(facts, expression);
  return answer ? answer->text : render(answer.error());
}

/// "ACME" and then a duration for each line.
class AcmeAdapter final : public HostAdapter {
 public:
  explicit AcmeAdapter(int certainty) : certainty_(certainty) {}
  std::string_view id() const override { return "acme"; }
  int sniff(const Head& head) const noexcept override { return head.bytes.starts_with("ACME") ? certainty_ : 0; }
  Status read(Input& input, FactSink& sink) const override {
    char buffer[100];
    const auto got = input.read(buffer);
    if (!got) return got.error();
    if (*got < 5) throw std::runtime_error("too short");
    Batch batch;
    const Row kernel = batch.add(table("kernels"));
    batch.set(kernel, column("kernels.dur"), static_cast<std::int64_t>(*got));
    sink.submit(0, std::move(batch));
    return ok_status();
  }

 private:
  int certainty_;
};

}  // namespace

TEST_CASE("facts are built of rows and judged as those of a trace", "[api][builder]") {
  FactsBuilder builder("simulator", {.label = "run 7", .producer = "sim 1.0"});
  FactRows& rows = builder.rows();
  for (std::int64_t i = 0; i < 4; ++i) {
    const Row kernel = rows.add("kernels");
    rows.set(kernel, "name", "gemm");
    rows.set(kernel, "start", i * 1000);
    rows.set(kernel, "dur", std::int64_t{250});
    rows.set(kernel, "device", rows.batch().device(0));
    rows.set(kernel, "occupancy", 0.5);
  }
  const Result<Facts> facts = std::move(builder).build();
  REQUIRE(facts);
  CHECK(facts->inputs()[0].path == "simulator");
  CHECK(facts->inputs()[0].adapter == "host");
  CHECK(facts->inputs()[0].producer == "sim 1.0");
  CHECK(text_of_query(*facts, "busy(kernels) / run.wall") == "30.8 %\n");  // 1000 of 3250 ns
  CHECK(text_of_query(*facts, "count(kernel_stats)") == "1\n");            // derived
}

TEST_CASE("mistakes of a builder are told all at once, each once", "[api][builder]") {
  FactsBuilder builder("simulator");
  FactRows& rows = builder.rows();
  rows.add("kernls");
  rows.add("devices");
  for (int i = 0; i < 3; ++i) {
    const Row kernel = rows.add("kernels");
    rows.set(kernel, "duration", std::int64_t{1});
    rows.set(kernel, "dur", 1.5);
    rows.set(kernel, "dur", std::int64_t{-1});
    rows.set(kernel, "regs", std::int64_t{1} << 40);
    rows.set(kernel, "name", true);
    rows.set(kernel, "class", "gem");
    rows.set(kernel, "device", kernel);
    rows.set(kernel, "device", Row{table("devices"), 9});
    rows.set(Row{table("kernels"), 99}, "dur", std::int64_t{1});
  }
  const Result<Facts> facts = std::move(builder).build();
  REQUIRE_FALSE(facts);
  std::string titles;
  for (const Diagnostic& error : facts.error())
    titles += error.id + " " + error.title + (error.help.empty() ? "" : "; " + error.help) + "\n";
  CHECK(titles ==
        "K302 unknown table 'kernls'; did you mean 'kernels'?\n"
        "K221 rows of 'devices' are found by their key, not added; Ask for the row by its id.\n"
        "K301 unknown column 'kernels.duration'\n"
        "K222 'kernels.dur' holds whole numbers, and a number with a fraction was given\n"
        "K222 'kernels.dur' is a duration, and a negative one was given\n"
        "K222 'kernels.regs' holds whole numbers of 32 bits, and a larger one was given\n"
        "K222 'kernels.name' holds texts, and true or false was given\n"
        "K222 'gem' is no value of 'kernels.class'; did you mean 'gemm'?\n"
        "K221 'kernels.device' refers to devices, and a row of kernels was given\n"
        "K221 'kernels.device' was given a row that is not one of these rows\n"
        "K221 a row of 'kernels' is not one of these rows\n");
  CHECK(render(facts.error()).starts_with("simulator: error[K302]"));
}

TEST_CASE("owners of rows by key are checked, and a row of no table is a mistake where nothing made it one",
          "[api][builder]") {
  FactsBuilder builder("simulator");
  FactRows& rows = builder.rows();
  const Row rank = rows.batch().rank(2);
  const Row device = rows.device(0, rank);
  CHECK(device.index != rows.device(0, {}).index);
  CHECK(rows.stream(device, 7).index == rows.batch().stream(device, 7).index);
  const Row outer = rows.frame("train.py", 3, "main", "line");
  CHECK(rows.frame("model.py", 4, "", "", outer).index == 1);
  rows.thread(1, 2, rank);
  CHECK(rows.mistakes().empty());
  const Row none = rows.stream(Row{}, 1);
  CHECK(!none.table.valid());
  rows.set(none, "priority", std::int64_t{1});
  rows.stream(outer, 1);
  rows.device(1, Row{table("ranks"), 9});
  rows.frame("model.py", 4, "", "lines");
  std::string titles;
  for (const Diagnostic& mistake : rows.mistakes()) titles += mistake.id + " " + mistake.title + "\n";
  CHECK(titles ==
        "K221 'streams.device' was given a row of no table\n"
        "K221 'streams.device' refers to devices, and a row of frames was given\n"
        "K221 'devices.rank' was given a row that is not one of these rows\n"
        "K222 'lines' is no value of 'frames.how'\n");
}

TEST_CASE("a builder without rows is an error, a declared table without rows is empty", "[api][builder]") {
  const Result<Facts> none = FactsBuilder("empty").build();
  REQUIRE_FALSE(none);
  CHECK(none.error().front().id == "K695");
  FactsBuilder builder("one kernel");
  builder.rows().declare("copies");
  builder.rows().set(builder.rows().add("kernels"), "dur", std::int64_t{5});
  const Result<Facts> facts = std::move(builder).build();
  REQUIRE(facts);
  CHECK(text_of_query(*facts, "count(copies)") == "0\n");
  CHECK(text_of_query(*facts, "count(memsets)") != "0\n");
}

TEST_CASE("columns are read without a copy, with absent values as such", "[api][columns]") {
  FactsBuilder builder("three kernels");
  FactRows& rows = builder.rows();
  for (std::int64_t i = 0; i < 3; ++i) {
    const Row kernel = rows.add("kernels");
    if (i != 1) rows.set(kernel, "dur", i + 5);
    rows.set(kernel, "name", i == 2 ? "b" : "a");
  }
  const Result<Facts> facts = std::move(builder).build();
  REQUIRE(facts);
  REQUIRE(run_count(*facts) == 1);
  CHECK(row_count(*facts, 0, table("kernels")) == 3U);
  CHECK_FALSE(row_count(*facts, 0, table("copies")));
  const auto durations = std::get<std::span<const std::int64_t>>(column_values(*facts, 0, column("kernels.dur")));
  CHECK(std::vector<std::int64_t>(durations.begin(), durations.end()) ==
        std::vector<std::int64_t>{5, absent_integer, 7});
  const Facts copy = *facts;
  const auto again = std::get<std::span<const std::int64_t>>(column_values(copy, 0, column("kernels.dur")));
  CHECK(again.data() == durations.data());
  const auto names = std::get<std::span<const std::uint32_t>>(column_values(*facts, 0, column("kernels.name")));
  CHECK(text_of(*facts, 0, names[2]) == "b");
  CHECK(text_of(*facts, 0, absent_index).empty());
  CHECK(names[2] < text_count(*facts, 0));
  CHECK(column_provider(*facts, 0, column("kernels.dur")) == "host");
  CHECK(std::holds_alternative<std::monostate>(column_values(*facts, 0, column("kernels.regs"))));
  CHECK(column_provider(*facts, 0, column("kernels.regs")).empty());
}

TEST_CASE("an adapter of the host reads what it is surest of", "[api][adapter]") {
  const AcmeAdapter adapter(50);
  LoadOptions options;
  options.adapters = {&adapter};
  const auto load = [&](std::string_view text) { return load_trace("x", std::span<const char>(text), options); };
  const Result<Facts> facts = load("ACME\nsome lines\n");
  REQUIRE(facts);
  CHECK(facts->inputs()[0].adapter == "acme");
  CHECK(text_of_query(*facts, "max(kernels, dur)") == "16 ns\n");

  const Result<Facts> failed = load("ACME");
  REQUIRE_FALSE(failed);
  CHECK(render(failed.error()).starts_with("x: error[K762]: the adapter 'acme' of the host failed: too short"));

  const Result<Facts> other = load("Kernel Latency Tensor DRAM\ngemm | 5 0.1 0.2\n");
  REQUIRE(other);
  CHECK(other->inputs()[0].adapter == "kernel-table");
}
