// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/catch.hpp"

namespace kdiag::test {
namespace {

std::filesystem::path golden_root() { return std::filesystem::path(KDIAG_SOURCE_DIR) / "tests" / "golden"; }

bool updating() {
  const char* update = std::getenv("KDIAG_UPDATE");
  return update != nullptr && std::string(update) == "1";
}

}  // namespace

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  INFO("cannot read " << path);
  REQUIRE(file.good());
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> golden_files(const std::string& folder, const std::string& extension) {
  std::vector<std::string> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(golden_root() / folder))
    if (entry.path().extension() == extension) paths.push_back(entry.path().string());
  std::sort(paths.begin(), paths.end());
  return paths;
}

void check_golden(const std::string& name, const std::string& actual) {
  const std::string path = (golden_root() / name).string();  // an absolute name stays as it is
  if (updating()) {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  INFO(path << " (KDIAG_UPDATE=1 rewrites it)");
  CHECK(actual == read_file(path));
}

void check_golden_folder(const std::string& folder, const std::string& expected,
                         const std::function<std::string(const std::string& name, const std::string& text)>& make) {
  const std::vector<std::string> inputs = golden_files(folder, ".in");
  REQUIRE(!inputs.empty());
  for (const std::string& input : inputs) {
    const std::filesystem::path path(input);
    check_golden(std::filesystem::path(path).replace_extension(expected).string(),
                 make(path.filename().string(), read_file(input)));
  }
}

}  // namespace kdiag::test
