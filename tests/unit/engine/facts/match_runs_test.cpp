// SPDX-License-Identifier: Apache-2.0
// Which things of two runs are the same.
#include "engine/facts/match_runs.hpp"

#include <string>

#include "engine/facts/kernel_family.hpp"
#include "tests/catch.hpp"
#include "tests/support/stated_run.hpp"

using namespace kdiag;
using tests::stated_run;

namespace {

/// "0 -> 2 (only_one)" for each device of the run, joined by commas.
std::string devices(const std::string& run, const std::string& baseline) {
  static constexpr std::string_view bases[] = {"none", "key", "only_one", "position", "family"};
  const auto a = stated_run(run);
  const auto b = stated_run(baseline);
  const RunMatch match(*a, *b);
  std::string out;
  for (std::uint32_t row = 0; row < a->rows(table("devices")); ++row) {
    const Counterpart found = match.device(row);
    out += (out.empty() ? "" : ", ") + std::to_string(a->integer(column("devices.id"), row)) + " ";
    if (found) out += "-> " + std::to_string(b->integer(column("devices.id"), found.row)) + " ";
    out += bases[static_cast<std::size_t>(found.basis)];
  }
  return out;
}

std::string work(const std::string& on) {
  std::string out = "kernel_stats: [";
  for (const char device : on)
    out += (out.back() == '[' ? "" : ", ") + std::string("{name: k, device: ") + device + "}";
  return out + "]";
}

}  // namespace

TEST_CASE("a device is matched by its id, else as the only one that works, else by its place", "[engine][baseline]") {
  CHECK(devices(work("01"), work("01")) == "0 -> 0 key, 1 -> 1 key");
  CHECK(devices(work("0"), work("2")) == "0 -> 2 only_one");
  CHECK(devices(work("0"), work("12")) == "0 none");
  // An idle device of the same number is not where the work was.
  CHECK(devices("devices: [{id: 0}, {id: 1}]\n" + work("0"), "devices: [{id: 0}, {id: 1}]\n" + work("1")) ==
        "0 -> 1 only_one, 1 none");
  const std::string old = "devices: [{id: 0, name: A100}, {id: 1, name: A100}]\n" + work("01");
  const std::string moved = "devices: [{id: 4, name: A100}, {id: 5, name: A100}]\n" + work("45");
  CHECK(devices(moved, old) == "4 -> 0 position, 5 -> 1 position");
  const std::string other = "devices: [{id: 4, name: H100}, {id: 5, name: A100}]\n" + work("45");
  CHECK(devices(other, old) == "4 none, 5 none");
}

TEST_CASE("the last device of a rank is the last one that the rank had", "[engine][baseline]") {
  const auto ranks = [](const std::string& first, const std::string& second) {
    return "devices: [{id: " + first + ", rank: 0}, {id: " + second +
           ", rank: 1}]\nkernel_stats: [{name: k, device: '0:" + first + "'}, {name: k, device: '1:" + second + "'}]";
  };
  CHECK(devices(ranks("0", "3"), ranks("0", "1")) == "0 -> 0 key, 3 -> 1 position");
}

TEST_CASE("devices of several ranks are told apart by their rank", "[engine][baseline]") {
  const auto ranks = [](const std::string& a, const std::string& b) {
    return "devices: [{id: 0, rank: " + a + "}, {id: 0, rank: " + b + "}]\nkernel_stats: [{name: k, device: '" + a +
           ":0'}, {name: k, device: '" + b + ":0'}]";
  };
  CHECK(devices(ranks("0", "1"), ranks("1", "0")) == "0 -> 0 key, 0 -> 0 key");
  const auto a = stated_run(ranks("0", "3"));
  const auto b = stated_run(ranks("3", "4"));
  const RunMatch match(*a, *b);
  CHECK_FALSE(match.rank(0));
  CHECK_FALSE(match.device(0));
  REQUIRE(match.rank(1));
  CHECK(b->small(column("ranks.id"), match.rank(1).row) == 3);
}

