// SPDX-License-Identifier: Apache-2.0
// Inputs of custom formats, end to end: which mapping reads which input, and what is said where none does.
#include <kdiag/kdiag.hpp>

#include <algorithm>
#include <fstream>
#include <string>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/examples.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;
using kdiag::tests::examples;

namespace {

TraceMap example_map(const std::string& name) {
  Result<TraceMap> map = load_map(examples + "maps/" + name + ".yaml");
  REQUIRE(map);
  return *map;
}

LoadOptions with(std::vector<TraceMap> maps) {
  LoadOptions options;
  options.maps = std::move(maps);
  return options;
}

Result<Facts> load_text(std::string_view text, const LoadOptions& options) {
  return load_trace("log.csv", {text.data(), text.size()}, options);
}

const NoteEntry* find_note(const InputEntry& input, std::string_view id) {
  const auto found =
      std::find_if(input.notes.begin(), input.notes.end(), [id](const NoteEntry& note) { return note.id == id; });
  return found == input.notes.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a mapped log is a run like any other", "[api][mapping]") {
  const Facts facts = load_facts(examples + "traces/trainer_log.csv", with({example_map("trainer_log")}));
  CHECK(facts.inputs()[0].adapter == "trainer-log");
  CHECK(facts.inputs()[0].producer == "our trainer 3.1");
  CHECK(facts.inputs()[0].notes.empty());
  CHECK(integer_of(facts, "count(steps)") == 2);
  CHECK(integer_of(facts, "count(kernels)") == 6);
  CHECK(integer_of(facts, "sum(kernels, dur)") == 380'000'000);
  CHECK(integer_of(facts, "sum(copies where kind == \"h2d\", bytes)") == 2 * 49152 * 1024);
  CHECK(integer_of(facts, "run.wall") == 490'000'000);
  const Report report = diagnose(facts, *builtin_rules());
  REQUIRE(report.ledger.size() == 1);
  CHECK(report.ledger[0].basis == LedgerBasis::timeline);
}

TEST_CASE("each input is read by the mapping that is for it, and joined", "[api][mapping]") {
  const std::string paths[] = {examples + "traces/trainer_log.csv", examples + "traces/gpu_monitor.jsonl",
                               examples + "traces/item_storm.json"};
  const std::vector<TraceMap> maps = {example_map("gpu_monitor"), example_map("trainer_log")};
  const Result<Facts> all = load_traces(paths, with(maps));
  REQUIRE(all);
  CHECK(all->inputs()[0].adapter == "trainer-log");
  CHECK(all->inputs()[1].adapter == "gpu-monitor");
  CHECK(all->inputs()[2].adapter == "pytorch-kineto");
  const Result<Facts> both = load_traces(std::span(paths).first(2), with(maps));
  REQUIRE(both);
  CHECK(both->loaded().runs.size() == 1);
  CHECK(integer_of(*both, "count(devices)") == 1);
  CHECK(real_of(*both, "time_median(series(\"sm_clock\"))") > 1.39e9);
}

TEST_CASE("a mapping that is for no input is a note that says why", "[api][mapping]") {
  const LoadOptions options = with({example_map("trainer_log")});
  const Result<Facts> facts = load_trace(examples + "traces/item_storm.json", options);
  REQUIRE(facts);
  const NoteEntry* note = find_note(facts->inputs()[0], "K721");
  REQUIRE(note != nullptr);
  CHECK(note->text.find("trainer-log") != std::string::npos);
  CHECK(note->text.find("item_storm.json") != std::string::npos);
}

TEST_CASE("an input that nothing reads says why the mapping does not", "[api][mapping]") {
  const Result<Facts> facts = load_text("time;event;wat;took;gpu;queue;size\n1;step;1;1;0;0;0\n",
                                        with({example_map("trainer_log"), example_map("gpu_monitor")}));
  REQUIRE_FALSE(facts);
  CHECK(facts.error()[0].id == "K691");
  const std::string& help = facts.error()[0].help;
  CAPTURE(help);
  CHECK(help.find("'trainer-log' is not for it: it has no column 'what', did you mean 'wat'?") != std::string::npos);
  CHECK(help.find("'gpu-monitor' is not for it: it holds no JSON lines") != std::string::npos);
}

TEST_CASE("names of files decide where the mapping says so", "[api][mapping]") {
  const Result<TraceMap> map = load_map_text("m.yaml", R"(kdiag_map: 1
name: m
match: {files: ["gpu*.csv"], columns: [k]}
format: csv
rows:
- table: kernels
  columns: {name: k, dur: {column: us, unit: us}, stream: s}
)");
  REQUIRE(map);
  const std::string_view text = "k,us\ngemm,3\n";
  const Result<Facts> named = load_trace("a/gpu0.csv.gz", {text.data(), text.size()}, with({*map}));
  REQUIRE(named);
  const NoteEntry* note = find_note(named->inputs()[0], "K722");
  REQUIRE(note != nullptr);
  CHECK(note->text.find("(s)") != std::string::npos);
  const Result<Facts> other = load_trace("a/cpu0.csv", {text.data(), text.size()}, with({*map}));
  REQUIRE_FALSE(other);
  CHECK(other.error()[0].help.find("its name is none of 'gpu*.csv'") != std::string::npos);
}

TEST_CASE("times are exact to the nanosecond", "[api][mapping]") {
  const Result<TraceMap> map = load_map_text("m.yaml", R"(kdiag_map: 1
name: m
format: csv
clock: unix
rows:
- table: kernels
  columns: {name: k, start: {column: s, unit: s}, end: {column: e, unit: s}, device: {value: 0}}
)");
  REQUIRE(map);
  const Result<Facts> facts = load_text(
      "k,s,e\na,1767425813.507123456,1767425813.507123457\nb,1767425814,1767425814.000000003\n", with({*map}));
  REQUIRE(facts);
  CHECK(integer_of(*facts, "sum(kernels, dur)") == 4);
  CHECK(integer_of(*facts, "min(kernels, start)") == 1'767'425'813'507'123'456);
}
