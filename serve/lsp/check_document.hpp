// SPDX-License-Identifier: Apache-2.0
// What is wrong with an open file, as the command says it.
#pragma once

#include <atomic>
#include <optional>

#include <kdiag/diagnostic.hpp>
#include <kdiag/kdiag.hpp>

#include "serve/lsp/documents.hpp"

namespace kdiag::serve {

struct CheckedDocument {
  Diagnostics mistakes;
  std::optional<RuleSet> rules;  ///< of a rule file without errors, with the built-in ones
};

/// As `kdiag rules check` of a rule file or Lua rule, `kdiag rules test` of a test file, `kdiag formats
/// check` of a mapping, and each verb of a project file. Other files have no mistakes. Nothing once `stop` was set.
std::optional<CheckedDocument> check_document(const Document& document, const Documents& all,
                                              const std::atomic<bool>& stop);

}  // namespace kdiag::serve
