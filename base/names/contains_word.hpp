// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kdiag {

/// Whether a text has a word, not as a part of a longer one: `kernels` is in `count(kernels)`, not in `my_kernels`.
bool contains_word(std::string_view text, std::string_view word);

}  // namespace kdiag
