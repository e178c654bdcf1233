// SPDX-License-Identifier: Apache-2.0
// Real traces beside the repository, against what other tools say of them. They run under the label `shared`, where
// the files are.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include <kdiag/kdiag.hpp>

#include "adapters/json/json.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

/// The only file of a folder below shared/traces, or the file itself.
std::string trace(const std::string& name) {
  const std::filesystem::path path = shared_trace(name);
  if (!std::filesystem::is_directory(path)) return path.string();
  return std::filesystem::directory_iterator(path)->path().string();
}

Report diagnosed(const std::string& path) { return diagnose(load_facts(path), *builtin_rules()); }

/// Phases of a run in the plugin's own answer, in percent by name: "Kernel" -> 55.5.
std::map<std::string, double> plugin_shares(const std::string& text) {
  std::map<std::string, double> shares;
  const auto json = adapters::parse_json(text);
  if (!json) return shares;
  for (const auto& row : (*json)["performance"].items)
    for (const auto& child : row["children"].items) shares[child["name"].text] = child["extra"].real().value_or(-1);
  return shares;
}

}  // namespace

TEST_CASE("kernel tables give a serial account and no claim of idle or launch time", "[shared]") {
  using Row = std::tuple<std::string, std::int64_t, std::int64_t>;
  // Rows and sums of the tables themselves.
  const auto [number, rows, total] =
      GENERATE(values<Row>({{"000", 971, 32'062}, {"001", 990, 69'537}, {"002", 560, 59'945}}));
  const Facts facts = load_facts(shared_seed(number));
  CHECK(integer_of(facts, "count(kernels)") == rows);
  CHECK((integer_of(facts, "sum(kernels, dur)") + 500) / 1000 == total);
  const Report report = diagnose(facts, *builtin_rules());
  // What the tables can tell: fusion, and for the last network its layout.
  REQUIRE_FALSE(report.findings.empty());
  CHECK(report.findings[0].rule == (number == "002" ? "layout.conversion" : "fusion.elementwise"));
  // One change of layout mends conversions and batch norm; what it is sure to save are the conversions.
  if (number == "002") CHECK(*report.findings[0].gain->high_ns <= total * 130);  // 13 % of so many us
  CHECK(find_finding(report.findings, "gpu.low-utilization") == nullptr);
  CHECK(find_finding(report.findings, "launch.tiny-kernels") == nullptr);
  CHECK(find_finding(report.findings, "kernel.fp32-matmul") == nullptr);
  REQUIRE(report.ledger.size() == 1);
  CHECK(report.ledger[0].basis == LedgerBasis::serial);
  for (const LedgerLine& line : report.ledger[0].lines) CHECK_FALSE(line.name.starts_with("idle"));
  CHECK_FALSE(report.runs[0].wall_ns);
}

TEST_CASE("the item storm of the plugin's first run is found, the second run is calm", "[shared]") {
  const Report report = diagnosed(shared_seed("004"));
  REQUIRE(report.runs.size() == 2);
  REQUIRE_FALSE(report.findings.empty());
  const Finding& top = report.findings[0];
  CHECK(top.run == "A");
  CHECK(top.rule == "host.sync-stall");
  CHECK(top.severity == Severity::critical);
  CHECK(top.title.find("aten::item") != std::string::npos);
  CHECK(top.message.find("492") != std::string::npos);
  CHECK(*top.impact_ns >= 4'300'000'000);
  CHECK(*top.impact_ns <= 4'900'000'000);
  REQUIRE(top.symptoms.size() == 1);
  CHECK(top.symptoms[0].rule == "gpu.low-utilization");
  CHECK(top.symptoms[0].title.find("9.18") != std::string::npos);
  for (const Finding& finding : report.findings)
    if (finding.run == "B") {
      CHECK(finding.rule != "host.sync-stall");
      CHECK(finding.severity < Severity::high);
    }
  const Report second = diagnosed(shared_seed("004") + "#2");
  CHECK(second.runs.size() == 1);
  CHECK(find_finding(second.findings, "host.sync-stall") == nullptr);
}

TEST_CASE("utilization and phases agree with the TensorBoard plugin", "[shared]") {
  std::ifstream file(trace("kineto_tb_expected/result_check_file__046bfef2.txt"));
  std::vector<std::map<std::string, double>> expected;
  for (std::string line; std::getline(file, line);)
    if (auto shares = plugin_shares(line); !shares.empty()) expected.push_back(std::move(shares));
  REQUIRE(expected.size() >= 2);
  using Row = std::tuple<std::string, double>;
  const auto [workers, busy] = GENERATE(values<Row>({{"0", 0.5551}, {"4", 0.7027}}));
  const Facts facts = load_facts(trace("kineto/tb_plugin/samples/resnet50_num_workers_" + workers));
  CHECK(std::abs(real_of(facts, "busy(kernels) / run.wall") - busy) < 0.00005);

  const std::map<std::string, std::string> kinds{
      {"Kernel", "kernel"},         {"Memcpy", "memcpy"}, {"Memset", "memset"}, {"Runtime", "runtime"},
      {"DataLoader", "dataloader"}, {"CPU Exec", "cpu"},  {"Other", "other"}};
  // The plugin's answers of both runs are in one file: the one whose kernel share is nearest is this run's.
  const double kernel = 100 * real_of(facts, "sum(phases where kind == \"kernel\", dur) / sum(phases, dur)");
  const auto& shares = *std::min_element(expected.begin(), expected.end(), [&](const auto& a, const auto& b) {
    return std::abs(a.at("Kernel") - kernel) < std::abs(b.at("Kernel") - kernel);
  });
  for (const auto& [name, kind] : kinds) {
    if (!shares.count(name)) continue;
    const double own = 100 * real_of(facts, "sum(phases where kind == \"" + kind + "\", dur) / sum(phases, dur)");
    CAPTURE(name, own, shares.at(name));
    CHECK(std::abs(own - shares.at(name)) < 0.5);
  }
}

TEST_CASE("busy time agrees with another tool's tables", "[shared]") {
  const std::string name =
      GENERATE("h100/Falconsai_nsfw_image_detection__1016002", "h100/Qwen_Qwen1.5-0.5B-Chat__1016005",
               "h100/gaunernst_bert-small-uncased__1016001", "mi300/Falconsai_nsfw_image_detection__1016002",
               "mi300/Qwen_Qwen1.5-0.5B-Chat__1016005", "mi300/gaunernst_bert-small-uncased__1016001",
               "mi210/gpu_only_trace/gpu_only_trace");
  std::filesystem::path table = shared_trace("tracelens_expected/" + name + "_perf_report_csvs/gpu_timeline.csv");
  std::ifstream csv(table);
  std::map<std::string, double> expected_ms;
  for (std::string line; std::getline(csv, line);) {
    std::istringstream cells(line);
    std::string type, ms;
    std::getline(cells, type, ',');
    std::getline(cells, ms, ',');
    if (type != "type") expected_ms[type] = std::stod(ms);
  }
  const Facts facts = load_facts(trace("tracelens/traces/" + name + ".json.gz"));
  // That tool counts from the first device event to the last one; of traces with several steps on the device it counts
  // the range of ProfilerStep#6 on the device alone, which the others contain whole.
  const std::string step = "spans(annotations where kind == \"device\" and name == \"ProfilerStep#6\")";
  const bool stepped = name.find("mi210") == std::string::npos;
  const std::string busy = "(spans(kernels) | spans(copies) | spans(memsets))";
  const double busy_ms =
      static_cast<double>(integer_of(facts, "length(" + busy + (stepped ? " & " + step : "") + ")")) / 1e6;
  const double total_ms =
      static_cast<double>(stepped ? integer_of(facts, "length(" + step + ")") : integer_of(facts, "run.wall")) / 1e6;
  CAPTURE(name);
  CHECK(std::abs(busy_ms - expected_ms["busy_time"]) < 0.001);  // they round every instant to 1/1024 us
  CHECK(std::abs(total_ms - expected_ms["total_time"]) < 0.001);
}

TEST_CASE("healthy traces yield no alarm", "[shared]") {
  const std::string name = GENERATE("hta/ns_resolution_trace", "tracelens/traces/torch_compile_triton/trace.json.gz",
                                    "hta/triton_example/triton_example.json.gz",
                                    "tracelens/traces/inference/vllm_decode_full/graph_execution.json.gz");
  const Report report = diagnosed(trace(name));
  CAPTURE(name);
  for (const Finding& finding : report.findings) {
    CAPTURE(finding.rule, finding.title);
    CHECK(finding.severity <= Severity::medium);
  }
}

TEST_CASE("waiting that leaves the device busy is no sync stall", "[shared]") {
  const std::string name = GENERATE("kineto/tb_plugin/samples/resnet50_num_workers_0", "sam_fast/asdf_True_v2.json.gz");
  CHECK(find_finding(diagnosed(trace(name)).findings, "host.sync-stall") == nullptr);
}

TEST_CASE("the wall of the stepped trace has its kernels in 96.8 % of it", "[shared]") {
  const Facts facts = load_facts(trace("hta/ns_resolution_trace"));
  CHECK(real_of(facts, "busy(kernels) / run.wall") == Approx(0.968).margin(0.0005));
}

TEST_CASE("captures of idle and lightly used devices never fire the clock rule", "[shared]") {
  for (const auto& entry : std::filesystem::directory_iterator(shared_trace("smi_gpu_exporter/internal/captures"))) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    // Sections are commands and what they printed: cut out what looks like the CSV of --query-gpu.
    std::istringstream lines(text);
    std::string csv;
    int sections = 0;
    const auto judge_section = [&] {
      if (std::count(csv.begin(), csv.end(), '\n') >= 2) {
        const Result<Facts> facts = load_trace("section.csv", std::span<const char>(csv.data(), csv.size()));
        if (facts) {
          ++sections;
          CHECK(find_finding(diagnose(*facts, *builtin_rules()).findings, "clock.throttled") == nullptr);
        }
      }
      csv.clear();
    };
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (std::count(line.begin(), line.end(), ',') >= 3) csv += line + "\n";
      else judge_section();
    }
    judge_section();
    CAPTURE(entry.path().string());
    CHECK(sections > 0);
  }
}
