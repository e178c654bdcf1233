// SPDX-License-Identifier: Apache-2.0
// The adapters' fixtures below tests/golden/adapters.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <kdiag/adapter.hpp>

namespace kdiag::test {

/// All `*.in` files, in alphabetical order. The folder of each is its adapter's id with `_` for `-`.
std::vector<std::filesystem::path> adapter_fixtures();

/// The adapter a fixture was written for; null when the build has none of that id.
const Adapter* adapter_of(const std::filesystem::path& fixture);

std::string read_file(const std::filesystem::path& path);

}  // namespace kdiag::test
