// SPDX-License-Identifier: Apache-2.0
// Loading inputs into facts, end to end.
#include <kdiag/kdiag.hpp>

#include <atomic>
#include <fstream>
#include <string>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

const std::string kernel_table =
    "Kernel                                                 Latency Tensor   DRAM\n"
    "gemm                                              |       8000   0.55   0.20\n"
    "elementwise_kernel                                |       4000   0.00   0.60\n";

Result<Facts> load_bytes(std::string_view text, const LoadOptions& options = {}) {
  return load_trace("memory", std::span<const char>(text.data(), text.size()), options);
}

/// Writes a file into the build folder and gives its path.
std::string file_with(const std::string& name, std::string_view text) {
  std::string path = std::string(KDIAG_BINARY_DIR) + "/" + name;
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

}  // namespace

TEST_CASE("bytes become a run that says where it comes from", "[api][load]") {
  const Result<Facts> facts = load_bytes(kernel_table);
  REQUIRE(facts);
  REQUIRE(facts->inputs().size() == 1);
  CHECK(facts->inputs()[0].path == "memory");
  CHECK(facts->inputs()[0].adapter == "kernel-table");
  CHECK(facts->inputs()[0].role == RunRole::subject);
  REQUIRE(facts->loaded().runs.size() == 1);
  const RunFacts& run = facts->loaded().runs[0];
  CHECK(run.id == "A");
  CHECK(run.label == "memory");
  const FactStore& store = *run.store;
  CHECK(store.rows(table("kernels")) == 2);
  CHECK(store.text(column("runs.label"), 0) == "memory");
  CHECK(store.text(column("runs.format"), 0) == "kernel-table");
  CHECK(store.text(column("runs.role"), 0) == "subject");
  CHECK(store.present(table("notes")));
  for (const LedgerEntry& entry : run.ledger) CHECK(entry.run == "A");
}

TEST_CASE("an input that is no trace is an error that names it", "[api][load]") {
  const Result<Facts> facts = load_bytes("Hello, world\n");
  REQUIRE_FALSE(facts);
  REQUIRE(facts.error().size() == 1);
  CHECK(facts.error()[0].id == "K691");
  CHECK(render(facts.error()).starts_with("memory: error[K691]"));
}

TEST_CASE("an unreadable input among readable ones is a note of severity error", "[api][load]") {
  const std::string good = file_with("load_test_table.txt", kernel_table);
  const std::string paths[] = {"no/such/file.json", good};
  const Result<Facts> facts = load_traces(paths);
  REQUIRE(facts);
  REQUIRE(facts->inputs().size() == 2);
  REQUIRE(facts->inputs()[0].notes.size() == 1);
  CHECK(facts->inputs()[0].notes[0].id == "K609");
  CHECK(facts->inputs()[0].notes[0].severity == NoteSeverity::error);
  CHECK(facts->loaded().runs.size() == 1);
  CHECK(facts->loaded().runs[0].inputs == std::vector<std::size_t>{1});
}

TEST_CASE("all errors are told when no input can be read", "[api][load]") {
  const std::string paths[] = {"no/such/file.json", file_with("load_test_text.txt", "Hello\n")};
  const Result<Facts> facts = load_traces(paths);
  REQUIRE_FALSE(facts);
  REQUIRE(facts.error().size() == 2);
  CHECK(facts.error()[0].id == "K610");
  CHECK(facts.error()[1].id == "K691");
  CHECK_FALSE(load_traces({}));
}

TEST_CASE("a number behind a hash selects a run unless a file is called so", "[api][load]") {
  const std::string path = file_with("load_test_table.txt", kernel_table);
  const Result<Facts> first = load_trace(path + "#1");
  REQUIRE(first);
  CHECK(first->loaded().runs.size() == 1);
  const Result<Facts> second = load_trace(path + "#2");
  REQUIRE_FALSE(second);
  CHECK(second.error()[0].id == "K693");
  CHECK(second.error()[0].help.find("one run") != std::string::npos);
  CHECK(load_trace(file_with("load_test#7", kernel_table)));
}

TEST_CASE("a misspelt file brings the nearest one to mind", "[api][load]") {
  const std::string path = file_with("load_test_table.txt", kernel_table);
  std::string wrong = path;
  std::swap(wrong[wrong.size() - 6], wrong[wrong.size() - 5]);
  const Result<Facts> facts = load_trace(wrong);
  REQUIRE_FALSE(facts);
  CHECK(facts.error()[0].help == "did you mean '" + path + "'?");
}

TEST_CASE("a host that asks to stop gets no facts", "[api][load]") {
  const std::atomic<bool> cancel{true};
  LoadOptions options;
  options.cancel = &cancel;
  const Result<Facts> facts = load_bytes(kernel_table, options);
  REQUIRE_FALSE(facts);
  CHECK(facts.error()[0].id == "K690");
}

TEST_CASE("a scope that selects nothing is an error that says what there is", "[api][load]") {
  LoadOptions options;
  options.scope.device = 5;
  options.scope.steps = {1, 2};
  const Result<Facts> facts = load_bytes(kernel_table, options);
  REQUIRE_FALSE(facts);
  REQUIRE(facts.error().size() == 2);
  CHECK(facts.error()[0].help == "Steps in the input: none.");
  CHECK(facts.error()[1].help == "Devices in the input: 0.");
  options.scope = {};
  options.scope.device = 0;
  CHECK(load_bytes(kernel_table, options));
}

TEST_CASE("a chosen device or rank is all that is judged", "[api][load]") {
  const auto kernel = [](int device, int dur) {
    return R"({"ph":"X","cat":"kernel","name":"k","pid":)" + std::to_string(device) + R"(,"tid":7,"ts":0,"dur":)" +
           std::to_string(dur) + R"(,"args":{"stream":7,"device":)" + std::to_string(device) + "}}";
  };
  const std::string trace = R"({"schemaVersion":1,"traceEvents":[)" + kernel(0, 10) + "," + kernel(1, 20) + "]}";
  RuleOptions own;
  own.builtin = false;
  const auto rules = load_rules_text("t.yaml",
                                     "kdiag: 1\nrule: t.busy\ntitle: Busy ${busy(kernels)} of ${count(devices)}\n"
                                     "for_each: device\nwhen: count(devices) >= 1\n",
                                     own);
  REQUIRE(rules);
  LoadOptions options;
  options.scope.device = 1;
  const Result<Facts> facts = load_bytes(trace, options);
  REQUIRE(facts);
  const Report report = diagnose(*facts, *rules);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].title == "Busy 20 us of 1");
  CHECK(report.findings[0].also.empty());
}

TEST_CASE("a time span in which nothing was recorded is an error", "[api][load]") {
  const std::string trace =
      R"({"schemaVersion":1,"traceEvents":[{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":0,"dur":10,"args":{"stream":7,"device":0}}]})";
  LoadOptions options;
  options.scope.from_ns = 5'000;
  CHECK(load_bytes(trace, options));
  options.scope.from_ns = 100'000;
  const Result<Facts> facts = load_bytes(trace, options);
  REQUIRE_FALSE(facts);
  CHECK(facts.error()[0].id == "K694");
}

TEST_CASE("the formats list names what is read and what is refused", "[api][load]") {
  const std::string text = formats_text();
  CHECK(text.find("\nkernel-table\n") != std::string::npos);
  CHECK(text.find("Nsight Systems") != std::string::npos);
}
