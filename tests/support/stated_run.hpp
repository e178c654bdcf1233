// SPDX-License-Identifier: Apache-2.0
// Runs from facts as tests of rules state them.
#pragma once

#include <memory>
#include <string>

#include "engine/facts/fact_store.hpp"

namespace kdiag::tests {

/// A linked and derived run: "kernel_stats: [{name: k, total: 3us}]", one table a line. Fails the test on errors.
std::shared_ptr<const FactStore> stated_run(const std::string& facts);

}  // namespace kdiag::tests
