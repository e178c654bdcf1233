// SPDX-License-Identifier: Apache-2.0
// generate_trace EVENTS [SEED] > trace.json
#include <cstdio>
#include <cstdlib>

#include "bench/trace_generator.hpp"

int main(int argc, char** argv) {
  const long long events = argc > 1 ? std::atoll(argv[1]) : 0;
  if (events <= 0) {
    std::fputs("usage: generate_trace EVENTS [SEED] > trace.json\n", stderr);
    return 2;
  }
  kdiag::bench::write_trace(stdout, events, argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
