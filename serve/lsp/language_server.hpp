// SPDX-License-Identifier: Apache-2.0
// The Language Server Protocol 3.17 for rule files, tests of rules, mappings and project files.
#pragma once

namespace kdiag::serve {

/// Answers an editor over two descriptors until it says `exit` or is gone. Returns the status that the protocol wants:
/// 1 where it said `exit` without `shutdown` before.
int run_language_server(int input, int output);

}  // namespace kdiag::serve
