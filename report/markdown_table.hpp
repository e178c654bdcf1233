// SPDX-License-Identifier: Apache-2.0
// Tables of GitHub flavoured Markdown. Cells must be harmless already (markdown(), markdown_code_cell()).
#pragma once

#include <string>
#include <vector>

namespace kdiag::report {

/// The heading of a table; `right` says which columns hold quantities.
std::string table_head(const std::vector<std::string>& names, const std::vector<bool>& right);
std::string table_row(const std::vector<std::string>& cells);

}  // namespace kdiag::report
