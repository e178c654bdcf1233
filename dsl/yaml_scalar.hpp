// SPDX-License-Identifier: Apache-2.0
// Finds the place in the file of each byte of a decoded YAML scalar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "engine/language/text_origin.hpp"

namespace kdiag {

enum class ScalarStyle : std::uint8_t { plain, single_quoted, double_quoted, literal, folded };

/// The style of the scalar that begins at a byte.
ScalarStyle scalar_style(std::string_view file, std::size_t begin);

/// Where the bytes of a scalar come from.
struct ScalarMap {
  TextOrigin origin;      ///< empty: no map
  std::size_t end = 0;    ///< first byte of the file behind the scalar
  bool unclosed = false;  ///< the file ends before the closing quote (yaml-cpp does not always notice)
};

/// Reads the scalar at byte `begin` of the file again, guided by its decoded value. A map is given only when every
/// byte of the value was found, so a wrong one is never returned; otherwise `end` is the end of the first line.
ScalarMap map_scalar(std::string_view file, std::size_t begin, std::string_view value);

}  // namespace kdiag