TEST_CASE("a kernel's family is its name without sizes", "[engine][baseline]") {
  CHECK(kernel_family("volta_sgemm_128x64_nt") == "volta_sgemm_#x#_nt");
  CHECK(kernel_family("volta_sgemm_32x32_sliced1x4_nt") == "volta_sgemm_#x#_sliced1x#_nt");
  CHECK(kernel_family("ampere_bf16_s16816gemm_bf16_64x64_ldg8_f2f_stages_64x5_tn") ==
        "ampere_bf16_s16816gemm_bf16_#x#_ldg8_f2f_stages_#x#_tn");
  CHECK(kernel_family("volta_scudnn_128x32_relu_exp_medium_nhwc_tn_v1") ==
        kernel_family("volta_scudnn_128x64_relu_exp_small_nhwc_tn_v1"));
  CHECK(kernel_family("triton_poi_fused_add_17") == "triton_poi_fused_add_#");
  CHECK(kernel_family("void f<float, 4, 256>(int)") == "void f<float, #, #>(int)");
  CHECK(kernel_family("smallest_sort") == "smallest_sort");
  CHECK(kernel_family("nvkernel_solve_F1L204_2") == "nvkernel_solve_F#L#_#");
}

TEST_CASE("kernels are matched by name, and by family where nothing else can be meant", "[engine][baseline]") {
  const auto run = stated_run(
      "kernel_stats: [{name: gemm_64x64_nt, total: 6us}, {name: relu, total: 3us}, {name: f<4>, total: 1us}, "
      "{name: f<8>, total: 10us}]");
  const auto baseline = stated_run(
      "kernel_stats: [{name: relu, total: 3us}, {name: gemm_128x64_nt, total: 8us}, {name: f<2>, total: 1us}]");
  const RunMatch match(*run, *baseline);
  const auto name_of = [&](std::uint32_t row) {
    const Counterpart found = match.row(table("kernel_stats"), row);
    return found ? std::string(baseline->text(column("kernel_stats.name"), found.row)) : std::string("none");
  };
  CHECK(name_of(0) == "gemm_128x64_nt");
  CHECK(name_of(1) == "relu");
  CHECK(name_of(2) == "none");  // f<4> or f<8>?
  CHECK(match.row(table("kernel_stats"), 0).basis == MatchBasis::family);
  CHECK(match.matched_time().by_name == 3'000);
  CHECK(match.matched_time().by_family == 6'000);
  CHECK(match.matched_time().unmatched == 11'000);
}

TEST_CASE("rows with a key of their own are found, single events are not", "[engine][baseline]") {
  const auto run = stated_run("op_stats: [{name: aten::mm}, {name: aten::add}]\nkernels: [{name: k, dur: 1us}]");
  const auto baseline = stated_run("op_stats: [{name: aten::add}, {name: aten::mm}]\nkernels: [{name: k, dur: 1us}]");
  const RunMatch match(*run, *baseline);
  CHECK(match.row(table("op_stats"), 0).row == 1);
  CHECK(match.row(table("op_stats"), 1).row == 0);
  CHECK_FALSE(match.row(table("kernels"), 0));
  CHECK(RunMatch::has_key(table("kernel_stats")));
  CHECK_FALSE(RunMatch::has_key(table("kernels")));
}

TEST_CASE("runs are paired by their ranks, else by their place, else with the first", "[engine][baseline]") {
  const auto a = stated_run("ranks: [{id: 0}]");
  const auto b = stated_run("ranks: [{id: 1}]");
  const auto none = stated_run("kernels: [{name: k, dur: 1us}]");
  const FactStore* ab[] = {a.get(), b.get()};
  const FactStore* ba[] = {b.get(), a.get()};
  const FactStore* plain[] = {none.get(), none.get()};
  CHECK(pair_runs(ab, ba) == std::vector<std::size_t>{1, 0});
  CHECK(pair_runs(plain, ab) == std::vector<std::size_t>{0, 1});
  CHECK(pair_runs(std::span(plain, 1), ab) == std::vector<std::size_t>{0});
}
