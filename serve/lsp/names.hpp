// SPDX-License-Identifier: Apache-2.0
// Where a rule, let, parameter, define or ladder is declared and used, and another name for it.
#pragma once

#include <atomic>
#include <optional>

#include <kdiag/editing.hpp>

#include "serve/lsp/session.hpp"

namespace kdiag::serve {

/// The name at a byte of a document.
std::optional<NameUse> name_at(Session& session, const Document& document, std::size_t offset,
                               const std::atomic<bool>& stop);
/// Where it is declared, in the document or in files beside it.
std::optional<NameUse> declaration_of(Session& session, const Document& document, const NameUse& name,
                                      const std::atomic<bool>& stop);

Json find_definition(Session& session, const Json& params, const std::atomic<bool>& stop);
Json find_references(Session& session, const Json& params, const std::atomic<bool>& stop);
/// Throws request_failed where the result would have errors.
Json rename_everywhere(Session& session, const Json& params, const std::atomic<bool>& stop);
/// Rules with their parameters and lets, defines and ladders.
Json list_symbols(Session& session, const Json& params, const std::atomic<bool>& stop);

}  // namespace kdiag::serve
