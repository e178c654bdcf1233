// SPDX-License-Identifier: Apache-2.0
// Simulated files on disk.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/corpus/workload.hpp"

namespace kdiag::corpus {

/// Writes the files into a folder, which is made; their paths.
inline std::vector<std::string> write(const std::filesystem::path& folder, const std::vector<TraceFile>& files) {
  std::filesystem::create_directories(folder);
  std::vector<std::string> paths;
  for (const TraceFile& file : files) {
    paths.push_back((folder / file.name).string());
    std::ofstream(paths.back(), std::ios::binary) << file.text;
  }
  return paths;
}

}  // namespace kdiag::corpus
