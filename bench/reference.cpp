// SPDX-License-Identifier: Apache-2.0
// reference trace.json: the yardstick as a process of its own, to be timed against the command.
#include <cstdio>
#include <exception>

#include "bench/reference_reader.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: reference trace.json\n", stderr);
    return 2;
  }
  try {
    std::printf("%zu events\n", kdiag::bench::read_reference(argv[1]).ts.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "reference: %s\n", error.what());
    return 1;
  }
  return 0;
}
