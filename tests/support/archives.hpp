// SPDX-License-Identifier: Apache-2.0
// Writes archives for tests.
#pragma once

#include <string>
#include <vector>

namespace kdiag::tests {

struct ArchiveFile {
  std::string name;
  std::string content;
  std::string link_to = {};  ///< a symbolic link instead
};

enum class ArchiveKind { zip, stored_zip, encrypted_zip, tar, pax };

std::string make_archive(ArchiveKind kind, const std::vector<ArchiveFile>& files);

}  // namespace kdiag::tests
