// SPDX-License-Identifier: Apache-2.0
// Making names harmless: what traces contain must not steer a terminal, a Markdown page, a JSON reader or a URI.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag {

/// A text for a terminal: control characters, characters that reorder or hide text and ill-formed bytes appear as
/// `\x1b` or `\u202e`; the result is one line of valid UTF-8.
std::string visible(std::string_view text);

/// Like visible(), for texts of several lines: line breaks and tabs stay.
std::string visible_lines(std::string_view text);

/// Lines as one text: each is one line of it, whatever it holds.
std::string joined_lines(const std::vector<std::string>& lines);

/// Like visible(), for running text: line breaks and tabs become spaces, so that it can be wrapped.
std::string flowing(std::string_view text);

/// Running text as Markdown: nothing in it is markup, HTML, math, a mention, an issue reference or a web address.
std::string markdown(std::string_view text);

/// The first web address in a text; empty: none.
std::string_view web_address(std::string_view text);

/// What an author of rules names as a source, as Markdown: like markdown(), but a web address that it begins with or
/// has in brackets is a link.
std::string markdown_reference(std::string_view text);

/// A name as a Markdown code span.
std::string markdown_code(std::string_view text);

/// A name as code inside a Markdown table.
std::string markdown_code_cell(std::string_view text);

/// A quoted JSON string: valid UTF-8 (ill-formed bytes become U+FFFD), and no character that visible() would
/// escape appears raw, so a JSON report may be printed on a terminal. Appended to `out`.
void append_json_string(std::string& out, std::string_view text);

/// Text of a SARIF message: "[text](target)" would be a link (SARIF 2.1.0, 3.11.6), and names must not make any.
std::string sarif_message(std::string text);

/// A text as the content of an XML 1.0 element or of an attribute in double quotes: markup is escaped, line breaks
/// stay, and control characters, which XML cannot hold, appear as `\x1b`.
std::string xml(std::string_view text);

/// A path as a URI reference: relative paths stay relative, absolute ones become file:///..., all else but
/// unreserved characters is percent-encoded (RFC 3986). Backslashes count as separators.
std::string path_to_uri(std::string_view path);

/// At most `limit` code points (at least 3): the middle is replaced by an ellipsis, since kernel names differ in
/// their ends as often as in their beginnings.
std::string shorten_middle(std::string_view text, std::size_t limit);

}  // namespace kdiag
