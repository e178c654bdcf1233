// SPDX-License-Identifier: Apache-2.0
// How often a comparison sees a change of so much, in so many cycles that vary by so much: the table in
// docs/comparing.md.
//     detection [pairs of runs for each cell, 2000]
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <random>
#include <vector>

#include "engine/compare/cycles/cycles.hpp"
#include "engine/compare/verdict.hpp"

namespace {

constexpr double effects[] = {0, 0.03, 0.05, 0.1, 0.2, 0.5};
constexpr int cycle_numbers[] = {4, 8, 16, 32, 100};
constexpr double spreads[] = {0.02, 0.1};  // standard deviation over mean

/// Cycle times of 10 ms in the mean, log-normal: none is negative, and long ones are more frequent than short ones.
std::vector<kdiag::Cycle> draw(std::mt19937_64& random, int number, double spread, double longer) {
  const double sigma = std::sqrt(std::log1p(spread * spread));
  std::lognormal_distribution<double> time(std::log(1e7) - sigma * sigma / 2, sigma);
  std::vector<kdiag::Cycle> cycles;
  for (int i = 0; i < number; ++i) cycles.push_back({i, static_cast<std::int64_t>((1 + longer) * time(random))});
  return cycles;
}

/// Of so many pairs of runs the part that is a regression, or without a change a regression or an improvement.
double part_detected(std::mt19937_64& random, int pairs, int number, double spread, double longer) {
  int detected = 0;
  for (int i = 0; i < pairs; ++i) {
    const kdiag::Cycles cycles{kdiag::CycleBasis::steps, "", draw(random, number, spread, 0),
                               draw(random, number, spread, longer)};
    const kdiag::Verdict verdict = kdiag::judge_cycles(kdiag::compare_cycles(cycles), 1).verdict;
    if (verdict == kdiag::Verdict::regression || (longer == 0 && verdict == kdiag::Verdict::improvement)) ++detected;
  }
  return static_cast<double>(detected) / pairs;
}

}  // namespace

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 2000;
  std::mt19937_64 random(1);
  std::printf("| spread | cycles a run | none (false alarms)");
  for (const double effect : effects)
    if (effect > 0) std::printf(" | +%.0f %%", 100 * effect);
  std::printf(" |\n|---|---|---");
  for (std::size_t i = 1; i < std::size(effects); ++i) std::printf("|---");
  std::printf("|\n");
  for (const double spread : spreads)
    for (const int number : cycle_numbers) {
      std::printf("| %.0f %% | %d", 100 * spread, number);
      for (const double effect : effects)
        std::printf(" | %.*f %%", effect == 0 ? 1 : 0, 100 * part_detected(random, pairs, number, spread, effect));
      std::printf(" |\n");
    }
}
