// SPDX-License-Identifier: Apache-2.0
// The examples of the repository that tests use.
#pragma once

#include <string>

namespace kdiag::tests {

inline const std::string examples = std::string(KDIAG_SOURCE_DIR) + "/examples/";
inline const std::string item_storm = examples + "traces/item_storm.json";
inline const std::string loss_reads = examples + "rules/loss_reads.yaml";

}  // namespace kdiag::tests
