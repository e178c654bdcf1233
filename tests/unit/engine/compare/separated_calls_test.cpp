// SPDX-License-Identifier: Apache-2.0
// Whole runs whose calls tell change from chance, and those that do not.
#include <string>
#include <vector>

#include "engine/compare/separated_calls.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

constexpr std::int64_t us = 1000;

NamedWork kernel(const std::string& name, std::int64_t calls, std::int64_t before, std::int64_t after,
                 std::int64_t spread) {
  NamedWork work{.name = name, .in_normal = true, .in_abnormal = true};
  work.calls_normal = work.calls_abnormal = calls;
  work.ns_normal = calls * before;
  work.ns_abnormal = calls * after;
  work.shortest_normal = before - spread;
  work.longest_normal = before + spread;
  work.shortest_abnormal = after - spread;
  work.longest_abnormal = after + spread;
  return work;
}

CycleEntry run_of(const Work& work) {
  std::int64_t before = 0, after = 0;
  for (const std::vector<NamedWork>* list : {&work.kernels, &work.copies})
    for (const NamedWork& own : *list) {
      before += own.ns_normal;
      after += own.ns_abnormal;
    }
  return compare_cycles({CycleBasis::run, "", {{0, before}}, {{0, after}}});
}

std::optional<Verdict> verdict_of(const std::vector<NamedWork>& kernels, const std::vector<NamedWork>& copies = {}) {
  Work work;
  work.kernels = kernels;
  work.copies = copies;
  const auto judged = judge_separated_calls(run_of(work), work, {});
  return judged ? std::optional(judged->verdict) : std::nullopt;
}

}  // namespace

