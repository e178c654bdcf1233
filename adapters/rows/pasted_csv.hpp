// SPDX-License-Identifier: Apache-2.0
// CSV tables that stand among other text: in a block of a document, or below the command that printed them.
#pragma once

#include <memory>
#include <string_view>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

/// How the tables of a format begin.
struct PastedHeader {
  bool (*is_header)(std::string_view line);
  bool (*may_begin)(std::string_view line);  ///< whether a line may be a header that is cut
};

/// Whether a line of the text is a header.
bool has_header_line(std::string_view text, PastedHeader header);

/// The input with its tables alone: each from its header to a blank line, the fence that closes its block or the next
/// command. In a block with fences it goes on behind a blank line, with lines of as many fields. The rest is noted
/// (K661). Nothing where the first line is a header: then the input is nothing but tables.
/// `input` must outlive it, and must not have been read from.
std::unique_ptr<Input> tables_alone(Input& input, FactSink& sink, PastedHeader header);

}  // namespace kdiag::adapters
