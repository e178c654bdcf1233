// SPDX-License-Identifier: Apache-2.0
// textDocument/semanticTokens/full: what the words inside of expressions are.
#pragma once

#include <atomic>

#include "serve/lsp/session.hpp"

namespace kdiag::serve {

/// The names of the kinds, in the order of their numbers in answers.
Json token_legend();

/// Five numbers for each word of an expression, as the protocol counts them: from the word before. Where the text
/// cannot be understood, those that can.
Json list_tokens(Session& session, const Json& params, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
