// SPDX-License-Identifier: Apache-2.0
// Whether an output is inert: what traces, rules and scripts say in it steers no terminal, page, reader or spreadsheet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kdiag::tests {

enum class OutputKind { text, json, markdown, csv, xml, yaml };

/// What an output would do to who reads it, with its place; empty: nothing. Beside what is harmful everywhere (control
/// characters, characters that reorder or hide text, ill-formed UTF-8, a line that `hostile_texts` would add) each kind
/// has its own: markup in Markdown and XML, formulas in CSV.
std::string harm_of(std::string_view output, OutputKind kind);

/// Texts that attack: escapes of terminals, markup, formulas, ends of lines and of quotes, characters that reorder
/// text, bytes that are no UTF-8.
const std::vector<std::string>& hostile_texts();

/// All of them in one text that is valid UTF-8, for names of traces and texts of scripts.
std::string hostile_text();

}  // namespace kdiag::tests
