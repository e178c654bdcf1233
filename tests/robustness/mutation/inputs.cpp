// SPDX-License-Identifier: Apache-2.0
#include "tests/robustness/mutation/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

namespace kdiag::mutation {
namespace {

namespace fs = std::filesystem;

std::string read_whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_packed(std::string_view bytes) {
  return bytes.starts_with("\x1F\x8B") || bytes.starts_with("\x28\xB5\x2F\xFD") ||
         bytes.starts_with(
             "\xFD"
             "7zXZ");
}

Structure structure_of(std::string_view bytes) {
  if (bytes.starts_with("SQLite format 3")) return Structure::database;
  return bytes.find('\0') == std::string_view::npos ? Structure::text : Structure::wire;
}

}  // namespace

std::vector<Format> read_formats(const std::string& folder) {
  std::vector<Format> formats;
  std::set<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) folders.insert(entry.path());
  for (const fs::path& path : folders) {
    Format format{path.filename().string(), {}};
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.path().extension() == ".in") files.insert(entry.path());
    for (const fs::path& file : files) {
      WholeInput input{format.name + "/" + file.stem().string(), read_whole(file)};
      if (is_packed(input.bytes) || input.bytes.empty()) continue;
      input.structure = structure_of(input.bytes);
      format.inputs.push_back(std::move(input));
    }
    if (!format.inputs.empty()) formats.push_back(std::move(format));
  }
  return formats;
}

}  // namespace kdiag::mutation
