// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fixtures.hpp"

#include <algorithm>

#include "adapters/adapter_table.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag::tests {
namespace {

std::string folder_of(const Adapter& adapter) {
  std::string folder(adapter.id);
  std::replace(folder.begin(), folder.end(), '-', '_');
  return folder;
}

}  // namespace

std::vector<Fixture> adapter_fixtures() {
  std::vector<Fixture> found;
  for (const std::string& path : golden_files("adapters", ".in")) {
    const std::size_t file = path.rfind('/') + 1;
    const std::size_t folder = path.rfind('/', file - 2) + 1;
    const std::string folder_name = path.substr(folder, file - 1 - folder);
    Fixture fixture{path, path.substr(folder, path.size() - 3 - folder)};
    for (const Adapter* adapter : adapters::adapter_table())
      if (folder_of(*adapter) == folder_name) fixture.adapter = adapter;
    INFO(path);
    REQUIRE(fixture.adapter != nullptr);
    found.push_back(std::move(fixture));
  }
  return found;
}

}  // namespace kdiag::tests
