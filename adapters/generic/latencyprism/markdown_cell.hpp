// SPDX-License-Identifier: Apache-2.0
// The text of a cell of a Markdown table.
#pragma once

#include <string>
#include <string_view>

namespace kdiag::adapters {

/// Without the marks of code (`x`, <code>x</code>), escapes (\_) and entities (&lt;) that kdiag's own reports have;
/// what has none of them, as LatencyPrism writes it, stays as it is. Example: cell_text("`at::native::add`") ==
/// "at::native::add"
std::string cell_text(std::string_view cell);

}  // namespace kdiag::adapters
