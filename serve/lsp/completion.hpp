// SPDX-License-Identifier: Apache-2.0
// textDocument/completion: what can stand before the cursor.
#pragma once

#include <atomic>

#include "serve/lsp/session.hpp"

namespace kdiag::serve {

/// Where a key can stand, those that the place has; behind a key its words, or what expressions can name: tables,
/// columns, functions, defines, and the lets and parameters of the rule; ids of rules where a key wants them. In a text
/// that is compared with a column, what that column can be and, on the bound trace, is. From the last text that could
/// be understood, and the line at hand.
Json complete(Session& session, const Json& params, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
