// SPDX-License-Identifier: Apache-2.0
// Tables that profilers print, where parts of them are missing.
#include <algorithm>
#include <string>

#include <kdiag/input.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

TEST_CASE("of a cut table of torch.profiler behind another no total is derived", "[adapters]") {
  // It may be the same table again, and totals of rounded shares do not tell.
  const std::string folder = std::string(KDIAG_SOURCE_DIR) + "/tests/golden/adapters/torch_key_averages/";
  const std::string cut = tests::read_file(folder + "truncated.in");
  const auto host_time = [](const Facts& facts, std::size_t run) {
    return facts.loaded().runs.at(run).store->integer(column("runs.host_time"), 0);
  };
  const auto alone = load_trace("cut.txt", std::string_view(cut));
  if (!alone) FAIL(render(alone.error()));
  CHECK(host_time(*alone, 0) == 100'000'000);
  std::string other = cut;  // of other times: the same rows again would be the same recording
  for (const char digit : {'2', '6', '8'}) std::replace(other.begin(), other.end(), digit, '3');
  const std::string both = tests::read_file(folder + "normal.in") + "\n" + other;
  const auto behind = load_trace("both.txt", std::string_view(both));
  if (!behind) FAIL(render(behind.error()));
  REQUIRE(behind->loaded().runs.size() == 2);
  CHECK(host_time(*behind, 0) > 0);
  CHECK(host_time(*behind, 1) == absent_integer);
}

TEST_CASE("kernels that only kernels launch have the calls of the device", "[adapters]") {
  const std::string text =
      "==1== Profiling result:\n"
      "Time(%)      Time  Calls (host)  Calls (device)       Avg       Min       Max  Name\n"
      " 60.00%  600.00ms             -           20750  28.915us  10.000us  90.000us  child(int*)\n"
      " 40.00%  400.00ms            10               -  40.000ms  30.000ms  50.000ms  parent(int*)\n";
  const auto facts = load_trace("nvprof.txt", std::string_view(text));
  if (!facts) FAIL(render(facts.error()));
  const FactStore& store = *facts->loaded().runs.front().store;
  REQUIRE(store.rows(table("kernel_stats")) == 2);
  CHECK(store.integer(column("kernel_stats.calls"), 0) == 20750);
  CHECK(store.integer(column("kernel_stats.calls"), 1) == 10);
}
