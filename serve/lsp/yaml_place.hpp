// SPDX-License-Identifier: Apache-2.0
// Where in a YAML text a place is, by indentation: also where the text is no YAML, since somebody types it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "serve/lsp/text_lines.hpp"

namespace kdiag::serve {

struct YamlPlace {
  std::vector<std::string> keys;  ///< around the place, the outermost first: rules, params, most
  bool at_key = false;            ///< a key can stand here; else it is a value, of the last of `keys`
};

/// The place of the word that begins at a byte of a line.
YamlPlace yaml_place(const TextLines& lines, std::size_t line, std::size_t word_begin);

/// The keys at the beginnings of lines: what a file is follows from them.
std::vector<std::string> top_keys(const TextLines& lines);

}  // namespace kdiag::serve
