// SPDX-License-Identifier: Apache-2.0
// Limits of what an input may bring end the reading while its rows are made, in every format.
#include <kdiag/columns.hpp>
#include <kdiag/host_adapter.hpp>
#include <kdiag/input.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/tools.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/golden.hpp"
#include "tests/support/wire_text.hpp"

using namespace kdiag;

namespace {

constexpr std::uint64_t most = 64U << 20U;  // bytes that an endless input gives before it ends all the same

/// A facts file of as many runs, each with a kernel.
std::string facts_of_runs(int runs) {
  std::string text = R"({"schema": "kdiag.facts/1"})"
                     "\n";
  for (int run = 0; run < runs; ++run)
    text += R"({"run": {"clock": "none"}})"
            "\n"
            R"({"table": "kernel_stats", "columns": ["name", "calls", "total"], "rows": [["k", 1, 1000]]})"
            "\n";
  return text;
}

/// A beginning, and then one and the same piece again and again.
class Endless {
 public:
  Endless(std::string head, std::string piece) : rest_(std::move(head)), piece_(std::move(piece)) {
    while (piece_.size() < (64U << 10U)) piece_ += piece_;
  }

  /// What loading it says.
  std::string load(const LoadOptions& options) {
    const TraceInput input = TraceInput::callback("endless", [this](std::span<char> buffer) { return fill(buffer); });
    const auto facts = load_inputs({&input, 1}, options);
    return facts ? "no error" : render(facts.error());
  }

  std::uint64_t given() const { return given_; }

 private:
  std::int64_t fill(std::span<char> buffer) {
    if (given_ >= most) return 0;
    if (rest_.empty()) rest_ = piece_;
    const std::size_t size = std::min(buffer.size(), rest_.size());
    std::copy_n(rest_.begin(), size, buffer.begin());
    rest_.erase(0, size);
    given_ += size;
    return static_cast<std::int64_t>(size);
  }

  std::string rest_, piece_;
  std::uint64_t given_ = 0;
};

Endless kineto() {
  return {"{\"schemaVersion\": 1, \"traceEvents\": [",
          "{\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"aten::mm\", \"pid\": 1, \"tid\": 1, \"ts\": 10, \"dur\": "
          "5},\n"};
}
Endless python_functions() {
  return {"{\"schemaVersion\": 1, \"traceEvents\": [",
          "{\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"train.py(1): step\", \"pid\": 1, \"tid\": 1, "
          "\"ts\": 10, \"dur\": 5},\n"};
}
Endless rocprof() {
  return {"{\"rocprofiler-sdk-tool\": [{\"metadata\": {\"pid\": 1}, \"buffer_records\": {\"kernel_dispatch\": [",
          "{\"start_timestamp\": 10, \"end_timestamp\": 20, \"dispatch_info\": {\"kernel_id\": 1}},\n"};
}
Endless chrome() {
  return {"{\"traceEvents\": [",
          "{\"ph\": \"X\", \"name\": \"step\", \"pid\": 1, \"tid\": 1, \"ts\": 10, \"dur\": 5},\n"};
}
Endless perfetto() {
  return {
      tests::wire_bytes("1: { 60: { 1: 5 4: { 1: 1 2: 2 5: \"main\" } } 10: 1 }"),
      tests::wire_bytes("1: { 8: 100 10: 1 11: { 9: 1 11: 5 23: \"step\" } } 1: { 8: 350 10: 1 11: { 9: 2 11: 5 } }")};
}
Endless xplane() {
  return {{},
          tests::wire_bytes("1: { 1: 1 2: \"/host:CPU\" 3: { 1: 7 2: \"main\" 3: 1000 4: { 1: 1 2: 5000 3: 7000 } "
                            "4: { 1: 1 2: 15000 3: 7000 } } 4: { 1: 1 2: { 1: 1 2: \"step\" } } }")};
}

/// Reads all that there is into one batch, and never asks whether it should stop.
class Stubborn final : public HostAdapter {
 public:
  explicit Stubborn(bool in_thread = false) : in_thread_(in_thread) {}
  std::string_view id() const override { return "stubborn"; }
  int sniff(const Head&) const noexcept override { return 100; }
  Status read(Input& input, FactSink& sink) const override {
    if (in_thread_) std::jthread([&] { fill(input, sink); });
    else fill(input, sink);
    return ok_status();
  }

