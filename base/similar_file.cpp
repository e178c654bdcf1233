// SPDX-License-Identifier: Apache-2.0
#include "base/similar_file.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/edit_distance.hpp"
#include "base/names/folder_names.hpp"

namespace kdiag {
namespace {
constexpr std::size_t most_entries = 10'000;  // of a folder; judgement: more would take longer than the hint is worth
}

std::string suggest_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  if (fs::exists(path, unknown)) return {};                   // it cannot be read for another reason
  const std::size_t name_begin = path.find_last_of('/') + 1;  // 0 when there is no slash
  const std::string folder = path.substr(0, name_begin);
  std::vector<std::string> names;
  add_folder_names(folder.empty() ? "." : folder, most_entries, names);  // of what cannot be read nothing is suggested
  const std::string_view found = closest(std::string_view(path).substr(name_begin), {names.begin(), names.end()});
  return found.empty() ? std::string() : "did you mean '" + folder + std::string(found) + "'?";
}

void suggest_similar(const std::string& path, Diagnostic& error) {
  if (std::string meant = suggest_file(path); !meant.empty()) error.help = std::move(meant);
}

}  // namespace kdiag
