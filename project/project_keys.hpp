// SPDX-License-Identifier: Apache-2.0
// The keys of project files, for the reader and the JSON Schema.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/report.hpp>

#include "dsl/file_keys.hpp"

namespace kdiag::project_keys {

extern const KeyGroup project_file, output, project_case, waiver;

/// Severities, and `never`.
const std::vector<std::pair<std::string_view, std::optional<Severity>>>& fail_words();
std::vector<std::string_view> report_formats();

}  // namespace kdiag::project_keys
