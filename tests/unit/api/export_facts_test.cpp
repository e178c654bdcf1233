// SPDX-License-Identifier: Apache-2.0
// A facts file says the same as the traces that it was made of.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <string>

#include <kdiag/tools.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/dump_facts.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

const std::string root = KDIAG_SOURCE_DIR;

std::string exported(const std::vector<std::string>& paths) {
  std::string text;
  const Status status = export_facts(paths, [&text](std::string_view piece) {
    text += piece;
    return true;
  });
  if (!status) FAIL(render(status.error()));
  return text;
}

void forget_providers(std::vector<Finding>& findings) {
  for (Finding& finding : findings) {
    finding.provenance.providers.clear();
    forget_providers(finding.symptoms);
  }
}

/// The report without what names files and adapters.
std::string judged(const Result<Facts>& facts) {
  if (!facts) return render(facts.error());
  static const RuleSet rules = *builtin_rules();  // takes longer to load than all these traces
  Report report = diagnose(*facts, rules);
  report.inputs.clear();
  forget_providers(report.findings);
  // What is missing is recorded by the tool at hand, which a facts file does not know.
  for (OutcomeEntry& outcome : report.outcomes)
    for (MissingEntry& missing : outcome.missing) missing.how_to_record.clear();
  return to_json(report);
}

void check_round_trip(const std::vector<std::string>& paths) {
  const Result<Facts> traces = load_traces(paths);
  const std::string text = exported(paths);
  const Result<Facts> facts = load_trace("facts.jsonl", std::span<const char>(text));
  CHECK(judged(facts) == judged(traces));
  REQUIRE(facts);
  REQUIRE(traces);
  REQUIRE(facts->loaded().runs.size() == traces->loaded().runs.size());
  for (std::size_t run = 0; run < facts->loaded().runs.size(); ++run) {
    const FactStore& a = *facts->loaded().runs[run].store;
    const FactStore& b = *traces->loaded().runs[run].store;
    for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) {
      CAPTURE(catalogue_tables[t].name);
      CHECK(a.present({t}) == b.present({t}));
      if (TableId{t} != table("notes")) CHECK(a.rows({t}) == b.rows({t}));
    }
  }
}

}  // namespace

TEST_CASE("a facts file gives the findings of its trace", "[api][export]") {
  check_round_trip({root + "/examples/traces/item_storm.json"});
  const std::string golden = root + "/tests/golden/adapters/";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(golden)) {
    if (entry.path().extension() != ".in" || !load_trace(entry.path().string())) continue;
    CAPTURE(entry.path().string());
    check_round_trip({entry.path().string()});
  }
}

TEST_CASE("a facts file keeps what its trace lost", "[api][export]") {
  const std::string text =
      "{\"schema\": \"kdiag.facts/1\"}\n"
      "{\"table\": \"kernels\", \"columns\": [\"name\", \"dur\"], \"rows\": [[\"a\", 5]]}\n"
      "{\"table\": \"notes\", \"columns\": [\"id\", \"severity\", \"count\", \"text\"],"
      " \"rows\": [[\"X1\", \"data-loss\", 2, \"lost\"], [\"X2\", \"disaster\", -1, \"what\"]]}\n";
  const Result<Facts> facts = load_trace("facts.jsonl", std::span<const char>(text));
  REQUIRE(facts);
  const std::vector<NoteEntry>& notes = facts->inputs()[0].notes;
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].severity == NoteSeverity::data_loss);
  CHECK(notes[0].count == 2);
  CHECK(notes[1].severity == NoteSeverity::info);
  const FactStore& store = *facts->loaded().runs[0].store;
  REQUIRE(store.rows(table("notes")) == 2);
  CHECK(store.text(column("notes.severity"), 0) == "data-loss");
}

