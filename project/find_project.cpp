// SPDX-License-Identifier: Apache-2.0
// The project file that holds for a folder.
#include <filesystem>
#include <string>
#include <system_error>

#include <kdiag/project.hpp>

#include "project/project_file.hpp"

namespace kdiag {

std::string find_project(std::string_view folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const fs::path from = fs::absolute(folder.empty() ? "." : std::string(folder), error).lexically_normal();
  if (error) return {};
  fs::path shown = std::string(folder.empty() ? "." : folder);
  for (fs::path at = from;; shown /= "..") {
    if (!at.has_filename()) at = at.parent_path();  // "/a/b/" and "/"
    if (fs::is_regular_file(at / project_file_name, error))
      return (shown / project_file_name).lexically_normal().string();
    if (at == at.parent_path()) return {};
    at = at.parent_path();
  }
}

}  // namespace kdiag
