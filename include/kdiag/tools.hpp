// SPDX-License-Identifier: Apache-2.0
// For programs that help people to write rules: checkers, editors, generators of documentation. What a program needs
// that only diagnoses traces is in kdiag.hpp.
#pragma once

#include <string>
#include <string_view>

#include <kdiag/diagnostic.hpp>
#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/result.hpp>

namespace kdiag {

// --- Checking -------------------------------------------------------------------------------------------------------

/// Diagnostics as one JSON document, schema "kdiag.diagnostics/1" (docs/tools.md). Byte-stable.
KDIAG_API std::string to_json(const Diagnostics& diagnostics);
/// Diagnostics as SARIF 2.1.0, with what each code means.
KDIAG_API std::string to_sarif(const Diagnostics& diagnostics);
/// Diagnostics as workflow commands of GitHub Actions, which shows them beside the lines of a change.
KDIAG_API std::string to_github(const Diagnostics& diagnostics);

/// Whether a file holds tests of rules (`kdiag_test: 1`) instead of rules. False for what cannot be read.
KDIAG_API bool is_test_file(const std::string& path);

}  // namespace kdiag
