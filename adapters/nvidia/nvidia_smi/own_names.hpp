// SPDX-License-Identifier: Apache-2.0
// What scripts call the properties of nvidia-smi that they log under names of their own: "GPU_Util(%)",
// "memory_used_mib", "power_draw_w".
#pragma once

#include <string>
#include <string_view>

namespace kdiag::adapters {

/// The property of nvidia-smi that a column is, and its unit as far as the name says it; of a timestamp, that of the
/// time since the start ("elapsed_sec"). Both empty where it is none.
struct OwnName {
  std::string_view property, unit;
  bool bare = false;   ///< a GPU's utilization without a percent sign, which may be a fraction
  bool vague = false;  ///< a name that any log may have, and a GPU's only beside its number: "Time", "Utilization"
};
OwnName own_name(std::string_view field);

/// Whether a column says which GPU a row is of, by a name that has the word: "GPU_ID", not "index".
bool numbers_gpus(std::string_view field);

/// Whether a column says which machine a row is of: numbers of GPUs are then not one machine's.
bool names_machine(std::string_view field);

}  // namespace kdiag::adapters
