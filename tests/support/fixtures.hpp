// SPDX-License-Identifier: Apache-2.0
// The adapters' fixtures below tests/golden/adapters.
#pragma once

#include <string>
#include <vector>

#include <kdiag/adapter.hpp>

namespace kdiag::tests {

struct Fixture {
  std::string path;
  std::string name;                  ///< "kernel_table/normal"
  const Adapter* adapter = nullptr;  ///< the one it was written for: its folder is the adapter's id with `_` for `-`
};

/// All `*.in` files, in alphabetical order. Fails the test when a folder is named after no adapter.
std::vector<Fixture> adapter_fixtures();

}  // namespace kdiag::tests
