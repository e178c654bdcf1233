// SPDX-License-Identifier: Apache-2.0
// CSV tables that stand among other text: in a block of a document, or below the command that printed them.
#pragma once

#include <memory>
#include <string_view>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

/// Whether a line is the header of a table of the format.
using IsHeader = bool (*)(std::string_view line);

/// Whether a line of the text is a header.
bool has_header_line(std::string_view text, IsHeader is_header);

/// The input with its tables alone: each from its header to a blank line, the fence that closes its block or the next
/// command. In a block with fences it goes on behind a blank line, with lines of as many fields. The rest is noted
/// (K661), but for a last line without a line end, which the reader sees: who knows what followed. Nothing where the
/// first line is a header: then the input is nothing but tables. `input` must outlive it, and must not have been read
/// from.
std::unique_ptr<Input> tables_alone(Input& input, FactSink& sink, IsHeader is_header);

}  // namespace kdiag::adapters
