// SPDX-License-Identifier: Apache-2.0
// The folders that a server may read.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace kdiag::serve::mcp {

class Roots {
 public:
  /// Throws ToolError when one is no folder. None: the working directory.
  explicit Roots(const std::vector<std::string>& folders);

  /// The path by which a trace or rule file that a caller names is opened: relative ones are below the first root in
  /// which they exist. Of `FILE#2` the file counts. Throws ToolError when it is not there, leads out of the roots, by
  /// `..`, a link or a link inside a folder, or is neither a file nor a folder.
  std::string resolve(const std::string& path) const;
  /// Whether a path leads to a file below a root.
  bool holds(const std::string& path) const;
  /// A path as callers name it: below its root, without it.
  std::string shown(const std::string& path) const;
  /// A message in which paths below a root begin there.
  std::string without_roots(std::string message) const;

 private:
  bool inside(const std::filesystem::path& real) const;
  void look_through(const std::filesystem::path& folder) const;

  std::vector<std::filesystem::path> given_, real_;
};

}  // namespace kdiag::serve::mcp
