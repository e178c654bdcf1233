// SPDX-License-Identifier: Apache-2.0
// What became of findings: by their own measure, on the subjects that had them, and against the noise of the cycles.
#include <algorithm>
#include <string>

#include <kdiag/compare.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

constexpr std::string_view fate_rules = R"(
kdiag: 1
pack: {name: mine, version: 0.1.0}
rules:
- rule: idle.mostly
  title: "busy for ${share}"
  summary: s
  why: w
  how: h
  for_each: device
  applies: count(kernels) > 0
  let:
    share: busy(kernels) / run.wall
  when: share < 60%
  impact: run.wall - busy(kernels)
  gain: run.wall - busy(kernels)
  recommend:
  - text: give it work
    verify: share >= 60%
- rule: busy.mostly
  title: "busy for ${share}"
  summary: s
  why: w
  how: h
  for_each: device
  applies: count(kernels) > 0
  let:
    share: busy(kernels) / run.wall
  when: share > 50%
  impact: busy(kernels)
  recommend:
  - text: take work away
    verify: share < 99%
)";

/// Steps of `length` us on two devices, of which the second does nothing; the first computes for `busy` us of each.
Facts steps_of(std::int64_t length, std::int64_t busy, const std::string& kernel = "gemm") {
  std::string steps, kernels;
  for (std::int64_t i = 0; i < 10; ++i) {
    const std::string start = std::to_string(i * length * 1000), comma = i == 0 ? "" : ", ";
    steps += comma + "[" + std::to_string(i) + ", " + start + ", " + std::to_string(length * 1000) + "]";
    kernels += comma + "[\"" + kernel + "\", " + start + ", " + std::to_string(busy * 1000) + ", 0, " +
               std::to_string(i) + "]";
  }
  const std::string text =
      "{\"schema\": \"kdiag.facts/1\", \"writer\": \"test\"}\n{\"run\": {\"label\": \"run\"}}\n"
      "{\"table\": \"devices\", \"columns\": [\"id\", \"name\"], \"rows\": [[0, \"A100\"], [1, \"A100\"]]}\n"
      "{\"table\": \"steps\", \"columns\": [\"index\", \"start\", \"dur\"], \"rows\": [" +
      steps +
      "]}\n"
      "{\"table\": \"kernels\", \"columns\": [\"name\", \"start\", \"dur\", \"device\", \"step\"], \"rows\": [" +
      kernels + "]}\n";
  Result<Facts> facts = load_trace("run.jsonl", std::span<const char>(text.data(), text.size()));
  if (!facts) FAIL(render(facts.error()));
  return *facts;
}

Comparison compared(const Facts& normal, const Facts& abnormal) {
  RuleOptions options;
  options.builtin = false;
  static const Result<RuleSet> rules = load_rules_text("mine.yaml", fate_rules, options);
  if (!rules) FAIL(render(rules.error()));
  const Result<Report> report = compare({normal, abnormal}, *rules);
  if (!report) FAIL(render(report.error()));
  return *report->comparison;
}

FindingChange fate_of(const Comparison& comparison, const std::string& rule) {
  const auto found = std::find_if(comparison.finding_changes.begin(), comparison.finding_changes.end(),
                                  [&](const FindingChange& fate) { return fate.rule == rule; });
  REQUIRE(found != comparison.finding_changes.end());
  return *found;
}

}  // namespace

TEST_CASE("a promise is asked of the subjects that were advised on", "[compare]") {
  // The second device is idle in both runs: it neither had the finding nor keeps or breaks the promise.
  const FindingChange fate = fate_of(compared(steps_of(1000, 300), steps_of(400, 300)), "idle.mostly");
  CHECK(fate.fate == Fate::gone);
  CHECK(fate.verified == true);
}

