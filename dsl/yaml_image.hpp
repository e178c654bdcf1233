// SPDX-License-Identifier: Apache-2.0
// A YAML tree as bytes: what is known when kdiag is built need not be parsed each time it starts.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dsl/yaml_tree.hpp"

namespace kdiag {

/// The bytes of a tree that parse_yaml() made without a diagnostic. Numbers are LEB128; places are bytes of the file,
/// which the image does not hold. A text that stands in the file as it is, as most do, is not stored; of others the
/// places of their characters are stored as runs of bytes that follow each other. Members called `tests` are stored so
/// that they can be passed over.
std::string yaml_image(const YamlNode& root);

/// What becomes of the tests of rules: half of a pack, which judging does not need.
enum class ImageTests : std::uint8_t { read, leave_out };

/// The tree again, with places in `source`, which must hold the text of which the tree was made. An image comes from
/// the build of this very library: it is trusted, and bytes that are none are a mistake of kdiag (asserted).
YamlNode tree_of_image(std::string_view image, const SourcePtr& source, ImageTests tests = ImageTests::read);

}  // namespace kdiag
