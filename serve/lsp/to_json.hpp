// SPDX-License-Identifier: Apache-2.0
// What the Language Server Protocol calls things.
#pragma once

#include <kdiag/diagnostic.hpp>

#include "serve/lsp/documents.hpp"
#include "serve/rpc/json.hpp"

namespace kdiag::serve {

Json to_json(TextPosition position);
TextPosition position_in(const Json& json);
/// Bytes of a text as a range.
Json range_of(const TextLines& lines, std::size_t offset, std::size_t length, Encoding encoding);
/// A place as the text of its source has it.
Json location_of(const Span& span, Encoding encoding);

/// A diagnostic as a document shows it. One whose place is in another file stands at the top, and says where.
Json to_json(const Diagnostic& diagnostic, const Document& document, Encoding encoding);

}  // namespace kdiag::serve
