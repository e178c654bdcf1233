// SPDX-License-Identifier: Apache-2.0
// generate_fleet RANKS STEPS FOLDER: a summary of each rank of a simulated job, eight ranks a host, nine collectives a
// step, one rank slow. Prints which.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/simulated_fleet.hpp"

int main(int argc, char** argv) {
  constexpr std::size_t per_host = 8;
  const std::size_t ranks = argc == 4 ? std::strtoul(argv[1], nullptr, 10) : 0;
  const std::size_t steps = argc == 4 ? std::strtoul(argv[2], nullptr, 10) : 0;
  if (ranks < per_host || ranks % per_host != 0 || steps == 0) {
    std::fputs("usage: generate_fleet RANKS STEPS FOLDER  (RANKS: a multiple of 8)\n", stderr);
    return 2;
  }
  using namespace kdiag::tests;
  const FleetShape shape{.replicas = ranks / per_host, .tensor = per_host, .steps = steps, .layers = 8};
  const SimulatedFleet fleet = simulate_fleet(shape, FleetFault::slow_device, 1);
  const std::filesystem::path folder = argv[3];
  std::filesystem::create_directories(folder);
  for (std::size_t rank = 0; rank < fleet.summaries.size(); ++rank) {
    std::ofstream out(folder / ("rank" + std::to_string(rank) + ".jsonl"), std::ios::binary);
    out << fleet.summaries[rank];
    if (!out.flush()) return std::perror("generate_fleet"), 1;
  }
  std::printf("rank %u of %zu is slow\n", fleet.rank, ranks);
}
