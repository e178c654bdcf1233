// SPDX-License-Identifier: Apache-2.0
// Containers around an input: compressed streams and archives.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::mutation {

enum class Container : std::uint8_t { none, gzip, zstd, xz, zip, tar, tar_gzip };
constexpr Container containers[] = {Container::none, Container::gzip, Container::zstd,    Container::xz,
                                    Container::zip,  Container::tar,  Container::tar_gzip};
std::string_view name_of(Container container);

struct Member {
  std::string name, content;
};

/// The members in an archive, or the content of the first in a compressed stream.
std::string packed(Container container, const std::vector<Member>& members);

}  // namespace kdiag::mutation
