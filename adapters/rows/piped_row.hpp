// SPDX-License-Identifier: Apache-2.0
// Rows of a Markdown table: `| aten::mm | 3 | 1.5ms |`.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::adapters {

/// The cells of a row between its outer bars: at most `most`, counted from the right, since the first cell is a
/// function and may hold bars itself (`operator|`).
std::vector<std::string_view> piped_cells(std::string_view line, std::size_t most);

/// The text of a cell without the backslashes that keep Markdown from taking its signs for marks: `aten::\_softmax`.
std::string without_escapes(std::string_view cell);

/// Whether a line is the one below the header, `| --- | ---: |`, or the beginning of it.
bool is_piped_rule(std::string_view line);

}  // namespace kdiag::adapters
