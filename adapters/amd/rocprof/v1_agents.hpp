// SPDX-License-Identifier: Apache-2.0
// What rocprof v1 writes about the machine behind the events of results.json: rocminfo's lines, flattened into one
// object whose texts have lost their blanks ("Agent3.MarketingName": "AMDInstinctMI300X").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::adapters::rocprof {

/// A device, by the number that the events call it (`dev-id`).
struct V1Agent {
  std::int64_t number = 0;
  std::string name;                   ///< with blanks again where the maker's are known; empty: not stated
  std::optional<std::int64_t> units;  ///< compute units
  std::optional<double> clock;        ///< the highest, in Hz
};

/// The GPUs in the text of such an object; none when it is no such object. Those that share a number are left out.
std::vector<V1Agent> parse_agents(std::string_view object);

}  // namespace kdiag::adapters::rocprof
