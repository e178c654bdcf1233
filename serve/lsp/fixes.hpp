// SPDX-License-Identifier: Apache-2.0
// textDocument/codeAction: mistakes that have one remedy.
#pragma once

#include <atomic>

#include "serve/lsp/session.hpp"

namespace kdiag::serve {

/// The words that diagnostics within a range ask for ("did you mean 'kernels'?"), where fewer mistakes are left
/// with them; the first few, the others once these are mended.
Json list_fixes(Session& session, const Json& params, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
