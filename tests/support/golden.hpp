// SPDX-License-Identifier: Apache-2.0
// Comparing output with files under tests/golden; KDIAG_UPDATE=1 in the environment rewrites them.
#pragma once

#include <string_view>

namespace kdiag::test {

/// Fails the running test unless `text` is the content of tests/golden/`path`.
void check_golden(std::string_view path, std::string_view text);

}  // namespace kdiag::test
