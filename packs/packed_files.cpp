// SPDX-License-Identifier: Apache-2.0
#include "packs/packed_files.hpp"

#include <cstddef>
#include <memory>
#include <string>

#include "base/packed_text.hpp"

namespace kdiag {

std::vector<SourcePtr> unpack_files(const PackedFiles& files) {
  std::size_t size = 0;
  for (const PackedFile& file : files.files) size += file.size;
  const std::string all = unpack_text(files.packed, size);
  std::vector<SourcePtr> out;
  std::size_t at = 0;
  for (const PackedFile& file : files.files) {
    out.push_back(std::make_shared<const Source>(Source{std::string(file.name), all.substr(at, file.size)}));
    at += file.size;
  }
  return out;
}

}  // namespace kdiag
