// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/loaded_facts.hpp"

namespace kdiag {

std::string run_id(std::size_t index) {
  std::string id;
  for (++index; index > 0; index = (index - 1) / 26) id.insert(id.begin(), static_cast<char>('A' + (index - 1) % 26));
  return id;
}

}  // namespace kdiag
