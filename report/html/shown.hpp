// SPDX-License-Identifier: Apache-2.0
// Texts of the page: what traces name, in a length and form in which it can do no harm.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/json_writer.hpp"

namespace kdiag::report {

/// Longest name on the page in code points (judgement: two lines of a table), and longest sentence.
inline constexpr std::size_t longest_name = 160, longest_sentence = 2000;

/// One line without characters that hide or reorder text; the middle of what is longer is left out.
std::string shown(std::string_view text, std::size_t limit = longest_name);

/// Members of the page's data: a sentence, or null where it is empty.
void sentence(JsonWriter& json, std::string_view name, std::string_view text);

/// JSON that can stand inside a script element: nothing in it ends the element or begins a comment.
std::string inert_json(std::string_view json);

}  // namespace kdiag::report
