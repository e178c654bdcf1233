// SPDX-License-Identifier: Apache-2.0
// Which fragments become one run.
#include "ingest/assemble.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/units.hpp"

using namespace kdiag;
using kdiag::tests::second;

namespace {

struct GivenFragments {
  std::vector<SourceFragment> fragments;

  Fragment& add(std::size_t input, RunInfo info) {
    Fragment fragment;
    fragment.info = std::move(info);
    fragment.input = "dir/input" + std::to_string(input) + ".json";
    fragments.push_back({std::move(fragment), input});
    return fragments.back().fragment;
  }
  /// A trace with one kernel on a device.
  void trace(std::size_t input, std::optional<std::int64_t> rank, std::int64_t start,
             ClockDomain clock = ClockDomain::unix_ns, std::int64_t device = 0) {
    RunInfo info;
    info.rank = rank;
    info.clock = clock;
    Batch batch;
    const Row row = batch.add(table("kernels"));
    batch.set(row, column("kernels.start"), start);
    batch.set(row, column("kernels.dur"), second);
    batch.set(row, column("kernels.device"), batch.device(device));
    add(input, info).batches.emplace_back(0, std::move(batch));
  }
  /// A trace of PyTorch without rank, of that name, that exchanges data with others.
  void exchanging(std::size_t input, const std::string& name, std::int64_t start,
                  ClockDomain clock = ClockDomain::unix_ns) {
    trace(input, {}, start, clock);
    Fragment& fragment = fragments.back().fragment;
    fragment.adapter = "pytorch-kineto";
    fragment.input = name;
    fragment.batches.front().second.add(table("comms"));
  }
  /// Telemetry with a sample a second from first to last.
  void telemetry(std::size_t input, std::int64_t first, std::int64_t last, ClockDomain clock = ClockDomain::unix_ns,
                 std::int64_t device = 0) {
    RunInfo info;
    info.telemetry = true;
    info.clock = clock;
    Batch batch;
    for (std::int64_t time = first; time <= last; time += second) {
      const Row row = batch.add(table("samples"));
      batch.set(row, column("samples.time"), time);
      batch.set(row, column("samples.device"), batch.device(device));
    }
    add(input, info).batches.emplace_back(0, std::move(batch));
  }

  Assembly assemble() { return kdiag::assemble(std::move(fragments)); }
};

std::vector<std::vector<std::size_t>> inputs_of(const Assembly& assembly) {
  std::vector<std::vector<std::size_t>> inputs;
  for (const AssembledRun& run : assembly.runs) inputs.push_back(run.inputs);
  return inputs;
}

std::vector<std::pair<std::size_t, std::string>> notes_of(const Assembly& assembly) {
  std::vector<std::pair<std::size_t, std::string>> notes;
  for (const auto& [input, note] : assembly.notes) notes.emplace_back(input, note.id);
  return notes;
}

using Inputs = std::vector<std::vector<std::size_t>>;
using Notes = std::vector<std::pair<std::size_t, std::string>>;
using kdiag::tests::noon;

}  // namespace

TEST_CASE("ranks whose times overlap are one run", "[api][assemble]") {
  GivenFragments given;
  for (std::size_t rank = 0; rank < 3; ++rank)
    given.trace(rank, static_cast<std::int64_t>(rank), noon + static_cast<std::int64_t>(rank) * second / 2);
  const Assembly assembly = given.assemble();
  CHECK(inputs_of(assembly) == Inputs{{0, 1, 2}});
  CHECK(notes_of(assembly).empty());
  CHECK(assembly.runs[0].label == "input0.json and 2 more");
}

TEST_CASE("ranks whose times cannot be compared are one run", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, 0, noon);
  given.trace(1, 1, 5 * second, ClockDomain::device);
  CHECK(inputs_of(given.assemble()) == Inputs{{0, 1}});
}

TEST_CASE("the same rank twice starts another run and a note says so", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, 3, noon);
  given.trace(1, 3, noon);
  const Assembly assembly = given.assemble();
  CHECK(inputs_of(assembly) == Inputs{{0}, {1}});
  CHECK(notes_of(assembly) == Notes{{1, "K681"}});
  CHECK(assembly.notes[0].second.text.find("rank 3") != std::string::npos);
}

TEST_CASE("inputs that state no rank are runs of their own", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, {}, noon);
  given.trace(1, {}, noon);
  const Assembly assembly = given.assemble();
  CHECK(inputs_of(assembly) == Inputs{{0}, {1}});
  CHECK(notes_of(assembly) == Notes{{1, "K682"}});
}

TEST_CASE("traces that exchange data at one time are ranks where their names differ in numbers alone",
          "[api][assemble]") {
  GivenFragments given;
  given.exchanging(0, "log/worker0.1712195495123.pt.trace.json", noon);
  given.exchanging(1, "log/worker1.1712195495456.pt.trace.json", noon + second / 2);
  const Assembly assembly = given.assemble();
  CHECK(inputs_of(assembly) == Inputs{{0, 1}});
  CHECK(notes_of(assembly) == Notes{{0, "K703"}, {1, "K703"}});
  CHECK(assembly.runs[0].fragments[1].info.rank == 1);
}

