// SPDX-License-Identifier: Apache-2.0
// libFuzzer's side: KDIAG_FUZZ_TARGET in the environment names the target. Without, the program prints all of them.
#include <cstdio>
#include <cstdlib>

#include "tests/fuzz/targets.hpp"

namespace {

const kdiag::fuzz::Target* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  const char* name = std::getenv("KDIAG_FUZZ_TARGET");
  for (const kdiag::fuzz::Target& target : kdiag::fuzz::targets())
    if (name != nullptr && target.name == name) chosen = &target;
  if (chosen != nullptr) return 0;
  for (const kdiag::fuzz::Target& target : kdiag::fuzz::targets()) std::puts(target.name.c_str());
  std::exit(2);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  chosen->run({data, size});
  return 0;
}
