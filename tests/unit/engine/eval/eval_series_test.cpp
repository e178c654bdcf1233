// SPDX-License-Identifier: Apache-2.0
// Series of samples whose times and values are what no tool should write, and some do.
#include <kdiag/fact.hpp>
#include <kdiag/kdiag.hpp>

#include <string>
#include <string_view>

#include "base/intervals.hpp"
#include "engine/facts/throttle_reasons.hpp"
#include "tests/catch.hpp"
#include "tests/support/report_checks.hpp"

using namespace kdiag;

namespace {

constexpr std::string_view facts_head = R"({"schema": "kdiag.facts/1", "writer": "x"}
{"run":{"label":"x","producer":"p","clock":"unix"}}
{"table": "devices", "columns": ["id", "name", "kind"], "rows": [[0, "A100", "GPU"]]}
)";

Facts load(std::string_view bytes) {
  auto facts = load_trace("input", bytes);
  REQUIRE(facts);
  return *facts;
}

/// Facts with samples of power, or of another series: "[series, 0, time, value, unit], ...".
Facts samples(const std::string& rows) {
  return load(std::string(facts_head) +
              R"({"table": "samples", "columns": ["series", "device", "time", "value", "unit"], "rows": [)" + rows +
              "]}\n");
}

std::string ask(const Facts& facts, std::string_view expression) {
  const auto answer = query(facts, expression);
  REQUIRE(answer);
  return answer->csv;
}

void check_report(const Facts& facts) {
  const auto rules = builtin_rules();
  REQUIRE(rules);
  const Report report = diagnose(facts, *rules);
  CHECK(tests::check_values(report, facts) == std::vector<std::string>{});
  CHECK_FALSE(to_text(report).empty());
}

}  // namespace

TEST_CASE("of several samples of one instant the last stands", "[engine][hostile]") {
  const Facts facts = load(
      "timestamp, index, clocks.sm [MHz], power.draw [W]\n"
      "2024/01/01 00:00:00.000, 0, 1410 MHz, 100 W\n"
      "2024/01/01 00:00:00.000, 0, 1400 MHz, 90 W\n");
  for (const std::string_view function : {"max", "min", "time_avg", "time_median"}) {
    CAPTURE(function);
    CHECK(ask(facts, std::string(function) + "(series(\"power\"))").find("90") != std::string::npos);
  }
  check_report(facts);
}

TEST_CASE("a counter grows by its rises, also where it was reset", "[engine]") {
  const Facts facts = samples(
      R"(["xid", 0, 0, 5.0, "1"], ["xid", 0, 100, 7.0, "1"], ["xid", 0, 200, 7.0, "1"], ["xid", 0, 300, 3.0, "1"])");
  CHECK(ask(facts, "increase(series(\"xid\"))").find("5") != std::string::npos);  // 2, and 3 since the reset
  check_report(facts);
}

TEST_CASE("one sample of a counter tells no growth", "[engine]") {
  const Facts facts = samples(R"(["xid", 0, 0, 5.0, "1"])");
  CHECK(ask(facts, "increase(series(\"xid\")) is known").find("false") != std::string::npos);
  check_report(facts);
}

TEST_CASE("the last instant of a series holds although it was sampled twice", "[engine][hostile]") {
  const Facts facts = samples(R"(["power", 0, 0, 1.0, "W"], ["power", 0, 100, 2.0, "W"], ["power", 0, 100, 3.0, "W"])");
  CHECK(ask(facts, "max(series(\"power\"))").find('3') != std::string::npos);
  CHECK(ask(facts, "time_avg(series(\"power\"))").find('2') != std::string::npos);  // 1 W and 3 W for as long
  check_report(facts);
}

TEST_CASE("a report of nvidia-smi that is cut off is judged", "[engine][hostile]") {
  check_report(
      load("Wed Jun 24 10:26:34 2026       \n"
           "|   0  NVIDIA GeForce RTX 2080 ...    Off |   00000000:0C:00.0  On |                  N/A |\n"
           "| 37%   40C    P8             37W /  250W |     214MiB /   8192MiB |      0%      Default |\n"
           "==============NVSMI LOG==============\n"
           "GPU 00000000:0C:00.0\n"
           "    FB Memory Usage\n"
           "        Used                                           : 214 MiB\n"
           "        F"));
}