TEST_CASE("a process number gives ranks their order", "[api][assemble]") {
  GivenFragments given;
  given.exchanging(0, "log/host_4243.1712195495123.pt.trace.json", noon);
  given.exchanging(1, "log/host_4242.1712195495456.pt.trace.json", noon);
  const Assembly assembly = given.assemble();
  REQUIRE(inputs_of(assembly) == Inputs{{0, 1}});
  CHECK(assembly.runs[0].fragments[0].info.rank == 1);
  CHECK(assembly.runs[0].fragments[1].info.rank == 0);
}

TEST_CASE("names that differ in numbers say no ranks at other times, without dates or in other words",
          "[api][assemble]") {
  GivenFragments later;
  later.exchanging(0, "trace_0.json", noon);
  later.exchanging(1, "trace_1.json", noon + 10 * second);
  CHECK(notes_of(later.assemble()) == Notes{{1, "K682"}});
  GivenFragments dateless;
  dateless.exchanging(0, "trace_0.json", second, ClockDomain::device);
  dateless.exchanging(1, "trace_1.json", second, ClockDomain::device);
  CHECK(inputs_of(dateless.assemble()) == Inputs{{0}, {1}});
  GivenFragments pair;
  pair.exchanging(0, "before_1.json", noon);
  pair.exchanging(1, "after_2.json", noon);
  CHECK(inputs_of(pair.assemble()) == Inputs{{0}, {1}});
  GivenFragments silent;
  silent.exchanging(0, "trace_0.json", noon);
  silent.trace(1, {}, noon);
  silent.fragments.back().fragment.adapter = "pytorch-kineto";
  silent.fragments.back().fragment.input = "trace_1.json";
  CHECK(inputs_of(silent.assemble()) == Inputs{{0}, {1}});
}

TEST_CASE("disjoint times start another run and later ranks find theirs", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, 0, noon);
  given.trace(1, 0, noon + 100 * second);
  given.trace(2, 1, noon + 100 * second);
  given.trace(3, 1, noon);
  const Assembly assembly = given.assemble();
  CHECK(inputs_of(assembly) == Inputs{{0, 3}, {1, 2}});
  CHECK(notes_of(assembly) == Notes{{1, "K681"}});

  given.trace(0, 0, noon);
  given.trace(1, 1, noon + 100 * second);
  CHECK(notes_of(given.assemble()) == Notes{{1, "K683"}});
}

TEST_CASE("runs that one input announces stay apart and are numbered", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, 0, noon);
  given.trace(0, 1, noon);
  const Assembly assembly = given.assemble();
  REQUIRE(inputs_of(assembly) == Inputs{{0}, {0}});
  CHECK(notes_of(assembly) == Notes{{0, "K680"}});
  CHECK(assembly.runs[0].label == "input0.json#1");
  CHECK(assembly.runs[1].label == "input0.json#2");
}

TEST_CASE("the runs of two files pair up one by one, however many a file has", "[api][assemble]") {
  constexpr std::size_t runs = 10'000;
  GivenFragments given;
  for (const std::size_t input : {0U, 1U})
    for (std::size_t run = 0; run < runs; ++run) given.trace(input, static_cast<std::int64_t>(input), noon);
  given.trace(0, 2, noon);  // input 0 again: each run has it
  const Assembly assembly = given.assemble();
  REQUIRE(assembly.runs.size() == runs + 1);
  for (std::size_t run = 0; run < runs; ++run) REQUIRE(assembly.runs[run].inputs == std::vector<std::size_t>{0, 1});
  CHECK(assembly.runs.back().inputs == std::vector<std::size_t>{0});
}

TEST_CASE("the label that an adapter gives stands", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, 0, noon);
  given.fragments[0].fragment.info.label = "worker0";
  CHECK(given.assemble().runs[0].label == "worker0");
}

TEST_CASE("telemetry joins the run that it overlaps, wherever it stands", "[api][assemble]") {
  GivenFragments given;
  given.telemetry(0, noon - 10 * second, noon + 10 * second);
  given.trace(1, {}, noon + 1000 * second);
  given.trace(2, {}, noon);
  const Assembly assembly = given.assemble();
  CHECK(inputs_of(assembly) == Inputs{{1}, {0, 2}});
  CHECK(assembly.runs[1].label == "input2.json");
  CHECK(assembly.runs[1].samples_aligned);
}

TEST_CASE("telemetry that overlaps two runs joins both", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, {}, noon);
  given.trace(1, {}, noon + 20 * second);
  given.telemetry(2, noon - second, noon + 30 * second);
  Assembly assembly = given.assemble();
  REQUIRE(inputs_of(assembly) == Inputs{{0, 2}, {1, 2}});
  for (AssembledRun& run : assembly.runs) {
    const FactStore store = build_facts(std::move(run.fragments));
    CHECK(store.rows(table("samples")) == 32);
    CHECK(store.rows(table("kernels")) == 1);
    CHECK(store.rows(table("devices")) == 1);
  }
}

