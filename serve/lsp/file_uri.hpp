// SPDX-License-Identifier: Apache-2.0
// Paths as editors send them: file:///rules/a%20b.yaml
#pragma once

#include <string>
#include <string_view>

namespace kdiag::serve {

/// The path that a URI names, in its normal form; of other schemes (`untitled:1`) the URI itself.
std::string path_of(std::string_view uri);

/// Whether a path of path_of() is one of the file system.
bool is_file(std::string_view path);

/// The URI of an absolute path; what is no absolute path stays as it is.
std::string uri_of(std::string_view path);

}  // namespace kdiag::serve
