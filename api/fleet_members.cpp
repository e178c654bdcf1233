// SPDX-License-Identifier: Apache-2.0
// Which files and folders are the ranks of a fleet.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <kdiag/fleet.hpp>

#include "base/text.hpp"
#include "ingest/skipped_members.hpp"
#include "ingest/walk_folder.hpp"

namespace kdiag {
namespace {

bool is_summary(std::string_view path) { return path.ends_with(".kds"); }

class Members {
 public:
  void add(const std::string& path) {
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) add_folder(path);
    else add_member(path, std::string(file_name(path)), {path});
  }

  FleetMembers finish() && {
    // Of a rank that was recorded twice the same one is taken each time.
    std::sort(found_.members.begin(), found_.members.end(),
              [](const FleetMember& a, const FleetMember& b) { return natural_less(a.path, b.path); });
    return std::move(found_);
  }

 private:
  /// A recording of several files, in a folder of its own.
  struct Recording {
    std::vector<std::string> files;
    bool beside_summaries = false;
  };

  void add_member(const std::string& path, std::string name, std::vector<std::string> inputs) {
    if (is_summary(path)) inputs.clear();
    found_.members.push_back({path, std::move(name), std::move(inputs)});
  }

  void add_folder(const std::string& folder) {
    const FolderContent content = walk_folder(folder);
    if (content.too_many)
      found_.unreadable.push_back(folder + ": more than " + std::to_string(most_members) +
                                  " files, of which none was read");
    for (const std::string& path : content.unreadable) found_.unreadable.push_back(path + ": not readable");
    for (const auto& [path, why] : content.failed)
      found_.unreadable.push_back(path + ": " + std::generic_category().message(why));
    if (content.too_many) return;
    const std::size_t root = folder.find_last_not_of('/') + 1;
    const auto below = [root](std::string_view path) { return std::string(path.substr(root + 1)); };
    std::set<std::string_view> holding;  // folders that hold files of a recording themselves
    for (const std::string& path : content.files)
      if (!is_summary(path)) holding.insert(folder_of(path));
    std::map<std::string, Recording> recordings;
    for (const std::string& path : content.files) {
      const std::string recording(outermost(path, root, holding));
      if (is_summary(path) || recording.empty()) add_member(path, below(path), {path});
      else recordings[recording].files.push_back(path);
      if (is_summary(path) && !recording.empty()) recordings[recording].beside_summaries = true;
    }
    for (auto& [path, recording] : recordings)
      add_member(path, below(path), recording.beside_summaries ? std::move(recording.files) : std::vector{path});
    SkippedMembers others;
    const auto skip = [&](std::string_view reason, const std::vector<std::string>& paths) {
      for (const std::string& path : paths)
        if (outermost(path, root, holding).empty()) others.add(reason, below(path));
    };
    skip(hidden_reason, content.hidden);
    skip("no regular file", content.special);
    skip("another name of the same", content.repeated);
    if (const std::string what = others.summary(); !what.empty()) found_.skipped.push_back(folder + ": " + what);
  }

  static std::string_view folder_of(std::string_view path) { return path.substr(0, path.rfind('/')); }

  /// The first folder below `root` on the way to a path that is one of `holding`; empty where there is none.
  static std::string_view outermost(std::string_view path, std::size_t root,
                                    const std::set<std::string_view>& holding) {
    for (std::size_t slash = path.find('/', root + 1); slash != std::string_view::npos;
         slash = path.find('/', slash + 1))
      if (holding.contains(path.substr(0, slash))) return path.substr(0, slash);
    return {};
  }

  FleetMembers found_;
};

}  // namespace

FleetMembers fleet_members(std::span<const std::string> paths) {
  Members members;
  for (const std::string& path : paths) members.add(path);
  return std::move(members).finish();
}

}  // namespace kdiag
