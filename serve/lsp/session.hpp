// SPDX-License-Identifier: Apache-2.0
// What a language server knows of the editor that it serves.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <kdiag/kdiag.hpp>

#include "serve/lsp/documents.hpp"
#include "serve/rpc/json.hpp"

namespace kdiag::serve {

struct Session {
  Encoding encoding = Encoding::utf16;
  bool initialized = false, shut_down = false;
  Documents documents;
  std::set<std::string> unchecked;  ///< URIs of documents that were not checked since they, or another one, changed
  std::map<std::string, RuleSet, std::less<>> rules;  ///< by URI: of the last text that had no errors

  /// Throws invalid_params where the document of a request is not open.
  const Document& document_of(const Json& params) const;
  /// The byte that the `position` of a request means.
  std::size_t offset_in(const Document& document, const Json& params) const;
};

}  // namespace kdiag::serve
