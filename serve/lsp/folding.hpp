// SPDX-License-Identifier: Apache-2.0
// textDocument/foldingRange: which lines can be hidden.
#pragma once

#include <atomic>

#include "serve/lsp/session.hpp"

namespace kdiag::serve {

/// What is indented below a line, and comments of several lines.
Json list_folds(Session& session, const Json& params, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
