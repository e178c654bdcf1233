// SPDX-License-Identifier: Apache-2.0
// textDocument/codeLens: how the tests of a file end, and how its rules judge the trace at hand.
#pragma once

#include <atomic>

#include "serve/lsp/session.hpp"

namespace kdiag::serve {

/// A lens on the line of each test, inside of rules or in a test file, as `kdiag rules test` runs them; none where the
/// rules or the tests have errors. With a bound trace one on each rule, with how many subjects it fires for.
Json list_lenses(Session& session, const Json& params, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
