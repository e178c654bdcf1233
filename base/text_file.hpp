// SPDX-License-Identifier: Apache-2.0
// Reads small files, such as rules: whole, or with the reason why not.
#pragma once

#include <cstddef>
#include <string>

#include "base/interrupt.hpp"

namespace kdiag {

/// Puts the first `most` bytes of a file into `text`. Returns 0, or an errno, with which `text` is empty. A call that a
/// signal of the host ended is made again, unless `cancel` is set: then Interrupted is thrown.
int read_text_file(const std::string& path, std::size_t most, std::string& text, CancelFlag cancel = nullptr);

}  // namespace kdiag
