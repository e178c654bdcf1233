// SPDX-License-Identifier: Apache-2.0
#include "ingest/walk_folder.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include "base/names/folder_names.hpp"

namespace kdiag {
namespace {

class Walk {
 public:
  FolderContent walk(std::string folder) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    struct stat info {};
    if (::stat(folder.c_str(), &info) == 0) met_.emplace(info.st_dev, info.st_ino);
    // A stack of its own: hostile folders nest deeper than the program's.
    std::vector<std::string> open{std::move(folder)};
    while (!open.empty() && !content_.too_many) {
      const std::string at = std::move(open.back());
      open.pop_back();
      std::vector<std::string> inner = enter(at);
      open.insert(open.end(), inner.rbegin(), inner.rend());
    }
    std::sort(content_.files.begin(), content_.files.end(), natural_less);
    return std::move(content_);
  }

 private:
  /// Sorts what a folder holds; returns the folders in it.
  std::vector<std::string> enter(const std::string& folder) {
    std::vector<std::string> names;
    const std::size_t most = most_members + 1 - count_;
    const int why = add_folder_names(folder, most, names);
    if (why == EACCES) content_.unreadable.push_back(folder);
    else if (why != 0) content_.failed.emplace_back(folder, why);
    count_ += names.size();
    content_.too_many = count_ > most_members;
    std::sort(names.begin(), names.end(), natural_less);
    std::vector<std::string> folders;
    for (const std::string& name : names) sort(name, folder + (folder.ends_with('/') ? "" : "/") + name, folders);
    return folders;
  }

  void sort(const std::string& name, std::string path, std::vector<std::string>& folders) {
    struct stat info {};
    if (name.starts_with('.')) content_.hidden.push_back(std::move(path));
    else if (::stat(path.c_str(), &info) != 0) content_.unreadable.push_back(std::move(path));
    else if (!S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) content_.special.push_back(std::move(path));
    else if (!met_.emplace(info.st_dev, info.st_ino).second) content_.repeated.push_back(std::move(path));
    else (S_ISDIR(info.st_mode) ? folders : content_.files).push_back(std::move(path));
  }

  FolderContent content_;
  std::set<std::pair<dev_t, ino_t>> met_;
  std::size_t count_ = 0;
};

}  // namespace

FolderContent walk_folder(const std::string& folder) { return Walk().walk(folder); }

bool natural_less(const std::string& a, const std::string& b) { return ::strverscmp(a.c_str(), b.c_str()) < 0; }

}  // namespace kdiag
