// SPDX-License-Identifier: Apache-2.0
#include "tests/support/golden.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/catch.hpp"

namespace kdiag::test {

void check_golden(std::string_view path, std::string_view text) {
  const std::filesystem::path file = std::filesystem::path(KDIAG_SOURCE_DIR) / "tests/golden" / path;
  if (std::getenv("KDIAG_UPDATE") != nullptr) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  INFO(file.string() << " (KDIAG_UPDATE=1 rewrites it)");
  CHECK(content.str() == text);
}

}  // namespace kdiag::test
