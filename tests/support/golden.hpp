// SPDX-License-Identifier: Apache-2.0
// Golden tests: an input file, what came out of it, and the file of what is expected.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::tests {

/// Contents of a file; fails the test when it cannot be read.
std::string read_file(const std::string& path);

/// All files of tests/golden/`folder` and the folders in it whose name ends in `extension`, sorted, as paths.
std::vector<std::string> golden_files(const std::string& folder, const std::string& extension);

/// Where two texts differ, as a unified diff of one block: the lines between the first and the last that differ, with
/// three lines around them, 60 lines of each text at most. Empty when the texts are equal.
std::string first_difference(std::string_view expected, std::string_view actual);

/// Compares `actual` with a file (below tests/golden unless absolute); with KDIAG_UPDATE=1 in the environment writes
/// the file instead.
void check_golden(const std::string& name, const std::string& actual);

/// For every `.in` file of the folder: what `make` says of it (its short name and text) is in the file beside it that
/// has the extension `expected`.
void check_golden_folder(const std::string& folder, const std::string& expected,
                         const std::function<std::string(const std::string& name, const std::string& text)>& make);

}  // namespace kdiag::tests
