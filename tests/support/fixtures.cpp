// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fixtures.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "adapters/util/adapter_table.hpp"

namespace kdiag::test {

std::vector<std::filesystem::path> adapter_fixtures() {
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(std::filesystem::path(KDIAG_SOURCE_DIR) / "tests/golden/adapters"))
    if (entry.path().extension() == ".in") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

const Adapter* adapter_of(const std::filesystem::path& fixture) {
  std::string id = fixture.parent_path().filename().string();
  std::replace(id.begin(), id.end(), '_', '-');
  for (const Adapter* adapter : adapters::adapter_table())
    if (adapter->id == id) return adapter;
  return nullptr;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace kdiag::test
