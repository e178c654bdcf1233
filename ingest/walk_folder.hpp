// SPDX-License-Identifier: Apache-2.0
// Which files are below a folder.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace kdiag {

/// More files than this are no recording of one workload, but somebody's home (judgement).
inline constexpr std::size_t most_members = 100'000;

/// Paths that begin with the folder's, each list in the order of numbers: rank2 before rank10.
struct FolderContent {
  std::vector<std::string> files;
  std::vector<std::string> hidden;                  ///< files and folders whose name begins with a dot; not entered
  std::vector<std::string> special;                 ///< pipes, sockets, devices: reading them could wait for ever
  std::vector<std::string> repeated;                ///< other names of a file or folder that was met already: links
  std::vector<std::string> unreadable;              ///< folders without permission, links to nothing
  std::vector<std::pair<std::string, int>> failed;  ///< folders that could not be read to their end, and the errno
  bool too_many = false;                            ///< the walk ended at `most_members`
};

/// Walks a folder and those below it. Links are followed; each file and folder is met once, so loops of links end.
FolderContent walk_folder(const std::string& folder);

/// Whether a name comes before another when numbers in them count as numbers.
bool natural_less(const std::string& a, const std::string& b);

}  // namespace kdiag
