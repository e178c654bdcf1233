// SPDX-License-Identifier: Apache-2.0
// Comparisons as people and kdiag itself read them: which side is which, what changed, and the tables of Markdown.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/compare.hpp>

#include "tests/catch.hpp"
#include "tests/corpus/workload.hpp"
#include "tests/support/folder.hpp"

using namespace kdiag;

namespace {

Report compared_sides(const Sides& sides) {
  Result<Report> report = compare(sides, *builtin_rules());
  if (!report) FAIL(render(report.error()));
  return std::move(*report);
}

/// Two runs of one file, which says what another tool compared.
Report compared_file(const std::string& name, const std::string& text) {
  const tests::Folder folder({{name, text, {}}});
  const Result<Sides> sides = load_sides(folder.path() + "/" + name);
  if (!sides) FAIL(render(sides.error()));
  return compared_sides(*sides);
}

/// Wherever lines are broken.
bool has(const std::string& text, std::string_view part) {
  std::string flat;
  for (const char c : text)
    if (c != '\n' && (c != ' ' || flat.empty() || flat.back() != ' ')) flat += c;
    else if (flat.empty() || flat.back() != ' ') flat += ' ';
  return flat.find(part) != std::string::npos;
}

std::string report_of_a_tool() {
  return "# Strict Performance Comparison: serving (PID: 4711)\n\n"
         "| Time Rank | normal Time (us) | abnormal Time (us) |\n|--:|--:|:--|\n"
         "| 1 | 1,000.75 | 1300.5 |\n| 2 | 1,000.00 | 1200.5 |\n\n"
         "| Function Name | Metric Name | Device | Suspicion Score | β_normal(%) | β_abnormal(%) | Δβ(%) | Z-Score(β) "
         "| "
         "p-value(β) | U-test p(β) | μ_normal | μ_abnormal | Δμ | Z-Score(μ) | Z-Score(log_μ) | p-value(μ) | U-test "
         "p(μ) |\n"
         "|:--|:--|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n"
         "| gemm_64x64 | gpu_sm_frequency | GPU 7 | 225.459 | 3 | 9 | 6 | 13.86 | 0 | 0.001 | 118,687.50 | 21,000.00 | "
         "-97687.5 | -10.84 | -24.52 | 0 | 0.002 |\n"
         "| bitwise operator|(Mask<int>&, Mask) | gpu_pcie_transmit | GPU 7 | 6.5e-05 | 0.01 | 0.02 | 0.01 | 0.8 | "
         "0.18 | "
         "0.086 | 6.68812e+07 | 9,714,123.00 | -5.71671e+07 | -1 | -2 | nan | 1 |\n"
         "| oncpu | process_cpu_usage | Host | 48.3374 | 160.07 | 157.81 | -2.26 | -2.05 | 0.318 | 0.963 | 1.75 | 2.72 "
         "| "
         "0.97 | 22.62 | 19.37 | 0 | 0 |\n";
}

}  // namespace

TEST_CASE("kdiag reads the tables of its own comparison", "[compare][markdown]") {
  const Report first = compared_file("tool.md", report_of_a_tool());
  const Report second = compared_file("kdiag.md", to_markdown(first));
  const auto &was = first.comparison->functions, &is = second.comparison->functions;
  REQUIRE(was.size() == 3);
  REQUIRE(is.size() == was.size());
  for (std::size_t row = 0; row < was.size(); ++row) {
    CHECK(is[row].function == was[row].function);
    CHECK(is[row].metric == was[row].metric);
    CHECK(is[row].device == was[row].device);
    CHECK(is[row].suspicion == was[row].suspicion);
    CHECK(is[row].mu_abnormal == was[row].mu_abnormal);
    CHECK(is[row].beta_abnormal.value() == Approx(was[row].beta_abnormal.value()));
  }
  CHECK(second.comparison->cycle.normal.times_ns == first.comparison->cycle.normal.times_ns);
  CHECK(second.findings.front().rule == first.findings.front().rule);
}

TEST_CASE("the sides of one file are told apart, and clocks have their unit", "[compare][text]") {
  const std::string text = to_text(compared_file("tool.md", report_of_a_tool()));
  CHECK(has(text, "tool.md#1 (normal)"));
  CHECK(has(text, "tool.md#2 (abnormal)"));
  CHECK(has(text, "gpu_sm_frequency 1187 MHz -> 210 MHz"));
}

