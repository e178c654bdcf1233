// SPDX-License-Identifier: Apache-2.0
// Runs the targets without a fuzzer, in any build: fuzz_replay FOLDER [TARGET ...]. FOLDER has a folder for each target
// with inputs; what stands in its way is named before it is run, so that a crash can be told.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "tests/fuzz/targets.hpp"

namespace fs = std::filesystem;

int main(int argc, char** argv) {
  if (argc < 2 || !fs::is_directory(argv[1])) {
    std::fputs("usage: fuzz_replay FOLDER [TARGET ...]\n", stderr);
    return 2;
  }
  const std::set<std::string> wanted(argv + 2, argv + argc);
  std::size_t inputs = 0;
  for (const kdiag::fuzz::Target& target : kdiag::fuzz::targets()) {
    const fs::path folder = fs::path(argv[1]) / target.name;
    if (!fs::is_directory(folder) || (!wanted.empty() && !wanted.contains(target.name))) continue;
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.is_regular_file()) files.insert(entry.path());
    for (const fs::path& path : files) {
      std::ifstream file(path, std::ios::binary);
      const std::string bytes(std::istreambuf_iterator<char>(file), {});
      std::printf("%s %s\n", target.name.c_str(), path.filename().c_str());
      std::fflush(stdout);
      target.run({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
      ++inputs;
    }
  }
  std::printf("%zu inputs: none of them broke anything\n", inputs);
  return inputs == 0 ? 2 : 0;
}
