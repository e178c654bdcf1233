// SPDX-License-Identifier: Apache-2.0
#include "base/names/folder_names.hpp"

#include <dirent.h>

#include <cerrno>
#include <memory>
#include <string_view>

namespace kdiag {
namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

}  // namespace

int add_folder_names(const std::string& folder, std::size_t most, std::vector<std::string>& names) {
  const std::unique_ptr<DIR, CloseFolder> open(::opendir(folder.c_str()));
  if (!open) return errno;
  while (names.size() < most) {
    errno = 0;
    const dirent* const entry = ::readdir(open.get());
    if (entry == nullptr) return errno;
    if (const std::string_view name = entry->d_name; name != "." && name != "..") names.emplace_back(name);
  }
  return 0;
}

}  // namespace kdiag
