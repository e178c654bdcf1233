// SPDX-License-Identifier: Apache-2.0
// Real output of nvidia-smi: captures of several commands, whose `--query-gpu` part says what the others must say.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

std::string in_series(const std::string& series) { return "(samples where series == \"" + series + "\", value)"; }

}  // namespace

TEST_CASE("captures of nvidia-smi: figures of the reports, idle and loaded", "[shared][nvidia-smi]") {
  struct Capture {
    std::string file;
    // What `--query-gpu` printed in the same capture, under load.
    double sm_clock, memory_used_mib, power_limit;
  };
  const auto capture = GENERATE(values<Capture>({
      {"linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01.txt", 1.98e9, 19818, 700},
      {"linux-x86_64__nvidia-geforce-rtx-2080-super__610.57.04.txt", 2.07e9, 815, 250},
      {"windows-x86_64__nvidia-geforce-rtx-2080-super__591.86.txt", 2.055e9, 1296, 250},
  }));
  CAPTURE(capture.file);
  const Facts facts = load_facts(shared_trace("smi_gpu_exporter/internal/captures/" + capture.file));
  CHECK(real_of(facts, "max" + in_series("sm_clock")) == capture.sm_clock);
  CHECK(real_of(facts, "min" + in_series("throttle_reasons")) == 0);
  CHECK(real_of(facts, "max" + in_series("throttle_reasons")) == 1);  // idle in the first half
  CHECK(real_of(facts, "max" + in_series("memory_used")) == capture.memory_used_mib * 1024 * 1024);
  CHECK(real_of(facts, "max(devices, power_limit)") == capture.power_limit);
  // A summary, a report, a row of --query-gpu and five rows of dmon in each half.
  CHECK(integer_of(facts, "count(samples where series == \"power\")") == 16);
  // 15 s between the halves, and 4 s of dmon.
  CHECK(integer_of(facts, "run.wall") / 1'000'000'000 == 19);
  CHECK(find_finding(diagnose(facts, *builtin_rules()).findings, "clock.throttled") == nullptr);
}

TEST_CASE("XML reports of nvidia-smi", "[shared][nvidia-smi]") {
  struct Expected {
    std::string file, name;
    double sm_clock, sm_clock_max, power, temperature, mask;
  };
  const auto expected = GENERATE(values<Expected>({
      {"a100-sxm4-v12.xml", "NVIDIA A100-SXM4-80GB", 1275e6, 1410e6, 67.03, 27, 0},
      {"a10g.xml", "NVIDIA A10G", 210e6, 1710e6, 25.58, 17, 1},
      {"rtx-3080-v13.xml", "NVIDIA GeForce RTX 3080", 1950e6, 2100e6, 139.62, 27, 0},
  }));
  CAPTURE(expected.file);
  const Facts facts = load_facts(shared_trace("smi_telegraf/nvidia_smi/testdata/" + expected.file));
  CHECK(integer_of(facts, "count(devices where name == \"" + expected.name + "\")") == 1);
  CHECK(real_of(facts, "max(devices, sm_clock_max)") == expected.sm_clock_max);
  CHECK(real_of(facts, "max" + in_series("sm_clock")) == expected.sm_clock);
  CHECK(real_of(facts, "max" + in_series("power")) == expected.power);
  CHECK(real_of(facts, "max" + in_series("temperature")) == expected.temperature);
  CHECK(real_of(facts, "max" + in_series("throttle_reasons")) == expected.mask);
  CHECK(find_finding(diagnose(facts, *builtin_rules()).findings, "clock.throttled") == nullptr);
}

TEST_CASE("Prometheus text of nvidia_gpu_exporter", "[shared][nvidia-smi]") {
  struct Expected {
    std::string file;
    double sm_clock, power, memory_used;
  };
  const auto expected = GENERATE(values<Expected>({
      {"linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__load", 1.98e9, 631.95, 20'780'679'168},
      {"linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01__idle", 345e6, 69.85, 0},
  }));
  CAPTURE(expected.file);
  const Facts facts =
      load_facts(shared_trace("smi_gpu_exporter/internal/integration/testdata/" + expected.file + ".metrics"));
  CHECK(real_of(facts, "max" + in_series("sm_clock")) == expected.sm_clock);
  CHECK(real_of(facts, "max" + in_series("power")) == expected.power);
  CHECK(real_of(facts, "max" + in_series("memory_used")) == expected.memory_used);
  CHECK(find_finding(diagnose(facts, *builtin_rules()).findings, "clock.throttled") == nullptr);
}

TEST_CASE("JSON of rocm-smi", "[shared][rocm-smi]") {
  const Facts facts = load_facts(shared_trace("smi_telegraf/amd_rocm_smi/testdata/mi100_rocm602.json"));
  CHECK(integer_of(facts, "count(devices)") == 4);
  CHECK(real_of(facts, "sum" + in_series("power")) == 162);
  CHECK(integer_of(facts, "sum(devices, memory)") == 4 * 34'342'961'152);
  CHECK(find_finding(diagnose(facts, *builtin_rules()).findings, "clock.throttled") == nullptr);
}
