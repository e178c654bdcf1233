// SPDX-License-Identifier: Apache-2.0
// Folders for tests.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/support/archives.hpp"

namespace kdiag::tests {

/// A fresh folder of files that is removed again.
class Folder {
 public:
  explicit Folder(const std::vector<ArchiveFile>& files) {
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
    for (const ArchiveFile& file : files) {
      std::filesystem::create_directories(std::filesystem::path(path(file.name)).parent_path());
      if (file.link_to.empty()) std::ofstream(path(file.name), std::ios::binary) << file.content;
      else std::filesystem::create_symlink(file.link_to, path(file.name));
    }
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string path(const std::string& name = {}) const { return name.empty() ? path_ : path_ + "/" + name; }

 private:
  std::string path_ = "/tmp/kdiag-folder-XXXXXX";
};

}  // namespace kdiag::tests