TEST_CASE("a check says what it found and what it asks for", "[compare]") {
  const FindingChange fate = fate_of(compared(steps_of(1000, 300), steps_of(1000, 500)), "idle.mostly");
  CHECK(fate.verified == false);
  CHECK(fate.verify_text == "50 %, at least 60 % asked");
  CHECK(fate_of(compared(steps_of(1000, 300), steps_of(400, 300)), "idle.mostly").verify_text ==
        "75 %, at least 60 % asked");
}

TEST_CASE("what a fix left over is the impact after, and it gained no more than the cycle", "[compare]") {
  const FindingChange gone = fate_of(compared(steps_of(1000, 300), steps_of(400, 300)), "idle.mostly");
  CHECK(gone.before_ns == 700'000);
  CHECK(gone.after_ns == 100'000);
  CHECK(gone.achieved_ns == 600'000);
  CHECK(gone.gained_ns == 600'000);
  // The idle time became busy time: the impact fell, the cycle gained nothing.
  const FindingChange filled = fate_of(compared(steps_of(1000, 300), steps_of(1000, 900)), "idle.mostly");
  CHECK(filled.fate == Fate::gone);
  CHECK(filled.achieved_ns == 600'000);
  CHECK(filled.gained_ns == 0);
}

TEST_CASE("a finding that is new by a hair is within the noise", "[compare]") {
  const FindingChange hair = fate_of(compared(steps_of(1000, 495), steps_of(1000, 505)), "busy.mostly");
  CHECK(hair.fate == Fate::appeared);
  CHECK(hair.before_ns == 495'000);
  CHECK(hair.after_ns == 505'000);
  CHECK(hair.within_noise == true);
  const FindingChange real = fate_of(compared(steps_of(1000, 300), steps_of(1000, 700)), "busy.mostly");
  CHECK(real.before_ns == 300'000);
  CHECK(real.within_noise == false);
  // By the same measure there was more of it before.
  const FindingChange less = fate_of(compared(steps_of(2000, 900), steps_of(1000, 700)), "busy.mostly");
  CHECK(less.fate == Fate::appeared);
  CHECK(less.before_ns == 900'000);
  CHECK(less.within_noise == true);
}

TEST_CASE("a finding whose measure is still there was reduced at most, whatever the rule says", "[compare]") {
  // 600 of 1000 us idle and 400 of 1010 are below the limit of 60 % busy by a hair only.
  const FindingChange fate = fate_of(compared(steps_of(1000, 590), steps_of(1000, 610)), "idle.mostly");
  CHECK(fate.fate == Fate::unchanged);
  CHECK(fate.before_ns == 410'000);
  CHECK(fate.after_ns == 390'000);
  CHECK(fate.reason == "below the rule's limit now");
  CHECK(fate_of(compared(steps_of(1000, 500), steps_of(1000, 650)), "idle.mostly").fate == Fate::reduced);
}

TEST_CASE("findings of unrelated programs are not compared", "[compare]") {
  const Comparison comparison = compared(steps_of(1000, 300), steps_of(1000, 700, "softmax"));
  CHECK(comparison.verdict == Verdict::inconclusive);
  REQUIRE(comparison.finding_changes.size() == 2);
  for (const FindingChange& fate : comparison.finding_changes) {
    CAPTURE(fate.rule);
    CHECK(fate.fate == Fate::not_comparable);
    CHECK(fate.reason == "the runs did different work");
    CHECK_FALSE(fate.gained_ns.has_value());
    CHECK_FALSE(fate.within_noise.has_value());
  }
}

TEST_CASE("growth within a regression is not called noise", "[compare]") {
  const FindingChange fate = fate_of(compared(steps_of(1000, 495), steps_of(1500, 800)), "busy.mostly");
  CHECK(fate.fate == Fate::appeared);
  CHECK_FALSE(fate.within_noise.has_value());
}

TEST_CASE("a rule and its check that differ are said to differ", "[compare][report]") {
  const Comparison kept = compared(steps_of(1000, 700), steps_of(1000, 720));
  CHECK(fate_of(kept, "busy.mostly").fate == Fate::unchanged);
  CHECK(fate_of(kept, "busy.mostly").verified == true);
}