TEST_CASE("whole runs differ where every call of a kernel takes longer than any before", "[compare]") {
  CHECK(verdict_of({kernel("step", 6000, 15 * us, 12'000 * us, us)}) == Verdict::regression);
  CHECK(verdict_of({kernel("step", 6000, 12'000 * us, 15 * us, us)}) == Verdict::improvement);
  Work work;
  work.kernels = {kernel("step", 6000, 15 * us, 12'000 * us, us)};
  const auto judged = judge_separated_calls(run_of(work), work, {});
  REQUIRE(judged);
  CHECK(judged->reason ==
        "every call of one function of the device takes longer than any in the normal run (step, 6,000 calls: at most "
        "16 us before, at least 12 ms now)");
}

TEST_CASE("calls that overlap, that are few, or that are not most of the change tell nothing", "[compare]") {
  CHECK_FALSE(verdict_of({kernel("step", 6000, 15 * us, 25 * us, 6 * us)}));
  CHECK_FALSE(verdict_of({kernel("step", 4, 15 * us, 90 * us, us)}));
  CHECK(verdict_of({kernel("step", 5, 15 * us, 900 * us, us)}) == Verdict::regression);
  // A tenth is what two recordings of one program differ by.
  CHECK_FALSE(verdict_of({kernel("step", 6000, 100 * us, 108 * us, us)}));
  // One kernel is surely slower, and the other, which overlaps, brings most of the change.
  CHECK_FALSE(
      verdict_of({kernel("sure", 100, 10 * us, 20 * us, us), kernel("vague", 100, 100 * us, 200 * us, 150 * us)}));
  // What became slower and what became faster weigh against each other.
  CHECK_FALSE(verdict_of({kernel("slower", 100, 10 * us, 200 * us, us), kernel("faster", 100, 150 * us, 10 * us, us),
                          kernel("vague", 100, 100 * us, 200 * us, 150 * us)}));
  NamedWork unknown = kernel("step", 6000, 15 * us, 1500 * us, us);
  unknown.longest_normal = unknown.shortest_normal = {};
  CHECK_FALSE(verdict_of({unknown}));
}

TEST_CASE("few calls tell whole runs apart where they are far apart and long", "[compare]") {
  CHECK(verdict_of({kernel("dot", 1, 187'410 * us, 3962 * us, 0)}) == Verdict::improvement);
  CHECK(verdict_of({kernel("dot", 1, 3962 * us, 187'410 * us, 0)}) == Verdict::regression);
  CHECK_FALSE(verdict_of({kernel("dot", 1, 187'410 * us, 70'000 * us, 0)}));
  CHECK_FALSE(verdict_of({kernel("cold", 1, 10 * us, 990 * us, 0)}));
  CHECK_FALSE(verdict_of({kernel("idle", 1, 1000 * us, 3100 * us, 0)}));  // 210 MHz are a ninth of 1,980
  CHECK(verdict_of({kernel("warm", 2, 1000 * us, 3100 * us, 0)}) == Verdict::regression);
  // A start slows down one call of three, and no clock all of them by so much.
  CHECK(verdict_of({kernel("mapped", 3, 30 * us, 800 * us, us)}) == Verdict::regression);
  CHECK(verdict_of({kernel("mapped", 3, 800 * us, 30 * us, us)}) == Verdict::improvement);
  CHECK_FALSE(verdict_of({kernel("cold", 2, 30 * us, 800 * us, us)}));
  CHECK_FALSE(verdict_of({kernel("idle", 3, 90 * us, 800 * us, us)}));
  CHECK_FALSE(verdict_of({kernel("tiny", 3, 2 * us, 90 * us, us)}));
}

TEST_CASE("a mean near the shortest call tells runs apart whose first call is long", "[compare]") {
  // 520 calls on managed memory that fits, of which the first wait for pages, and such on memory that does not fit.
  NamedWork add = kernel("add", 520, 3269 * us, 30'903 * us, 0);
  add.shortest_normal = 897 * us;
  add.longest_normal = 42'015 * us;
  add.shortest_abnormal = 21'757 * us;
  add.longest_abnormal = 61'107 * us;
  Work work;
  work.kernels = {add};
  const auto judged = judge_separated_calls(run_of(work), work, {});
  REQUIRE(judged);
  CHECK(judged->verdict == Verdict::regression);
  CHECK(judged->reason ==
        "every call of one function of the device takes longer than most in the normal run (add, 520 calls: "
        "3.27 ms in the mean before, at least 21.8 ms now)");
  add.ns_normal = 520 * 9000 * us;  // many may reach the others
  work.kernels = {add};
  CHECK_FALSE(judge_separated_calls(run_of(work), work, {}));
}

TEST_CASE("whole runs whose calls take as long are neutral", "[compare]") {
  CHECK(verdict_of({kernel("step", 100, 1000 * us, 1005 * us, 50 * us)}) == Verdict::neutral);
  CHECK_FALSE(verdict_of({kernel("step", 4, 1000 * us, 1005 * us, 50 * us)}));
  CHECK_FALSE(verdict_of({kernel("step", 100, 1000 * us, 1050 * us, 50 * us)}));
  // One became slower by as much as the other became faster.
  CHECK_FALSE(verdict_of({kernel("a", 100, 1000 * us, 1300 * us, us), kernel("b", 100, 1000 * us, 705 * us, us)}));
}

TEST_CASE("whole runs of other data are no verdict", "[compare]") {
  const NamedWork slower = kernel("step", 100, 15 * us, 60 * us, us);
  CHECK_FALSE(verdict_of({slower}, {kernel("h2d", 10, 10 * us, 41 * us, us)}));
  CHECK(verdict_of({slower}, {kernel("h2d", 10, 10 * us, 11 * us, us)}) == Verdict::regression);
  // Bytes tell more than the time that they took, and one small copy of many nothing.
  NamedWork slow_link = kernel("h2d", 10, 10 * us, 41 * us, us);
  slow_link.bytes_normal = slow_link.bytes_abnormal = 4096;
  CHECK(verdict_of({slower}, {slow_link}) == Verdict::regression);
  CHECK(verdict_of({slower}, {kernel("h2d", 10, 100 * us, 100 * us, us), kernel("d2h", 1, us, 2 * us, 0)}) ==
        Verdict::regression);
  CHECK(verdict_of({slower}, {kernel("d2d", 10, 10 * us, 41 * us, us)}) == Verdict::regression);
}

TEST_CASE("calls of runs of other lengths count for as much work", "[compare]") {
  Work work;
  work.kernels = {kernel("step", 100, 15 * us, 60 * us, us)};
  work.kernels[0].calls_abnormal = 1000;
  work.kernels[0].ns_abnormal *= 10;
  const CycleEntry run = compare_cycles({.basis = CycleBasis::run,
                                         .name = "",
                                         .normal = {{0, 1500 * us}},
                                         .abnormal = {{0, 6000 * us}},
                                         .work_normal = 1,
                                         .work_abnormal = 10});
  CHECK_FALSE(judge_separated_calls(run, work, {}));
  const auto judged = judge_separated_calls(run, work, {1, 10});
  REQUIRE(judged);
  CHECK(judged->verdict == Verdict::regression);
}
