// SPDX-License-Identifier: Apache-2.0
// generate_rules N: a rule file with N rules on standard output.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "bench/rule_pack.hpp"

int main(int argc, char** argv) {
  const long rules = argc == 2 ? std::strtol(argv[1], nullptr, 10) : 0;
  if (rules <= 0) {
    std::fputs("usage: generate_rules RULES > pack.yaml\n", stderr);
    return 2;
  }
  const std::string text = kdiag::bench::rule_pack(static_cast<std::size_t>(rules));
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
