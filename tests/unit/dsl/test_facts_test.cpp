// SPDX-License-Identifier: Apache-2.0
// Facts of tests: what becomes of stated tables, values, series of rows and references.
#include "dsl/test_facts.hpp"

#include <memory>
#include <string>

#include "dsl/rule_file.hpp"
#include "engine/facts/fact_builder.hpp"
#include "tests/catch.hpp"

namespace kdiag {
namespace {

FactStore facts_of(const std::string& facts) {
  Diagnostics diagnostics;
  const std::string text =
      "kdiag: 1\nrules:\n- rule: a.b\n  title: t\n  when: true\n  tests:\n  - expect: clear\n    facts:\n" + facts;
  const RuleFile file = parse_rule_file(std::make_shared<const Source>(Source{"t.yaml", text}), diagnostics);
  INFO(render(diagnostics));
  REQUIRE(diagnostics.empty());
  auto fragment = test_facts(file.rules.at(0).tests.at(0));
  INFO((fragment ? std::string() : render(fragment.error())));
  REQUIRE(fragment);
  std::vector<Fragment> fragments;
  fragments.push_back(std::move(*fragment));
  return build_facts(std::move(fragments));
}

}  // namespace

TEST_CASE("tables of a test are absent, empty or filled", "[dsl][tests]") {
  const FactStore store = facts_of("      kernels: [{name: k, dur: 5us}]\n      copies: []\n      ops: absent\n");
  CHECK(store.present(table("kernels")));
  CHECK(store.rows(table("kernels")) == 1);
  CHECK(store.present(table("copies")));
  CHECK(store.rows(table("copies")) == 0);
  CHECK_FALSE(store.present(table("ops")));
  CHECK_FALSE(store.present(table("api")));
  CHECK_FALSE(store.has(column("kernels.start")));
  CHECK(store.provider(column("kernels.dur")) == "test");
}

TEST_CASE("values of a test have the unit and type of their column", "[dsl][tests]") {
  const FactStore store = facts_of(
      "      kernels: [{name: 'it''s', dur: 9.24ms, start: -5us, grid_x: 108, occupancy: 9.18%, correlation: "
      "9223372036854775807, smem: 48KiB}]\n"
      "      devices: [{id: 7, name: A100, sm_clock_avg: 210MHz, clocks_pinned: true, memory: 80GiB, dram_bw: 2TB/s}]\n"
      "      samples: [{series: sm_clock, value: 1.41GHz, time: 1s}, {series: power, value: 300W}, {series: "
      "throttle_reasons, value: 8}, {series: temperature, value: 85degC}]\n");
  CHECK(store.text(column("kernels.name"), 0) == "it's");
  CHECK(store.integer(column("kernels.dur"), 0) == 9240000);
  CHECK(store.integer(column("kernels.start"), 0) == -5000);
  CHECK(store.small(column("kernels.grid_x"), 0) == 108);
  CHECK(store.small(column("kernels.smem"), 0) == 49152);
  CHECK(store.real(column("kernels.occupancy"), 0) == 0.0918);
  CHECK(store.integer(column("kernels.correlation"), 0) == 9223372036854775807);
  CHECK(store.real(column("devices.sm_clock_avg"), 0) == 2.1e8);
  CHECK(store.index(column("devices.clocks_pinned"), 0) == 1);
  CHECK(store.integer(column("devices.memory"), 0) == std::int64_t{80} << 30U);
  CHECK(store.real(column("samples.value"), 0) == 1.41e9);
  CHECK(store.text(column("samples.unit"), 0) == "Hz");
  CHECK(store.text(column("samples.unit"), 1) == "W");
  CHECK(store.text(column("samples.unit"), 2) == "1");
  CHECK(store.real(column("samples.value"), 3) == 85.0);
}

TEST_CASE("a series of rows is generated", "[dsl][tests]") {
  const FactStore store = facts_of(
      "      kernels:\n      - {name: first, start: 1ms, dur: 1us}\n      - {name: k, start: 0us+20us*1000, dur: "
      "5us+1ns*1000, device: 0}\n");
  REQUIRE(store.rows(table("kernels")) == 1001);
  CHECK(store.integer(column("kernels.start"), 1) == 0);
  CHECK(store.integer(column("kernels.start"), 1000) == 999 * 20000);
  CHECK(store.integer(column("kernels.dur"), 1000) == 5999);
  CHECK(store.text(column("kernels.name"), 500) == "k");
  CHECK(store.rows(table("devices")) == 1);
  CHECK(store.index(column("kernels.device"), 0) == absent_index);
  CHECK(store.index(column("kernels.device"), 77) == 0);
}

TEST_CASE("several columns of a row are generated together, references too", "[dsl][tests]") {
  const FactStore store = facts_of(
      "      devices: [{id: 0+1*4, sm_clock_avg: 1GHz+10MHz*4, rank: 0+1*4}]\n"
      "      api: [{name: cudaLaunchKernel, start: 1us+20us*1000, dur: 4us, thread: 0+1*1000}]\n"
      "      kernels: [{name: k, start: 10us+20us*1000, dur: 5us+-3ns*1000, correlation: 1+1*1000, launch: 0+1*1000, "
      "device: 2, stream: 7+-0*1000}, {launch: 3+0*2, device: 0+1*2}]\n"
      "      samples: [{series: power, device: 3, time: 0s+100ms*20, value: 100W+2.5W*20}]\n");
  CHECK(store.rows(table("devices")) == 4);
  CHECK(store.real(column("devices.sm_clock_avg"), 3) == 1.03e9);
  CHECK(store.small(column("ranks.id"), store.index(column("devices.rank"), 3)) == 3);
  CHECK(store.rows(table("threads")) == 1000);
  REQUIRE(store.rows(table("kernels")) == 1002);
  CHECK(store.integer(column("kernels.dur"), 999) == 5000 - 3 * 999);
  CHECK(store.integer(column("kernels.correlation"), 999) == 1000);
  CHECK(store.index(column("kernels.launch"), 999) == 999);
  CHECK(store.index(column("kernels.launch"), 1001) == 3);
  CHECK(store.index(column("kernels.device"), 1001) == 1);
  CHECK(store.rows(table("streams")) == 1);
  REQUIRE(store.rows(table("samples")) == 20);
  CHECK(store.integer(column("samples.time"), 19) == 1'900'000'000);
  CHECK(store.real(column("samples.value"), 19) == 147.5);
}

TEST_CASE("references name rows by id, by place or by name", "[dsl][tests]") {
  const FactStore store = facts_of(
      "      devices: [{id: 3, rank: 1}, {id: 0+1*2, rank: 0}]\n"
      "      steps: [{index: 5, dur: 1ms}]\n"
      "      frames: [{file: a.py, line: 3, function: main}, {file: b.py, line: 9, parent: 0}]\n"
      "      ops: [{name: 'aten::mm', thread: 12, frame: 1}, {name: 'aten::add', parent: 0, frame: main}]\n"
      "      api: [{name: cudaLaunchKernel, op: 'aten::add', thread: 12}]\n"
      "      kernels: [{launch: 0, op: 1, device: 3, stream: 7, step: 5}, {launch: cudaLaunchKernel, device: '1:3', "
      "stream: 7, step: 6}, {device: 1}]\n");
  REQUIRE(store.rows(table("devices")) == 3);
  CHECK(store.rows(table("ranks")) == 2);
  CHECK(store.rows(table("streams")) == 1);
  CHECK(store.rows(table("threads")) == 1);
  CHECK(store.rows(table("steps")) == 2);
  CHECK(store.index(column("kernels.launch"), 1) == 0);
  CHECK(store.index(column("kernels.op"), 0) == 1);
  CHECK(store.index(column("kernels.device"), 0) == 0);
  CHECK(store.index(column("kernels.device"), 1) == 0);
  CHECK(store.integer(column("devices.id"), store.index(column("kernels.device"), 2)) == 1);
  CHECK(store.integer(column("steps.index"), store.index(column("kernels.step"), 1)) == 6);
  CHECK(store.index(column("api.op"), 0) == 1);
  CHECK(store.text(column("frames.file"), store.index(column("ops.frame"), 1)) == "a.py");
  CHECK(store.index(column("frames.parent"), store.index(column("ops.frame"), 0)) ==
        store.index(column("ops.frame"), 1));
}

}  // namespace kdiag
