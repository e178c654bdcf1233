// SPDX-License-Identifier: Apache-2.0
// Parts of SARIF that reports and diagnostics share, as hosts of code want them: GitHub refuses results without a file
// and a line, and rules without descriptions and help.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <kdiag/report.hpp>

#include "base/json_writer.hpp"

namespace kdiag::report {

void write_sarif_text(JsonWriter& json, std::string_view name, std::string_view text);

/// What begins a log, up to its `runs`.
void write_sarif_head(JsonWriter& json);

/// What a rule is, for `tool.driver.rules`.
struct SarifRule {
  std::string id, summary, description;  ///< at most 1,024 characters of each of the texts are shown
  std::string help, markdown;            ///< help as text, and as Markdown
  std::string address;                   ///< of a page about it; empty: none
  std::vector<std::string> tags;
};
/// What is empty of its texts is what stands before it.
void write_sarif_rule(JsonWriter& json, SarifRule rule);

/// The rules that found something. Without its AboutRule nothing is known of one but its id.
void write_found_rules(JsonWriter& json, const Report& report);

/// The packs of the user, by which the findings were made: `tool.extensions`.
void write_packs(JsonWriter& json, const Report& report);

}  // namespace kdiag::report
