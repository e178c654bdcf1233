// SPDX-License-Identifier: Apache-2.0
// textDocument/hover: what stands at a place, and what it is worth on the trace at hand.
#pragma once

#include <atomic>

#include "serve/lsp/session.hpp"

namespace kdiag::serve {

/// What a name was given, the type of the smallest expression around the place, its values on the bound trace, and what
/// `kdiag help` says of the word; null where there is nothing to say.
Json hover(Session& session, const Json& params, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
