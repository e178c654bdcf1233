// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/targets.hpp"

#include <algorithm>

#include "adapters/adapter_table.hpp"

namespace kdiag::fuzz {

const std::vector<Target>& targets() {
  static const std::vector<Target> all = [] {
    std::vector<Target> made = {
      {"trace", trace},
      {"facts", facts},
      {"compare", compare},
      {"expr", expr},
      {"rules", rules},
      {"map", map},
      {"project", project},
      {"known", known},
      {"annotate", annotate},
#if KDIAG_WITH_SERVERS
      {"lsp", lsp},
      {"mcp", mcp},
#endif
#if KDIAG_WITH_LUA
      {"lua", lua},
#endif
    };
    for (const Adapter* one : adapters::adapter_table()) {
      std::string name(one->id);
      std::replace(name.begin(), name.end(), '-', '_');
      made.push_back({name, [one](Input input) { adapter(*one, input); }});
    }
    return made;
  }();
  return all;
}

}  // namespace kdiag::fuzz