TEST_CASE("a function that takes no more time of a cycle than before is not suspected", "[compare][text]") {
  // The host's share falls from 160 to 158 % of a cycle that became longer: more time. Of a shorter one it would be
  // less.
  const std::string longer = to_text(compared_file("tool.md", report_of_a_tool()));
  CHECK(has(longer, "that take more time of a cycle, most suspicious first"));
  CHECK(has(longer, "oncpu, Host"));
  CHECK(has(longer, "thread time"));
  std::string shorter = report_of_a_tool();
  for (const auto& [was, is] : {std::pair<std::string, std::string>{"1300.5", "980.5"}, {"1200.5", "979.5"}})
    shorter.replace(shorter.find(was), was.size(), is);
  const std::string text = to_text(compared_file("tool.md", shorter));
  CHECK_FALSE(has(text, "oncpu, Host"));
  CHECK(has(text, "gemm_64x64, GPU 7: 3 % -> 9 % of a cycle, 30 us -> 88.2 us"));
}

TEST_CASE("a counter of a device is told once, whatever ran meanwhile", "[compare][text]") {
  std::string two = report_of_a_tool();
  const std::string row = two.substr(two.find("| gemm_64x64"), two.find("| bitwise") - two.find("| gemm_64x64"));
  std::string other = row;
  other.replace(other.find("gemm_64x64"), 10, "norm");
  two.insert(two.find("| bitwise"), other);
  const std::string text = to_text(compared_file("tool.md", two));
  const std::size_t begin = text.find("\n functions "), end = text.find("\nkdiag 0.1", begin);
  const std::string functions = text.substr(begin, end - begin);
  CHECK(has(functions, "norm, GPU 7"));
  const std::size_t first = functions.find("210 MHz");
  CHECK(first != std::string::npos);
  CHECK(functions.find("210 MHz", first + 1) == std::string::npos);
}

TEST_CASE("what speaks against a comparison has its weight beside it", "[compare][text]") {
  const std::string text = to_text(compared_file("tool.md", report_of_a_tool()));
  CHECK(has(text, "device model: not recorded (weight 5 %)"));
}

TEST_CASE("of a run and itself no function changed", "[compare][text]") {
  const std::string example = std::string(KDIAG_SOURCE_DIR) + "/examples/traces/item_storm.json";
  const Result<Sides> sides = load_sides({&example, 1}, {&example, 1});
  REQUIRE(sides);
  const std::string text = to_text(compared_sides(*sides));
  CHECK(has(text, "none changed"));
  CHECK_FALSE(has(text, "suspicion 0"));
  CHECK(has(text, "item_storm.json (normal)"));
}

TEST_CASE("what a recording without the host cannot tell did not go", "[compare][api]") {
  corpus::Workload workload;
  workload.silence = 300'000'000;  // which is no fault of the device's use, where it is known
  const std::string whole = corpus::simulate(workload, 1).front().text;
  std::string of_device;
  for (std::size_t begin = 0, end = 0; begin < whole.size(); begin = end + 1) {
    end = std::min(whole.find('\n', begin), whole.size());
    const std::string line = whole.substr(begin, end - begin);
    const bool of_host = has(line, "\"cpu_op\"") || has(line, "\"cuda_runtime\"") || has(line, "\"user_annotation\"");
    if (!of_host) of_device += line + "\n";
  }
  const auto load = [](const std::string& text) { return *load_trace("run.json", std::span<const char>(text)); };
  const Report report = compared_sides({load(of_device), load(whole)});
  const auto& fates = report.comparison->finding_changes;
  for (const std::string rule : {"gpu.low-utilization", "host.unrecorded-gap"}) {
    INFO(rule);
    const auto fate =
        std::find_if(fates.begin(), fates.end(), [&](const FindingChange& entry) { return entry.rule == rule; });
    REQUIRE(fate != fates.end());
    CHECK(fate->fate == Fate::not_comparable);
    CHECK(fate->reason == "one of the inputs does not say why the device was idle");
  }
}