TEST_CASE("telemetry that overlaps no trace is a run of its own", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, {}, noon);
  given.telemetry(1, noon + 100 * second, noon + 110 * second);
  const Assembly assembly = given.assemble();
  CHECK(inputs_of(assembly) == Inputs{{0}, {1}});
  CHECK(notes_of(assembly) == Notes{{1, "K686"}});
}

TEST_CASE("telemetry without a trace is one run", "[api][assemble]") {
  GivenFragments given;
  given.telemetry(0, noon, noon + 10 * second, ClockDomain::local_ns);
  given.telemetry(1, noon + 5 * second, noon + 15 * second, ClockDomain::local_ns);
  CHECK(inputs_of(given.assemble()) == Inputs{{0, 1}});
}

TEST_CASE("local time moves to UTC when one zone alone fits", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, {}, noon);
  given.telemetry(1, noon + 2 * 3600 * second - 5 * second, noon + 2 * 3600 * second + 5 * second,
                  ClockDomain::local_ns);
  Assembly assembly = given.assemble();
  REQUIRE(inputs_of(assembly) == Inputs{{0, 1}});
  CHECK(notes_of(assembly) == Notes{{1, "K684"}});
  CHECK(assembly.notes[0].second.text.find("UTC+02:00") != std::string::npos);
  CHECK(assembly.runs[0].samples_aligned);
  const FactStore store = build_facts(std::move(assembly.runs[0].fragments));
  CHECK(store.integer(column("samples.time"), 0) == noon - 5 * second);
  CHECK(store.integer(column("kernels.start"), 0) == noon);
}

TEST_CASE("samples that fit under several zones or none stay unaligned", "[api][assemble]") {
  const auto [first, last, reason] = GENERATE(table<std::int64_t, std::int64_t, std::string>({
      {-3600 * second, 3600 * second, "several"},
      {100 * 3600 * second, 100 * 3600 * second + second, "no time zone"},
  }));
  GivenFragments given;
  given.trace(0, {}, noon);
  given.telemetry(1, noon + first, noon + last, ClockDomain::local_ns);
  const Assembly assembly = given.assemble();
  REQUIRE(inputs_of(assembly) == Inputs{{0, 1}});
  CHECK_FALSE(assembly.runs[0].samples_aligned);
  CHECK(notes_of(assembly) == Notes{{1, "K685"}});
  CHECK(assembly.notes[0].second.text.find(reason) != std::string::npos);
}

TEST_CASE("telemetry without dates joins the only run unaligned, and none of several", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, {}, noon);
  given.telemetry(1, 0, 5 * second, ClockDomain::device);
  const Assembly one = given.assemble();
  CHECK(inputs_of(one) == Inputs{{0, 1}});
  CHECK_FALSE(one.runs[0].samples_aligned);

  given = {};
  given.trace(0, {}, noon);
  given.trace(1, {}, noon);
  given.telemetry(2, 0, 5 * second, ClockDomain::device);
  const Assembly several = given.assemble();
  CHECK(inputs_of(several) == Inputs{{0}, {1}, {2}});
  CHECK(notes_of(several) == Notes{{1, "K682"}, {2, "K687"}});
}

TEST_CASE("a telemetry device joins the rank that works on it", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, 4, noon, ClockDomain::unix_ns, 0);
  given.trace(1, 5, noon, ClockDomain::unix_ns, 1);
  given.fragments[0].fragment.batches[0].second.device(1);  // listed, not used
  given.telemetry(2, noon, noon + second, ClockDomain::unix_ns, 1);
  Assembly assembly = given.assemble();
  CHECK(notes_of(assembly).empty());
  const FactStore store = build_facts(std::move(assembly.runs.at(0).fragments));
  const std::uint32_t device = store.index(column("samples.device"), 0);
  CHECK(store.integer(column("devices.id"), device) == 1);
  CHECK(store.small(column("ranks.id"), store.index(column("devices.rank"), device)) == 5);
  CHECK(store.rows(table("devices")) == 3);
}

TEST_CASE("a device number that several ranks use belongs to none of them", "[api][assemble]") {
  GivenFragments given;
  given.trace(0, 0, noon);
  given.trace(1, 1, noon);
  given.telemetry(2, noon, noon + second);
  SECTION("unless the hosts tell") {
    given.fragments[0].fragment.info.host = "node1";
    given.fragments[1].fragment.info.host = "node2";
    given.fragments[2].fragment.info.host = "node2";
    CHECK(notes_of(given.assemble()).empty());
  }
  SECTION("which a note says") {
    Assembly assembly = given.assemble();
    CHECK(notes_of(assembly) == Notes{{2, "K688"}});
    const FactStore store = build_facts(std::move(assembly.runs.at(0).fragments));
    CHECK(store.index(column("devices.rank"), store.index(column("samples.device"), 0)) == absent_index);
  }
}

TEST_CASE("run ids count through the alphabet", "[api][assemble]") {
  CHECK(run_id(0) == "A");
  CHECK(run_id(25) == "Z");
  CHECK(run_id(26) == "AA");
  CHECK(run_id(27) == "AB");
  CHECK(run_id(26 + 26 * 26) == "AAA");
}
