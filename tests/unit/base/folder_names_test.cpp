// SPDX-License-Identifier: Apache-2.0
#include "base/names/folder_names.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"

using namespace kdiag;

TEST_CASE("the names in a folder are those of its files and folders, hidden ones too") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("kdiag_folder_names_" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder / "inner");
  std::ofstream(folder / ".hidden") << "";
  std::ofstream(folder / "a") << "";
  std::vector<std::string> names;
  CHECK(add_folder_names(folder, 10, names) == 0);
  std::sort(names.begin(), names.end());
  CHECK(names == std::vector<std::string>{".hidden", "a", "inner"});
  names.clear();
  CHECK(add_folder_names(folder, 2, names) == 0);
  CHECK(names.size() == 2);
  CHECK(add_folder_names(folder / "a", 10, names) == ENOTDIR);
  CHECK(add_folder_names(folder / "none", 10, names) == ENOENT);
  std::filesystem::remove_all(folder);
}
