// SPDX-License-Identifier: Apache-2.0
// textDocument/formatting: as `kdiag rules fmt`.
#pragma once

#include <atomic>

#include "serve/lsp/session.hpp"

namespace kdiag::serve {

/// The edits that format a document, one at most. Throws request_failed where it has errors.
Json format_document(Session& session, const Json& params, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
