// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/judge_pairs.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include <kdiag/compare.hpp>

#include "tests/corpus/pairs.hpp"
#include "tests/corpus/trace_folder.hpp"

namespace kdiag::corpus {
namespace {

bool compares(const std::string& rule) { return rule.starts_with("changed.") || rule == "clock.throttled"; }

bool contains(const std::vector<std::string_view>& rules, const std::string& rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

void judge(const Change& change, std::uint64_t seed, const Said& said, Score& score) {
  const auto complain = [&](const std::string& what) {
    std::fprintf(stderr, "%s (seed %d): %s\n", std::string(change.name).c_str(), static_cast<int>(seed), what.c_str());
  };
  bool alarmed = false;
  for (const auto& [rule, severity] : said.top) {
    if (severity < Severity::medium || !compares(rule)) continue;
    if (contains(change.rules, rule) || contains(change.also, rule)) continue;
    alarmed = true;
    score.wrong(rule);
    complain(rule + " is not true of it");
  }
  if (change.rules.empty()) {
    ++score.healthy;
    if (alarmed) ++score.alarmed;
    return;
  }
  ++score.faulty;
  const std::string expected(change.rules.front());
  const bool first = contains(change.rules, said.first);
  if (first) ++score.named_first;
  else complain("first is " + said.first);
  score.placed(expected, first);
  const bool found = std::any_of(change.rules.begin(), change.rules.end(),
                                 [&](std::string_view rule) { return said.fired(std::string(rule)); });
  if (found) {
    score.right(expected);
  } else {
    score.missed(expected);
    complain("nothing says " + expected);
  }
}

}  // namespace

bool judge_pairs(std::uint64_t seed, const std::filesystem::path& folder, bool keep, const RuleSet& rules,
                 Score& score) {
  for (const Pair& pair : pairs(seed)) {
    std::string name = std::to_string(seed) + " " + std::string(pair.change->name);
    std::replace(name.begin(), name.end(), ' ', '_');
    // Two runs of one job are never the same twice.
    const auto normal = write(folder / name / "normal", pair.normal.play(2 * seed));
    const auto abnormal = write(folder / name / "abnormal", pair.abnormal.play(2 * seed + 1));
    const auto sides = load_sides(normal, abnormal);
    const auto report = sides ? compare(*sides, rules) : Result<Report>(sides.error());
    if (!report) {
      std::fprintf(stderr, "%s: could not be compared\n%s", name.c_str(), render(report.error()).c_str());
      return false;
    }
    judge(*pair.change, seed, said_in(*report), score);
    if (!keep) std::filesystem::remove_all(folder / name);
  }
  return true;
}

}  // namespace kdiag::corpus