TEST_CASE("ranks and telemetry stay together in a facts file", "[api][export]") {
  const std::string folder = std::string(KDIAG_BINARY_DIR) + "/export_test";
  std::filesystem::create_directories(folder);
  const auto write = [&folder](const std::string& name, const std::string& text) {
    std::string path = folder + "/" + name;
    std::ofstream(path) << text;
    return path;
  };
  const std::string kernels =
      "{\"table\": \"kernels\", \"columns\": [\"name\", \"start\", \"dur\"],"
      " \"rows\": [[\"a\", 1700000000000000000, 1000000000]]}\n";
  const auto rank = [&](int id) {
    return "{\"schema\": \"kdiag.facts/1\"}\n{\"run\": {\"clock\": \"unix\", \"world_size\": 2, \"host\": \"h" +
           std::to_string(id) + "\", \"rank\": " + std::to_string(id) + "}}\n" + kernels;
  };
  const std::string samples =
      "{\"schema\": \"kdiag.facts/1\"}\n{\"run\": {\"clock\": \"unix\", \"telemetry\": true}}\n"
      "{\"table\": \"samples\", \"columns\": [\"series\", \"time\", \"value\"],"
      " \"rows\": [[\"sm_clock\", 1700000000500000000, 1e9]]}\n";
  check_round_trip({write("0.jsonl", rank(0)), write("1.jsonl", rank(1)), write("s.jsonl", samples)});
  check_round_trip({write("0.jsonl", rank(0)), write("s.jsonl", samples)});
  const std::string text = exported({folder});
  const Result<Facts> facts = load_trace("facts.jsonl", std::span<const char>(text));
  REQUIRE(facts);
  REQUIRE(facts->loaded().runs.size() == 1);
  const FactStore& store = *facts->loaded().runs[0].store;
  CHECK(store.rows(table("ranks")) == 2);
  CHECK(store.small(column("ranks.world_size"), 1) == 2);
  CHECK(store.text(column("ranks.host"), 1) == "h1");
  CHECK(store.rows(table("samples")) == 1);
}

TEST_CASE("the example of docs/facts-file.md is a facts file", "[api][export][docs]") {
  const std::string page = tests::read_file(root + "/docs/facts-file.md");
  const std::size_t begin = page.find("```json\n") + 8;
  const std::string text = page.substr(begin, page.find("```", begin) - begin);
  const Result<Facts> facts = load_trace("facts.jsonl", std::span<const char>(text));
  REQUIRE(facts);
  CHECK(facts->inputs()[0].adapter == "kdiag-facts");
  CHECK(facts->inputs()[0].notes.empty());
  const FactStore& store = *facts->loaded().runs[0].store;
  CHECK(store.rows(table("kernels")) == 2);
  CHECK(store.index(column("kernels.launch"), 0) == 0);
}

TEST_CASE("an output that wants no more ends the export", "[api][export]") {
  int pieces = 0;
  const std::string paths[] = {root + "/examples/traces/item_storm.json"};
  CHECK(export_facts(paths, [&pieces](std::string_view) { return ++pieces < 2; }));
  CHECK(pieces == 2);
  std::atomic<bool> stop = false;
  LoadOptions options;
  options.cancel = &stop;
  const auto stop_after = [&](std::string_view) {
    stop = true;
    return true;
  };
  const Status stopped = export_facts(paths, stop_after, options);
  REQUIRE_FALSE(stopped);
  CHECK(stopped.error().front().id == "K690");
  const std::string none[] = {"no/such/file"};
  CHECK_FALSE(export_facts(none, [](std::string_view) { return true; }));
}

TEST_CASE("facts files of real traces give the findings of the traces", "[shared]") {
  const std::string traces = root + "/../shared/traces/";
  check_round_trip({traces + "hta/trace_filter"});
  check_round_trip({traces + "kineto/tb_plugin/samples/resnet50_num_workers_0"});
  check_round_trip({traces + "particle_transformer"});
  check_round_trip({traces + "cambricon_tb"});
  check_round_trip({traces + "smi_logs"});
}