TEST_CASE("samples at the ends of time and of numbers are judged without overflow", "[engine][hostile]") {
  const Facts facts = samples(
      R"(["power", 0, -4600000000000000000, 1.0, "W"], ["power", 0, 4600000000000000000, 2.0, "W"], )"
      R"(["sm_clock", 0, -4600000000000000000, 1e+308, "Hz"], ["sm_clock", 0, 4600000000000000000, 1e+308, "Hz"], )"
      R"(["throttle_reasons", 0, 1, 1e+300, null], ["throttle_reasons", 0, 2, -5.0, null], )"
      R"(["throttle_reasons", 0, 3, 5.0, null])");
  for (const std::string_view expression :
       {"time_avg(series(\"power\"))", "time_avg(series(\"sm_clock\"))", "max(series(\"sm_clock\"))",
        "top(series(\"throttle_reasons\"), 3)", "length(time_flagged(series(\"throttle_reasons\"), [\"gpu_idle\"]))"})
    CHECK(ask(facts, expression).find("inf") == std::string::npos);
  check_report(facts);
}

TEST_CASE("what is no mask has no bits", "[engine][hostile]") {
  CHECK(throttle_bits(5) == 5);
  CHECK(throttle_bits(-5) == 0);
  CHECK(throttle_bits(1e300) == 0);
  CHECK(throttle_bits(absent_real) == 0);
  CHECK(throttle_bits(0x1p63) == std::uint64_t{1} << 63);
}

TEST_CASE("sums of times that are no time stay at the edge", "[engine][hostile]") {
  const Facts facts = load(std::string(facts_head) +
                           R"({"table": "kernel_stats", "columns": ["name", "device", "calls", "total"], "rows": [)"
                           R"(["a", 0, 9223372036854775807, 4600000000000000000], )"
                           R"(["b", 0, 9223372036854775807, 4600000000000000000], )"
                           R"(["c", 0, 9223372036854775807, 4600000000000000000]]})"
                           "\n");
  check_report(facts);
  CHECK(add_times(INT64_MAX, INT64_MAX) == latest_instant - 1);
  CHECK(add_times(INT64_MIN, -1) == -latest_instant + 1);
  CHECK(add_times(3, -5) == -2);
}

TEST_CASE("the account of stated phases and idle time adds up, however large they are", "[engine][hostile]") {
  SECTION("phases") {
    check_report(load(std::string(facts_head) +
                      R"({"table": "phases", "columns": ["device", "kind", "dur"], "rows": [)"
                      R"([0, "kernel", 4600000000000000000], [0, "memcpy", 4600000000000000000], )"
                      R"([0, "runtime", 4600000000000000000], [0, "other", 4600000000000000000]]})"
                      "\n"));
  }
  SECTION("idle time") {
    check_report(load(std::string(facts_head) +
                      R"({"table": "kernels", "columns": ["name", "start", "dur", "device"], "rows": [)"
                      R"(["k", 0, 10, 0], ["k", 90, 10, 0]]})"
                      "\n"
                      R"({"table": "idle", "columns": ["device", "start", "dur", "cause"], "rows": [)"
                      R"([0, 10, 4600000000000000000, "launch"], [0, 20, 50, "launch"], [0, null, 5, "launch"]]})"
                      "\n"));
  }
}

TEST_CASE("rows of each of several devices are its own, whatever order they have", "[engine]") {
  const Facts facts = load(std::string(facts_head) +
                           R"({"table": "devices", "columns": ["id", "name", "kind"], "rows": [[1, "A100", "GPU"]]})"
                           "\n"
                           R"({"table": "kernels", "columns": ["name", "start", "dur", "device"], "rows": [)"
                           R"(["a", 0, 10, 1], ["b", 20, 10, 0], ["c", 40, 10, 1], ["d", 60, 10, null]]})"
                           "\n");
  const auto rules = load_rules_text("r.yaml",
                                     "kdiag: 1\nrules:\n- rule: a.b\n  title: ${count(kernels)} kernels, "
                                     "${mode(kernels, name)} first\n  for_each: device\n  when: count(kernels) > 1\n",
                                     {.builtin = false});
  REQUIRE(rules);
  const Report report = diagnose(facts, *rules);
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings[0].subject.id == "1");
  CHECK(report.findings[0].title == "2 kernels, a first");
}
