// SPDX-License-Identifier: Apache-2.0
// How often the built-in rules are right on simulated runs with known faults.
// Usage: kdiag_accuracy [--seeds N] [--gate] [--write FOLDER]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/corpus/faults.hpp"

namespace kdiag::corpus {
namespace {

// The quality that the project promises (docs/accuracy.md).
constexpr double least_precision = 0.95;
constexpr double least_recall = 0.95;
constexpr double least_top = 0.90;

struct Counts {
  int right = 0;   ///< said and true
  int wrong = 0;   ///< said and not true
  int missed = 0;  ///< true and not said
  double precision() const { return right + wrong == 0 ? 1 : static_cast<double>(right) / (right + wrong); }
  double recall() const { return right + missed == 0 ? 1 : static_cast<double>(right) / (right + missed); }
};

struct Score {
  std::map<std::string, Counts> rules;
  Counts all;
  int faulty = 0, named_first = 0;
  int healthy = 0, alarmed = 0;  ///< healthy runs, and those with a finding above low
};

/// The rules that fired, symptoms included, and those on top of the report from medium on.
struct Said {
  std::set<std::string> any;
  std::vector<std::string> top;
  std::string first = "nothing";  ///< whatever its severity
};

void collect(const Finding& finding, Said& said) {
  said.any.insert(finding.rule);
  for (const Finding& symptom : finding.symptoms) collect(symptom, said);
}

bool contains(const std::vector<std::string_view>& rules, const std::string& rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

/// Judges one run; what was wrong goes to standard error.
void judge(const Scenario& scenario, std::uint64_t seed, const Report& report, Score& score) {
  Said said;
  if (!report.findings.empty()) said.first = report.findings.front().rule;
  for (const Finding& finding : report.findings) {
    collect(finding, said);
    if (finding.severity >= Severity::medium) said.top.push_back(finding.rule);
  }
  const auto complain = [&](const std::string& what) {
    std::fprintf(stderr, "%s (seed %d): %s\n", scenario.name.c_str(), static_cast<int>(seed), what.c_str());
  };
  if (scenario.faults.empty()) {
    ++score.healthy;
    if (!said.top.empty()) ++score.alarmed;
  } else {
    ++score.faulty;
    const bool first = std::any_of(scenario.faults.begin(), scenario.faults.end(),
                                   [&](const Fault* fault) { return contains(fault->rules, said.first); });
    if (first) ++score.named_first;
    else complain("first is " + said.first);
  }
  for (const Fault* fault : scenario.faults) {
    const auto found = std::find_if(fault->rules.begin(), fault->rules.end(),
                                    [&](std::string_view rule) { return said.any.contains(std::string(rule)); });
    Counts& rule = score.rules[std::string(found == fault->rules.end() ? fault->rules.front() : *found)];
    if (found != fault->rules.end()) {
      ++rule.right;
      ++score.all.right;
    } else {
      ++rule.missed;
      ++score.all.missed;
      complain("nothing says " + std::string(fault->rules.front()));
    }
  }
  for (const std::string& rule : said.top) {
    const bool meant = std::any_of(scenario.faults.begin(), scenario.faults.end(), [&](const Fault* fault) {
      return contains(fault->rules, rule) || contains(fault->also, rule);
    });
    // That the device is idle is true of any run in which it is; it is a symptom and claims no cause.
    if (meant || (rule == "gpu.low-utilization" && !scenario.faults.empty())) continue;
    ++score.rules[rule].wrong;
    ++score.all.wrong;
    complain(rule + " is not true of it");
  }
}

void print(const Score& score) {
  std::printf("| rule | precision | recall | right | wrong | missed |\n|---|---|---|---|---|---|\n");
  const auto line = [](const char* name, const Counts& c) {
    std::printf("| %s | %.1f %% | %.1f %% | %d | %d | %d |\n", name, c.precision() * 100, c.recall() * 100, c.right,
                c.wrong, c.missed);
  };
  for (const auto& [rule, counts] : score.rules) line(("`" + rule + "`").c_str(), counts);
  line("all", score.all);
  std::printf("\nThe fault, or one of two, is named first in %d of %d runs (%.1f %%).\n", score.named_first,
              score.faulty, 100.0 * score.named_first / std::max(1, score.faulty));
  std::printf("Findings above low in healthy runs: %d of %d runs.\n", score.alarmed, score.healthy);
}

bool good_enough(const Score& score) {
  return score.all.precision() >= least_precision && score.all.recall() >= least_recall &&
         score.named_first >= least_top * score.faulty && score.alarmed == 0;
}

std::vector<std::string> write(const std::filesystem::path& folder, const std::vector<TraceFile>& files) {
  std::filesystem::create_directories(folder);
  std::vector<std::string> paths;
  for (const TraceFile& file : files) {
    paths.push_back((folder / file.name).string());
    std::ofstream(paths.back(), std::ios::binary) << file.text;
  }
  return paths;
}

int run(int seeds, bool gate, const std::filesystem::path& keep) {
  RuleOptions options;
  options.incubating = true;
  const auto rules = builtin_rules(options);
  if (!rules) return 3;
  const std::filesystem::path folder = keep.empty() ? std::filesystem::temp_directory_path() / "kdiag-accuracy" : keep;
  Score score;
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(seeds); ++seed)
    for (const Scenario& scenario : scenarios(seed)) {
      std::string name = std::to_string(seed) + " " + scenario.name;
      std::replace(name.begin(), name.end(), ' ', '_');
      const auto paths = write(folder / name, simulate(scenario.workload, seed));
      const auto facts = load_traces(paths);
      if (!facts) {
        std::fprintf(stderr, "%s: could not be read\n%s", name.c_str(), render(facts.error()).c_str());
        return 2;
      }
      judge(scenario, seed, diagnose(*facts, *rules), score);
      if (keep.empty()) std::filesystem::remove_all(folder / name);
    }
  print(score);
  return gate && !good_enough(score) ? 1 : 0;
}

}  // namespace
}  // namespace kdiag::corpus

int main(int argc, char** argv) {
  int seeds = 3;
  bool gate = false;
  std::filesystem::path keep;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--gate") == 0) gate = true;
    else if (std::strcmp(argv[i], "--seeds") == 0 && i + 1 < argc) seeds = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--write") == 0 && i + 1 < argc) keep = argv[++i];
    else {
      std::fprintf(stderr, "usage: %s [--seeds N] [--gate] [--write FOLDER]\n", argv[0]);
      return 2;
    }
  }
  return kdiag::corpus::run(seeds, gate, keep);
}
