// SPDX-License-Identifier: Apache-2.0
#include "base/phrases.hpp"

#include <kdiag/format.hpp>

#include <cstdint>

namespace kdiag {

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string counted(std::size_t count, std::string_view noun) {
  return format_count(static_cast<std::int64_t>(count)) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string one_off_phrase(const OneOffCost& cost) {
  std::string phrase = cost.what + " " + format_duration(cost.ns);
  if (!cost.steps) return phrase;
  const auto& [first, last] = *cost.steps;
  if (first == last) return phrase + " (step " + std::to_string(first) + ")";
  return phrase + " (steps " + std::to_string(first) + " to " + std::to_string(last) + ")";
}

}  // namespace kdiag
