// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "engine/functions/families.hpp"

namespace kdiag {
namespace {

std::vector<Function> all_functions() {
  std::vector<Function> out;
  for (const FunctionFamily family :
       {total_functions(), extreme_functions(), row_functions(), interval_functions(), lane_functions(),
        site_functions(), series_functions(), run_functions(), value_functions()})
    out.insert(out.end(), family.begin(), family.end());
  return out;
}

}  // namespace

std::span<const Function> function_table() {
  static const std::vector<Function> all = all_functions();
  return all;
}

const Function* find_function(std::string_view name) {
  const std::span<const Function> all = function_table();
  const auto found = std::find_if(all.begin(), all.end(), [name](const Function& f) { return f.name == name; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace kdiag
