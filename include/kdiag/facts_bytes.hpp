// SPDX-License-Identifier: Apache-2.0
// Facts as bytes, so that one process loads a trace and others judge it.
#pragma once

#include <span>
#include <string>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag {

/// Facts with all that was derived from them, as bytes for the same version of kdiag on the same kind of machine: about
/// as large as the facts are in memory. For other programs and versions there are facts files (docs/facts-file.md).
///
/// Example:
///     auto facts = kdiag::load_trace("trace.json");
///     auto again = kdiag::facts_from_bytes(kdiag::facts_to_bytes(*facts));  // reports of both are the same
KDIAG_API std::string facts_to_bytes(const Facts& facts);

/// The facts again; nothing is read or derived anew, and reports of them are the same. Errors: K710 the bytes are cut
/// or damaged, or another version of kdiag made them. Damage is found by a checksum and every number of a row or text
/// is checked; but bytes that somebody made up may state what cannot be derived: take them from where you would take a
/// program from.
KDIAG_API Result<Facts> facts_from_bytes(std::span<const char> bytes);

}  // namespace kdiag