 private:
  void fill(Input& input, FactSink& sink) const {
    if (in_thread_) sink.enter_thread();
    Batch batch;
    char buffer[4096];
    while (true) {
      const auto got = input.read(buffer);
      if (!got || *got == 0) break;
      for (std::size_t i = 0; i < *got; i += 64) batch.set(batch.add(table("kernels")), column("kernels.dur"), 5L);
    }
    sink.submit(0, std::move(batch));
  }

  bool in_thread_;
};

LoadOptions limited(LoadLimits limits, unsigned threads = 1) {
  LoadOptions options;
  options.limits = limits;
  options.threads = threads;
  return options;
}

}  // namespace

TEST_CASE("an input without end is stopped by its limits in every kind of format", "[api][load][limits]") {
  struct Format {
    const char* name;
    Endless (*make)();
  };
  for (const Format& format :
       {Format{"kineto", kineto}, Format{"python functions", python_functions}, Format{"rocprof", rocprof},
        Format{"chrome", chrome}, Format{"perfetto", perfetto}, Format{"xplane", xplane}})
    for (const unsigned threads : {1U, 3U}) {
      INFO(format.name << " with " << threads << " threads");
      Endless rows = format.make();
      CHECK(rows.load(limited({.rows = 20'000, .bytes = 0}, threads)).find("K761") != std::string::npos);
      CHECK(rows.given() < most / 2);
      Endless bytes = format.make();
      CHECK(bytes.load(limited({.rows = 0, .bytes = 1'000'000}, threads)).find("bytes of facts, the limit") !=
            std::string::npos);
      CHECK(bytes.given() < most / 2);
    }
}

TEST_CASE("a host's adapter that never asks is stopped by the limits, too", "[api][load][limits]") {
  for (const bool in_thread : {false, true}) {
    const Stubborn adapter(in_thread);
    LoadOptions options = limited({.rows = 20'000, .bytes = 0});
    options.adapters = {&adapter};
    Endless input({}, "x");
    CHECK(input.load(options).find("the input holds more than 20,000 rows") != std::string::npos);
    CHECK(input.given() < most / 2);
  }
}

TEST_CASE("limits that an input keeps change nothing", "[api][load][limits]") {
  const std::string storm = std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json";
  const auto free = load_trace(storm);
  const auto bound = load_trace(storm, limited({.rows = 10'000, .bytes = 10'000'000}, 3));
  REQUIRE(free);
  REQUIRE(bound);
  CHECK(facts_json(*free) == facts_json(*bound));
}

namespace {

std::string table_of(std::size_t rows) {
  std::string text = "Kernel | Latency Tensor DRAM\n";
  for (std::size_t i = 0; i < rows; ++i) text += "gemm | 8000 0.5 0.2\n";
  return text;
}

}  // namespace

TEST_CASE("limits are of a call, and an input that is above them costs itself only", "[api][load][limits][hostile]") {
  const std::string small = table_of(100), large = table_of(20'000);
  const std::vector<TraceInput> inputs = {TraceInput::memory("first", small), TraceInput::memory("large", large),
                                          TraceInput::memory("last", small)};
  const auto facts = load_inputs(inputs, limited({.rows = 5000}));
  REQUIRE(facts);
  REQUIRE(facts->inputs().size() == 3);
  CHECK(facts->inputs()[0].notes.empty());
  REQUIRE(facts->inputs()[1].notes.size() == 1);
  CHECK(facts->inputs()[1].notes[0].id == "K609");
  CHECK(facts->inputs()[1].notes[0].text.find("more than 5,000 rows") != std::string::npos);
  for (const NoteEntry& note : facts->inputs()[2].notes) CHECK(note.id != "K609");
  CHECK_FALSE(load_inputs(inputs, limited({.rows = 150})).value().inputs()[2].notes.empty());  // one of them has 100
}

TEST_CASE("what unpacks to more than the call may unpack is refused", "[api][load][limits][hostile]") {
  const std::string table = table_of(2000);
  const std::string archive = tests::make_archive(
      tests::ArchiveKind::zip, {{"a.txt", table}, {"b.txt", table}, {"c.txt", table}, {"d.txt", table}});
  LoadOptions options;
  options.limits.unpacked = table.size() * 5 / 2;
  const auto facts = load_trace("bombs.zip", std::span<const char>(archive), options);
  REQUIRE(facts);
  CHECK(facts->inputs().size() <= 3);
  const bool said = std::any_of(facts->inputs().begin(), facts->inputs().end(), [](const InputEntry& input) {
    return std::any_of(input.notes.begin(), input.notes.end(), [](const NoteEntry& note) { return note.id == "K765"; });
  });
  CHECK(said);
}

TEST_CASE("an input of very many runs is refused, and one of its runs is not", "[api][load][limits][hostile]") {
  const std::string text = facts_of_runs(1001);
  const TraceInput input = TraceInput::memory("runs.jsonl", text);
  const auto facts = load_inputs({&input, 1});
  REQUIRE_FALSE(facts);
  CHECK(facts.error().front().id == "K761");
  CHECK(facts.error().front().title.find("1,001 runs") != std::string::npos);
  const tests::Folder folder({{"runs.jsonl", text}});
  const auto one = load_trace(folder.path("runs.jsonl") + "#1001");
  if (!one) FAIL(render(one.error()));
  CHECK(run_count(*one) == 1);
}

TEST_CASE("many inputs of many runs are refused together", "[api][load][limits][hostile]") {
  const std::string text = facts_of_runs(1000);
  std::vector<TraceInput> inputs;
  for (int input = 0; input < 11; ++input)
    inputs.push_back(TraceInput::memory("runs" + std::to_string(input) + ".jsonl", text));
  const auto facts = load_inputs(inputs);
  REQUIRE_FALSE(facts);
  CHECK(facts.error().front().id == "K761");
  CHECK(facts.error().front().title.find("11,000 runs") != std::string::npos);
}

TEST_CASE("an input of more runs than can be chosen from ends the reading", "[api][load][limits][hostile]") {
  std::string text = R"({"schema": "kdiag.facts/1"})"
                     "\n";
  for (int run = 0; run < 200'000; ++run) text += "{\"run\": {}}\n";
  const TraceInput input = TraceInput::memory("runs.jsonl", text);
  const auto facts = load_inputs({&input, 1});
  REQUIRE_FALSE(facts);
  CHECK(facts.error().front().id == "K761");
  CHECK(facts.error().front().title.find("10,000 runs") != std::string::npos);
}

TEST_CASE("docs/limits.md has every limit", "[api][docs]") {
  const std::string docs = tests::read_file(std::string(KDIAG_SOURCE_DIR) + "/docs/limits.md");
  CHECK(docs.find(limits_text()) != std::string::npos);
}

TEST_CASE("the table of limits has those of documents and of rules, too", "[api][limits]") {
  const std::string table = limits_text();
  for (const char* about :
       {"JSON document", "XML", "Perfetto", "a file of rules or tests, a mapping, a project file | 1 MiB",
        "levels of YAML | 64", "an expression | 16 KiB, 128 levels, 10000 parts", "import each other in a chain | 32",
        "files of a pack (`packs`), and all of them | 10000, 64 MiB"}) {
    CAPTURE(about);
    CHECK(table.find(about) != std::string::npos);
  }
}

TEST_CASE("the limits of the command are below what there is", "[api][limits]") {
  const LoadLimits limits = default_load_limits();
  CHECK(limits.bytes > 0);
  CHECK(limits.unpacked > 0);
}
