// SPDX-License-Identifier: Apache-2.0
// How often the built-in rules are right: on simulated runs with known faults, on simulated pairs that differ in a
// known thing, and on real traces with labels. Usage: kdiag_accuracy [--seeds N] [--healthy N] [--shared FOLDER]
// [--recorded FOLDER] [--gate] [--write FOLDER]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/corpus/faults.hpp"
#include "tests/corpus/judge_pairs.hpp"
#include "tests/corpus/labels.hpp"
#include "tests/corpus/score.hpp"
#include "tests/corpus/trace_folder.hpp"

namespace kdiag::corpus {
namespace {

bool contains(const std::vector<std::string_view>& rules, const std::string& rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

/// Nothing is wrong with it, though it may look like it (a twin of a fault).
bool is_healthy(const Scenario& scenario) {
  return std::all_of(scenario.faults.begin(), scenario.faults.end(),
                     [](const Fault* fault) { return fault->rules.empty(); });
}

/// Judges one simulated run; what was wrong goes to standard error.
void judge(const Scenario& scenario, std::uint64_t seed, const Said& said, Score& score) {
  const auto complain = [&](const std::string& what) {
    std::fprintf(stderr, "%s (seed %d): %s\n", scenario.name.c_str(), static_cast<int>(seed), what.c_str());
  };
  int wrong = 0;
  const auto may_be_said = [&](const std::string& rule) {
    return std::any_of(scenario.faults.begin(), scenario.faults.end(),
                       [&](const Fault* fault) { return contains(fault->rules, rule) || contains(fault->also, rule); });
  };
  const auto may_not_be_said = [&](const std::string& rule) {
    return std::any_of(scenario.faults.begin(), scenario.faults.end(),
                       [&](const Fault* fault) { return contains(fault->never, rule); });
  };
  for (const auto& [rule, severity] : said.worst) {
    const auto top = said.top.find(rule);
    const bool alarms = top != said.top.end() && top->second >= Severity::medium;
    // That the device is idle is true of any run in which it is; it is a symptom and claims no cause.
    const bool meant = may_be_said(rule) || (rule == "gpu.low-utilization" && !scenario.faults.empty());
    if (!may_not_be_said(rule) && (!alarms || meant)) continue;
    ++wrong;
    score.wrong(rule);
    complain(rule + " is not true of it");
  }
  if (is_healthy(scenario)) {
    ++score.healthy;
    if (wrong > 0) ++score.alarmed;
  } else {
    ++score.faulty;
    const bool first = std::any_of(scenario.faults.begin(), scenario.faults.end(),
                                   [&](const Fault* fault) { return contains(fault->rules, said.first); });
    if (first) ++score.named_first;
    else complain("first is " + said.first);
  }
  for (const Fault* fault : scenario.faults) {
    if (fault->rules.empty()) continue;  // a twin
    const auto found = std::find_if(fault->rules.begin(), fault->rules.end(),
                                    [&](std::string_view rule) { return said.fired(std::string(rule)); });
    if (scenario.faults.size() == 1)
      score.placed(std::string(found != fault->rules.end() ? *found : fault->rules.front()),
                   contains(fault->rules, said.first));
    if (found != fault->rules.end()) {
      score.right(std::string(*found));
    } else {
      score.missed(std::string(fault->rules.front()));
      complain("nothing says " + std::string(fault->rules.front()));
    }
  }
}

std::filesystem::path folder_for(const std::filesystem::path& keep) {
  return keep.empty() ? std::filesystem::temp_directory_path() / "kdiag-accuracy" : keep;
}

enum class Runs { all, healthy };

/// Judges the simulated runs; false when one of them cannot be read.
bool judge_simulated(Runs runs, int seeds, const std::filesystem::path& keep, const RuleSet& rules, Score& score) {
  const std::filesystem::path folder = folder_for(keep);
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(seeds); ++seed)
    for (const Scenario& scenario : scenarios(seed)) {
      if (runs == Runs::healthy && !is_healthy(scenario)) continue;
      std::string name = std::to_string(seed) + " " + scenario.name;
      std::replace(name.begin(), name.end(), ' ', '_');
      const auto paths = write(folder / name, scenario.play(seed));
      const auto facts = load_traces(paths);
      if (!facts) {
        std::fprintf(stderr, "%s: could not be read\n%s", name.c_str(), render(facts.error()).c_str());
        return false;
      }
      judge(scenario, seed, said_in(diagnose(*facts, rules)), score);
      if (keep.empty()) std::filesystem::remove_all(folder / name);
    }
  return true;
}

/// Judges the real traces below a folder that a table knows; false when there is none.
/// Those that are not there are counted where they may be missing.
bool judge_labelled(const std::filesystem::path& table, const std::filesystem::path& folder, bool may_be_missing,
                    const RuleSet& rules, Score& score) {
  int runs = 0, missing = 0;
  for (const Label& label : read_labels(table)) {
    std::vector<std::string> paths;
    for (const std::string& input : label.inputs) paths.push_back((folder / input).string());
    ++runs;
    const auto is_there = [](const std::string& path) { return std::filesystem::exists(path); };
    if (may_be_missing && !std::all_of(paths.begin(), paths.end(), is_there)) {
      ++missing;
      continue;
    }
    const auto facts = load_traces(paths);
    if (facts) judge(label, said_in(diagnose(*facts, rules)), score);
    else judge_refusal(label, render(facts.error()), score);
  }
  if (missing == runs) {
    std::fprintf(stderr, "%s: none of the runs of %s is there\n", folder.c_str(), table.c_str());
    return false;
  }
  if (missing > 0) std::printf("%d of %d runs are not in %s\n\n", missing, runs, folder.c_str());
  return true;
}

struct Options {
  int seeds = 3;
  int healthy = 0;  ///< seeds of the healthy runs alone
  bool gate = false;
  std::filesystem::path keep;
  std::filesystem::path shared;    ///< holds traces/ and seeds/
  std::filesystem::path recorded;  ///< what tests/record/runs/record wrote
};

int run(const Options& options) {
  RuleOptions with_incubating;
  with_incubating.incubating = true;
  const auto rules = builtin_rules(with_incubating);
  if (!rules) return 3;
  bool good = true;
  if (options.seeds > 0) {
    Score score;
    if (!judge_simulated(Runs::all, options.seeds, options.keep, *rules, score)) return 2;
    std::printf("Simulated runs\n\n");
    score.print();
    good = score.good_enough();
    Score pairs;
    for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(options.seeds); ++seed)
      if (!judge_pairs(seed, folder_for(options.keep) / "pairs", !options.keep.empty(), *rules, pairs)) return 2;
    std::printf("\nSimulated pairs\n\n");
    pairs.print();
    good = good && pairs.good_enough();
  }
  if (options.healthy > 0) {
    Score score;
    if (!judge_simulated(Runs::healthy, options.healthy, options.keep, *rules, score)) return 2;
    std::printf("\nHealthy simulated runs: %d alarms in %d runs, %d of each kind.\n", score.alarmed, score.healthy,
                options.healthy);
    good = good && score.alarmed == 0;
  }
  const auto judge_real = [&](const char* title, const char* table, const std::filesystem::path& folder, bool missing) {
    if (folder.empty()) return true;
    Score score;
    std::printf("\n%s\n\n", title);
    if (!judge_labelled(table, folder, missing, *rules, score)) return false;
    score.print();
    good = good && score.good_enough();
    return true;
  };
  if (!judge_real("Real traces", KDIAG_LABELS "/shared_labels.csv", options.shared, false)) return 2;
  if (!judge_real("Recorded faults", KDIAG_LABELS "/recorded_labels.csv", options.recorded, true)) return 2;
  return options.gate && !good ? 1 : 0;
}

}  // namespace
}  // namespace kdiag::corpus

int main(int argc, char** argv) {
  kdiag::corpus::Options options;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--gate") == 0) options.gate = true;
    else if (std::strcmp(argv[i], "--seeds") == 0 && i + 1 < argc) options.seeds = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--healthy") == 0 && i + 1 < argc) options.healthy = std::atoi(argv[++i]);
    else if (std::strcmp(argv[i], "--write") == 0 && i + 1 < argc) options.keep = argv[++i];
    else if (std::strcmp(argv[i], "--shared") == 0 && i + 1 < argc) options.shared = argv[++i];
    else if (std::strcmp(argv[i], "--recorded") == 0 && i + 1 < argc) options.recorded = argv[++i];
    else {
      std::fprintf(
          stderr,
          "usage: %s [--seeds N] [--healthy N] [--shared FOLDER] [--recorded FOLDER] [--gate] [--write FOLDER]\n",
          argv[0]);
      return 2;
    }
  }
  return kdiag::corpus::run(options);
}
