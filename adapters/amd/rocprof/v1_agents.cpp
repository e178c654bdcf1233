// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rocprof/v1_agents.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "adapters/json/json.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::rocprof {
namespace {

constexpr std::string_view prefix = "Agent";

/// "AMD Instinct MI300X" for "AMDInstinctMI300X".
std::string with_blanks(std::string_view name) {
  std::string out;
  for (const std::string_view word : {"AMD", "Instinct", "Radeon"}) {
    if (!name.starts_with(word)) continue;
    name.remove_prefix(word.size());
    out.append(word).append(name.starts_with(' ') ? "" : " ");
  }
  out.append(name);
  return std::string(trim(out));
}

struct Agent {
  V1Agent device;
  bool is_gpu = false, is_numbered = false;

  void set(std::string_view what, const JsonValue& value) {
    if (what == "DeviceType") is_gpu = value.text == "GPU";
    else if (what == "MarketingName") device.name = with_blanks(value.text);
    else if (what == "Node") {
      const auto number = value.integer();
      is_numbered = number.has_value();
      device.number = number.value_or(0);
    } else if (what == "ComputeUnit") {
      if (const auto units = value.integer(); units && *units > 0) device.units = units;
    } else if (what == "MaxClockFreq.(MHz)") {
      if (const auto clock = value.real(); clock && *clock > 0 && std::isfinite(*clock)) device.clock = *clock * 1e6;
    }
  }
};

}  // namespace

std::vector<V1Agent> parse_agents(std::string_view object) {
  std::map<std::string_view, Agent> agents;  // by their numbers among all, which are not those of devices
  const auto system = parse_json(object);
  if (!system) return {};
  for (const JsonMember& member : system->members) {
    const std::string_view key = member.key;
    const std::size_t dot = std::min(key.find('.'), key.size());
    if (key.starts_with(prefix) && dot < key.size()) agents[key.substr(0, dot)].set(key.substr(dot + 1), member.value);
  }
  std::vector<V1Agent> out;
  std::set<std::int64_t> numbers, repeated;
  for (auto& [key, agent] : agents) {
    if (!agent.is_gpu || !agent.is_numbered) continue;
    if (!numbers.insert(agent.device.number).second) repeated.insert(agent.device.number);
    out.push_back(std::move(agent.device));
  }
  std::erase_if(out, [&repeated](const V1Agent& agent) { return repeated.contains(agent.number); });
  return out;
}

}  // namespace kdiag::adapters::rocprof
