// SPDX-License-Identifier: Apache-2.0
// What a language server knows of the editor that it serves.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/kdiag.hpp>

#include "serve/lsp/documents.hpp"
#include "serve/lsp/name_index.hpp"
#include "serve/rpc/json.hpp"

namespace kdiag::serve {

/// The last text of a document that had no errors.
struct GoodText {
  RuleSet rules;
  std::string text;
};

/// What an editor was told of a document.
struct ToldMistakes {
  std::string text;
  Diagnostics mistakes;
};

/// The trace on which rules are tried.
struct BoundTrace {
  std::string path;            ///< empty: none
  std::optional<Facts> facts;  ///< once it was loaded
  std::string error;           ///< why it could not be
};

/// Loads it where it was not, unless `stop` is set before.
void load_bound(BoundTrace& trace, const std::atomic<bool>& stop);

struct Session {
  Encoding encoding = Encoding::utf16;
  bool initialized = false, shut_down = false;
  Documents documents;
  NameIndex names{documents.trees()};
  std::vector<std::string> unchecked;                     ///< URIs of documents that are to be checked, in this order
  std::map<std::string, GoodText, std::less<>> good;      ///< by URI
  std::map<std::string, ToldMistakes, std::less<>> told;  ///< by URI
  BoundTrace trace;

  /// Files import each other: all that are open are to be checked again. First the one that changed, which somebody
  /// looks at and may change again before the others are done, then those that have waited.
  void check_again(const std::string& changed);
  /// Throws invalid_params where the document of a request is not open.
  const Document& document_of(const Json& params) const;
  /// The rules of a document without its last errors; the built-in ones where it never was without.
  RuleSet rules_of(const Document& document);
  /// The byte that the `position` of a request means.
  std::size_t offset_in(const Document& document, const Json& params) const;

 private:
  std::optional<RuleSet> builtin_;
};

}  // namespace kdiag::serve
