// SPDX-License-Identifier: Apache-2.0
// What expressions evaluate to, above all on data that is missing or partial.
#include <random>

#include "engine/eval/render.hpp"
#include "engine/eval/run_context.hpp"
#include "engine/facts/fact_builder.hpp"
#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"

using namespace kdiag;
using tests::evaluate;
using tests::value_of;

namespace {

/// Facts from batches, with a wall of 0 .. 100 us.
FactStore store_of(Batch batch) {
  std::vector<Fragment> fragments(1);
  fragments[0].adapter = "test";
  fragments[0].batches.emplace_back(0, std::move(batch));
  FactStore store = build_facts(std::move(fragments));
  store.walls = {{.basis = WallBasis::device,
                  .window = Interval{0, 100'000},
                  .parts = IntervalSet({0, 100'000}),
                  .length = 100'000}};
  return store;
}

Row add_kernel(Batch& batch, std::int64_t start, std::int64_t dur, const char* name = "k") {
  const Row row = batch.add(table("kernels"));
  batch.set(row, column("kernels.name"), name);
  if (start >= 0) batch.set(row, column("kernels.start"), start);
  if (dur >= 0) batch.set(row, column("kernels.dur"), dur);
  batch.set(row, column("kernels.device"), batch.device(0));
  return row;
}

void add_idle(Batch& batch, std::int64_t start, std::int64_t dur, const char* cause) {
  const Row row = batch.add(table("idle"));
  batch.set(row, column("idle.start"), start);
  batch.set(row, column("idle.dur"), dur);
  batch.set(row, column("idle.device"), batch.device(0));
  if (cause) batch.set(row, column("idle.cause"), cause);
}

FactStore three_kernels() {
  Batch batch;
  add_kernel(batch, 0, 10'000, "gemm");
  add_kernel(batch, 20'000, 10'000, "gemm");
  add_kernel(batch, 25'000, 25'000, "copy");
  return store_of(std::move(batch));
}

}  // namespace

TEST_CASE("unknown follows Kleene's tables and keeps its cause", "[engine][eval]") {
  const FactStore store = three_kernels();
  const std::string unknown = "device.sm_clock_avg > 1GHz";
  const auto both = [&](const std::string& a, const std::string& op, const std::string& b) {
    const std::string forward = evaluate(store, a + " " + op + " " + b, SubjectKind::device);
    CHECK(forward == evaluate(store, b + " " + op + " " + a, SubjectKind::device));
    return forward.substr(0, forward.find(' '));
  };
  CHECK(both("true", "and", unknown) == "unknown");
  CHECK(both("false", "and", unknown) == "false");
  CHECK(both("true", "or", unknown) == "true");
  CHECK(both("false", "or", unknown) == "unknown");
  CHECK(evaluate(store, "not (" + unknown + ")", SubjectKind::device) == "unknown (devices.sm_clock_avg not recorded)");
  CHECK(evaluate(store, "not device.name == \"a\"", SubjectKind::device) ==
        evaluate(store, "device.name != \"a\"", SubjectKind::device));
}

TEST_CASE("absent is not empty", "[engine][eval]") {
  Batch batch;
  add_kernel(batch, 0, 10);
  batch.declare(table("copies"));
  const FactStore store = store_of(std::move(batch));
  CHECK(evaluate(store, "count(copies)") == "0");
  CHECK(evaluate(store, "sum(copies, bytes)") == "0 B");
  CHECK(evaluate(store, "avg(copies, bytes)") == "unknown (no rows)");
  CHECK(evaluate(store, "count(memsets)") == "unknown (memsets not recorded)");
  CHECK(evaluate(store, "sum(kernels, regs)") == "unknown (kernels.regs not recorded)");
  CHECK(evaluate(store, "exists(copies)") == "false");
  CHECK(evaluate(store, "all(copies, bytes > 1B)") == "true");
}

TEST_CASE("aggregates over rows", "[engine][eval]") {
  const FactStore store = three_kernels();
  CHECK(evaluate(store, "count(kernels where name == \"gemm\")") == "2");
  CHECK(evaluate(store, "sum(kernels, dur)") == "45 us");
  CHECK(evaluate(store, "median(kernels, dur)") == "10 us");
  CHECK(evaluate(store, "p(kernels, dur, 75)") == "17.5 us");  // type 7: halfway between 10 and 25
  CHECK(evaluate(store, "mode(kernels, name)") == "gemm");
  CHECK(evaluate(store, "argmax(kernels, dur, name)") == "copy");
  CHECK(evaluate(store, "distinct(kernels, name)") == "2");
  CHECK(evaluate(store, "count(kernels where name =~ /^GE/i)") == "2");
  CHECK(evaluate(store, "count(kernels where name !~ /^GE/i)") == "1");
  CHECK(evaluate(store, "max(kernels, end)") == "+50 us");
  CHECK(evaluate(store, "any(kernels, dur > 20us)") == "true");
  CHECK(evaluate(store, "count(top(kernels, 2, dur))") == "2");
  CHECK(evaluate(store, "argmin(top(kernels, 1, dur), dur, name)") == "copy");
  CHECK(evaluate(store, "max(kernels group by (name) select (t = sum(dur)), t)") == "25 us");
  CHECK(evaluate(store, "argmax(kernels group by (name) select (n = count(), t = sum(dur)), n, name)") == "gemm");
  CHECK(evaluate(store, "count(kernels where device == 0)") == "3");
}

TEST_CASE("consecutive rows stand next to one another on their stream", "[engine][eval]") {
  Batch batch;
  const auto add = [&](std::int64_t start, std::int64_t stream, const char* name) {
    const Row row = add_kernel(batch, start, 1'000, name);
    if (stream >= 0) batch.set(row, column("kernels.stream"), batch.stream(batch.device(0), stream));
  };
  SECTION("in order of start, whatever the order in the file") {
    add(60'000, 7, "e");  // gemm e e | e gemm e, on the other stream e e e
    add(10'000, 7, "gemm");
    add(20'000, 7, "e");
    add(30'000, 7, "e");
    add(50'000, 7, "gemm");
    add(40'000, 7, "e");
    for (int i = 0; i < 3; ++i) add(15'000 + 10'000 * i, 9, "e");
    const FactStore store = store_of(std::move(batch));
    CHECK(evaluate(store, "count(consecutive(kernels where name == \"e\", 1))") == "7");
    CHECK(evaluate(store, "count(consecutive(kernels where name == \"e\", 2))") == "6");
    CHECK(evaluate(store, "count(consecutive(kernels where name == \"e\", 4))") == "0");
    CHECK(evaluate(store, "min(consecutive(kernels where name == \"e\", 3), start)") == "+15 us");
    CHECK(evaluate(store, "count(consecutive(kernels where stream == 7 and name == \"e\", 3) where dur > 0ns)") == "3");
    CHECK(evaluate(store, "count(consecutive(consecutive(kernels where name == \"e\", 2), 3))") == "6");
    CHECK(evaluate(store, "run_means(kernels where name == \"e\", 1)") == "3 us");  // one of each of three runs
    CHECK(evaluate(store, "run_means(kernels where name == \"e\", 3)") == "2 us");
    CHECK(evaluate(store, "run_means(kernels where name == \"e\", 4)") == "0 ns");
  }
  SECTION("a kernel table is in the order of launch") {
    for (const char* name : {"e", "e", "gemm", "e", "e", "e"}) add(-1, -1, name);
    const FactStore store = store_of(std::move(batch));
    CHECK(evaluate(store, "sum(consecutive(kernels where name == \"e\", 3), dur)") == "3 us");
  }
  SECTION("rows of which the filter cannot tell may join runs") {
    std::int64_t start = 0;
    for (const char* cause : {"launch", "launch", static_cast<const char*>(nullptr), "launch", "host_sync"})
      add_idle(batch, start += 10'000, 1'000, cause);
    const FactStore store = store_of(std::move(batch));
    CHECK(evaluate(store, "count(consecutive(idle where cause == \"launch\", 2))") == "2 to 4");
    CHECK(evaluate(store, "count(consecutive(idle where cause == \"launch\", 4))") == "0 to 4");
    CHECK(evaluate(store, "run_means(idle where cause == \"launch\", 2)") == "1 us");
    CHECK(evaluate(store, "run_means(idle where cause == \"launch\", 4)") == "up to 1 us");
  }
}

TEST_CASE("groups of rows of which a filter cannot tell are not known to be all", "[engine][eval]") {
  Batch batch;
  add_idle(batch, 0, 10'000, "launch");
  add_idle(batch, 20'000, 10'000, nullptr);
  const FactStore store = store_of(std::move(batch));
  const std::string groups = "((idle where cause == \"host_sync\") group by (device) select (n = count()))";
  CHECK(evaluate(store, "exists" + groups).starts_with("unknown (idle.cause"));
  CHECK(evaluate(store, "count" + groups) == "at least 0");
}

TEST_CASE("a value with an open end does not look exact", "[engine][eval]") {
  Batch batch;
  add_idle(batch, 0, 10'000, "launch");
  add_idle(batch, 20'000, 10'000, nullptr);
  const FactStore store = store_of(std::move(batch));
  const std::string groups = "((idle where cause == \"host_sync\") group by (device) select (n = count()))";
  CHECK(evaluate(store, "1 - count" + groups + " / 2") == "at most 100 %");
  CHECK(evaluate(store, "1s - 1s * count" + groups) == "at most 1 s");
  CHECK(evaluate(store, "count" + groups + " - count" + groups) == "unknown (partial data)");
}

TEST_CASE("several of something for each of another are a number, parts of one a percentage", "[engine][eval]") {
  const FactStore store = three_kernels();
  CHECK(evaluate(store, "count(kernels) / count(kernels where name == \"copy\")") == "3");
  CHECK(evaluate(store, "count(kernels where name == \"gemm\") / count(kernels)") == "66.7 %");
  const Value value = value_of(store, "count(kernels) / count(kernels where name == \"copy\")");
  const RunContext run(store);
  Type type = types::number(dimensions::ratio);
  type.dimension.quotient = true;
  CHECK(to_entry(value, type, run).unit == "1");
}

TEST_CASE("times stay exact beyond 2^53 ns", "[engine][eval]") {
  Batch batch;
  add_kernel(batch, 1'712'195'495'406'752'801, 1);
  const FactStore store = store_of(std::move(batch));
  const Value start = value_of(store, "min(kernels, start)");
  CHECK(start.as<Range>()->low.integer() == 1'712'195'495'406'752'801);
  CHECK(value_of(store, "min(kernels, start) - 1ns").as<Range>()->low.integer() == 1'712'195'495'406'752'800);
}

TEST_CASE("instants are shown from the run's start, and keep to their clock", "[engine][eval]") {
  Batch batch;
  add_kernel(batch, 1'000, 10);
  add_kernel(batch, 1'501'000, 10);
  const Row sample = batch.add(table("samples"));
  batch.set(sample, column("samples.series"), batch.text("power"));
  batch.set(sample, column("samples.time"), std::int64_t{1'100});
  batch.set(sample, column("samples.value"), 100.0);
  FactStore store = store_of(std::move(batch));
  CHECK(evaluate(store, "min(kernels, start)") == "+1 us");
  CHECK(evaluate(store, "max(kernels, start)") == "+1.5 ms");
  CHECK(evaluate(store, "max(kernels, start) - min(kernels, start)") == "1.5 ms");
  CHECK(evaluate(store, "min(samples, time) - min(kernels, start)") == "100 ns");
  store.samples_aligned = false;
  const std::string_view unaligned = "unknown (samples.time its clock could not be aligned with the trace's)";
  CHECK(evaluate(store, "min(samples, time) - min(kernels, start)") == unaligned);
  CHECK(evaluate(store, "min(samples, time) > run.start") == unaligned);
  CHECK(evaluate(store, "max(samples, time) - min(samples, time)") == "0 ns");
}

TEST_CASE("units convert across dimensions", "[engine][eval]") {
  Batch batch;
  const Row copy = batch.add(table("copies"));
  batch.set(copy, column("copies.bytes"), std::int64_t{1000});
  batch.set(copy, column("copies.dur"), std::int64_t{100});
  batch.set(copy, column("copies.start"), std::int64_t{0});
  batch.set(copy, column("copies.device"), batch.device(0));
  const FactStore store = store_of(std::move(batch));
  CHECK(evaluate(store, "sum(copies, bytes) / sum(copies, dur) == 10GB/s") == "true");
  CHECK(evaluate(store, "sum(copies, bytes) / 10GB/s == 100ns") == "true");
  CHECK(evaluate(store, "10GB/s * 100ns == 1KB") == "true");
  CHECK(evaluate(store, "1 / 1us == 1MHz") == "true");
  CHECK(evaluate(store, "run.wall * 50% == 50us") == "true");
  CHECK(evaluate(store, "1 / (run.wall - 100us)") == "unknown (division by zero)");
}

TEST_CASE("interval functions clip to the wall", "[engine][eval]") {
  const FactStore store = three_kernels();
  CHECK(evaluate(store, "busy(kernels)") == "40 us");
  CHECK(evaluate(store, "length(gaps(kernels))") == "60 us");
  CHECK(evaluate(store, "busy(kernels) / run.wall") == "40 %");
  CHECK(evaluate(store, "exposed(kernels where name == \"copy\", kernels where name == \"gemm\")") == "20 us");
  CHECK(evaluate(store, "overlap(kernels where name == \"copy\", kernels where name == \"gemm\")") == "5 us");
  CHECK(evaluate(store, "concurrency(kernels)") == "1.125");
  CHECK(evaluate(store, "count(kernels during (spans(kernels where name == \"copy\")))") == "2");
  CHECK(evaluate(store, "length(spans(kernels) & gaps(kernels))") == "0 ns");
}

TEST_CASE("rows with an unknown predicate make ranges", "[engine][eval][partial]") {
  Batch batch;
  add_idle(batch, 0, 30'000, "host_sync");
  add_idle(batch, 40'000, 20'000, nullptr);
  add_idle(batch, 70'000, 10'000, "launch");
  const FactStore store = store_of(std::move(batch));
  const Value sum = value_of(store, "sum(idle where cause == \"host_sync\", dur)", SubjectKind::device);
  REQUIRE(sum.as<Range>());
  CHECK(sum.as<Range>()->low == Number(30'000));
  CHECK(sum.as<Range>()->high == Number(50'000));
  CHECK(sum.coverage == Approx(4.0 / 6));  // by time: 40 of 60 us have a cause
  // A condition that says what unknown counts as is known.
  const std::string condition = "sum(idle where cause == \"host_sync\", dur) > ";
  CHECK(value_of(store, condition + "60us", SubjectKind::device).coverage == Approx(4.0 / 6));
  for (const char* decided : {"60us is true", "60us is not true", "40us is not false"})
    CHECK(value_of(store, condition + decided, SubjectKind::device).coverage == 1);
  CHECK(evaluate(store, "sum(idle where cause == \"host_sync\", dur) > 20us", SubjectKind::device) == "true");
  CHECK(evaluate(store, "sum(idle where cause == \"host_sync\", dur) > 60us", SubjectKind::device) == "false");
  // What leaves a comparison open is named, through arithmetic and functions too.
  for (const char* open :
       {"sum(idle where cause == \"host_sync\", dur) > 40us",
        "2 * sum(idle where cause == \"host_sync\", dur) / 1s > 0.008%",
        "busy(idle where cause == \"host_sync\") > 40us", "count(idle where cause == \"launch\") == 1",
        "40us in [min(sum(idle where cause == \"host_sync\", dur), 1s)]"}) {
    CAPTURE(open);
    CHECK(evaluate(store, open, SubjectKind::device) == "unknown (idle.cause not recorded for some rows)");
  }
  CHECK(evaluate(store, "median(idle where cause == \"host_sync\", dur)", SubjectKind::device)
            .starts_with("unknown (idle.cause"));
  CHECK(evaluate(store, "length(spans(idle where cause == \"host_sync\"))", SubjectKind::device) == "30 to 50 us");
}

TEST_CASE("rows of calls that were lost are not known to be few", "[engine][eval][partial]") {
  const std::string name = GENERATE("python_calls", "os_calls", "api", "annotations");
  CAPTURE(name);
  Batch batch;
  add_kernel(batch, 0, 10'000);
  batch.add(find_table(name));
  const Row note = batch.add(table("notes"));
  batch.set(note, column("notes.severity"), "data-loss");
  const FactStore store = store_of(std::move(batch));
  CHECK(evaluate(store, "count(all." + name + ") < 1000").starts_with("unknown"));
  CHECK(evaluate(store, "count(all." + name + ") >= 1") == "true");
}

TEST_CASE("lost rows open one end", "[engine][eval][partial]") {
  Batch batch;
  add_kernel(batch, 0, 10'000);
  add_idle(batch, 10'000, 90'000, "launch");
  const Row note = batch.add(table("notes"));
  batch.set(note, column("notes.severity"), "data-loss");
  const FactStore store = store_of(std::move(batch));
  CHECK(evaluate(store, "count(kernels) >= 1", SubjectKind::device) == "true");
  CHECK(evaluate(store, "count(kernels) < 5", SubjectKind::device).starts_with("unknown"));
  CHECK(evaluate(store, "busy(kernels) < 50us", SubjectKind::device).starts_with("unknown"));
  CHECK(evaluate(store, "busy(kernels) >= 10us", SubjectKind::device) == "true");
  CHECK(evaluate(store, "length(gaps(kernels)) <= 90us", SubjectKind::device) == "true");  // gaps can only shrink
  CHECK(evaluate(store, "sum(idle, dur) <= 90us", SubjectKind::device) == "true");
  CHECK(evaluate(store, "sum(idle, dur) > 10us", SubjectKind::device).starts_with("unknown"));
}

TEST_CASE("coalesce passes over unknown, defined tells", "[engine][eval]") {
  const FactStore store = three_kernels();
  CHECK(evaluate(store, "coalesce(device.sm_clock_avg, 1GHz)", SubjectKind::device) == "1000 MHz");
  CHECK(evaluate(store, "default(count(memsets), 7)", SubjectKind::device) == "7");
  CHECK(evaluate(store, "defined(device.sm_clock_avg)", SubjectKind::device) == "false");
  CHECK(evaluate(store, "baseline(run.wall)", SubjectKind::device) == "unknown (baseline not given)");
}

TEST_CASE("is asks what is known, and answers true or false", "[engine][eval]") {
  const FactStore store = three_kernels();
  const std::string unknown = "device.sm_clock_avg > 1GHz", yes = "count(kernels) == 3", no = "count(kernels) == 4";
  const auto is = [&](const std::string& what, const std::string& state) {
    return evaluate(store, "(" + what + ") is " + state, SubjectKind::device);
  };
  CHECK(is(yes, "true") == "true");
  CHECK(is(no, "true") == "false");
  CHECK(is(unknown, "true") == "false");
  CHECK(is(yes, "false") == "false");
  CHECK(is(no, "false") == "true");
  CHECK(is(unknown, "false") == "false");
  CHECK(is(unknown, "known") == "false");
  CHECK(is(unknown, "not known") == "true");
  CHECK(is(unknown, "not true") == "true");
  CHECK(is(unknown, "not false") == "true");
  CHECK(is(yes, "not false") == "true");
  CHECK(is(no, "not false") == "false");
  CHECK(is("count(kernels)", "known") == "true");
  CHECK(evaluate(store, "count(kernels) > 2 is true and not device.sm_clock_avg is known", SubjectKind::device) ==
        "true");
  CHECK(evaluate(store, "count(kernels where dur > 5us is true)", SubjectKind::device) == "3");
}

TEST_CASE("a value with a condition is unknown where it does not hold", "[engine][eval]") {
  const FactStore store = three_kernels();
  CHECK(evaluate(store, "count(kernels) if count(kernels) > 2", SubjectKind::device) == "3");
  CHECK(evaluate(store, "count(kernels) if count(kernels) > 3", SubjectKind::device) ==
        "unknown (its condition does not hold)");
  CHECK(evaluate(store, "coalesce(1 if false, 2 if true, 3)", SubjectKind::device) == "2");
  CHECK(evaluate(store, "count(kernels) + 1 if true", SubjectKind::device) == "4");
  CHECK(evaluate(store, "if true then 1 if false else 2", SubjectKind::device) ==
        "unknown (its condition does not hold)");
  CHECK(evaluate(store, "1 if device.sm_clock_avg > 1GHz", SubjectKind::device)
            .starts_with("unknown (devices.sm_clock_avg"));
  // Row by row: what the copy would have is not known.
  CHECK(evaluate(store, "max(kernels, dur if name == \"gemm\")", SubjectKind::device) == "at least 10 us");
}

TEST_CASE("series are step functions weighted by time", "[engine][eval]") {
  Batch batch;
  add_kernel(batch, 0, 30'000);
  const auto sample = [&](const char* series, std::int64_t time, double value) {
    const Row row = batch.add(table("samples"));
    batch.set(row, column("samples.series"), series);
    batch.set(row, column("samples.device"), batch.device(0));
    batch.set(row, column("samples.time"), time);
    batch.set(row, column("samples.value"), value);
  };
  sample("sm_clock", 0, 1e9);
  sample("sm_clock", 20'000, 5e8);
  sample("throttle_reasons", 0, 0x40);
  sample("throttle_reasons", 10'000, 0x1);
  sample("throttle_reasons", 15'000, 0x40);
  const FactStore store = store_of(std::move(batch));
  CHECK(evaluate(store, "time_median(series(\"sm_clock\") during spans(kernels))", SubjectKind::device) == "1000 MHz");
  CHECK(evaluate(store, "time_avg(series(\"sm_clock\"))", SubjectKind::device) ==
        "750 MHz");  // the last one holds as long as the one before
  CHECK(evaluate(store, "length(time_where(series(\"sm_clock\"), 0Hz, 600MHz))", SubjectKind::device) == "20 us");
  CHECK(evaluate(store, "length(time_flagged(series(\"throttle_reasons\"), [\"hw_thermal_slowdown\"]))",
                 SubjectKind::device) == "15 us");
  CHECK(evaluate(store, "argmax(top(series(\"throttle_reasons\"), 1), share, meaning)", SubjectKind::device) ==
        "hw_thermal_slowdown");
  CHECK(evaluate(store, "time_median(series(\"power\"))", SubjectKind::device) ==
        "unknown (samples:power not recorded)");
}

TEST_CASE("interval functions agree with a bitmap", "[engine][eval]") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<bool> gemm(1000), other(1000);
    Batch batch;
    const int rows = static_cast<int>(random() % 40);
    for (int i = 0; i < rows; ++i) {
      const auto start = static_cast<std::int64_t>(random() % 1100);
      const auto dur = static_cast<std::int64_t>(random() % 60);
      const bool is_gemm = random() % 2 == 0;
      add_kernel(batch, start, dur, is_gemm ? "gemm" : "other");
      for (std::int64_t t = start; t < start + dur && t < 1000; ++t)
        (is_gemm ? gemm : other)[static_cast<std::size_t>(t)] = true;
    }
    if (rows == 0) continue;
    FactStore store = store_of(std::move(batch));
    store.walls[0] = {
        .basis = WallBasis::device, .window = Interval{0, 1000}, .parts = IntervalSet({0, 1000}), .length = 1000};
    std::int64_t busy = 0, exposed = 0, both = 0, idle = 0;
    for (std::size_t t = 0; t < 1000; ++t) {
      busy += gemm[t] || other[t];
      exposed += gemm[t] && !other[t];
      both += gemm[t] && other[t];
      idle += !gemm[t] && !other[t];
    }
    const auto ns = [&](std::string_view expression) {
      return value_of(store, expression, SubjectKind::device).as<Range>()->low.integer();
    };
    CHECK(ns("busy(kernels)") == busy);
    CHECK(ns("length(gaps(kernels))") == idle);
    CHECK(ns("exposed(kernels where name == \"gemm\", kernels where name == \"other\")") == exposed);
    CHECK(ns("overlap(kernels where name == \"gemm\", kernels where name == \"other\")") == both);
  }
}

TEST_CASE("a kernel row of a timeline takes at most 104 bytes, and 84 more with shapes", "[engine][facts]") {
  const auto bytes = [](ColumnType type) -> std::size_t {
    switch (type) {
      case ColumnType::integer:
      case ColumnType::real: return 8;
      default: return 4;
    }
  };
  constexpr std::string_view of_work[] = {"flops",
                                          "flops_how",
                                          "bytes_moved",
                                          "bytes_how",
                                          "attainable",
                                          "above_attainable",
                                          "compute_efficiency",
                                          "sparse_efficiency",
                                          "memory_efficiency",
                                          "intensity",
                                          "tile_loss",
                                          "alignment"};
  std::size_t row = 0, work = 0;
  for (const ColumnInfo& column : catalogue_columns) {
    // Counters come from kernel tables, which have neither times nor shapes of launches; graphs from few traces; what a
    // kernel has to do from those that record the inputs of operators.
    const bool counter = column.name.ends_with("_util") || column.name == "sm_active" ||
                         column.name == "global_efficiency" || column.name == "shared_efficiency";
    const bool elsewhere = counter || column.name == "graph";
    if (column.table != "kernels" || column.traits.transient || elsewhere) continue;
    const bool shapes = std::find(std::begin(of_work), std::end(of_work), column.name) != std::end(of_work);
    (shapes ? work : row) += bytes(column.type);
  }
  CHECK(row <= 104);
  CHECK(work == 84);
}
