// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/kineto/paddle.hpp"

#include <cstddef>

#include "base/parse_number.hpp"

namespace kdiag::adapters::kineto::paddle {

std::optional<std::string_view> plain_name(const Event& event) {
  std::string_view name = event.name.text;
  // Most events are of others, and are told here: their names do not end in a bracket.
  if (name.size() < 2 || name[name.size() - 2] != ']') return std::nullopt;
  if (!name.ends_with(" us]\"") && !name.ends_with(" ms]\"")) return std::nullopt;
  if (event.arg("start_time").is_missing() || event.arg("end_time").is_missing()) return std::nullopt;
  const std::size_t bracket = name.rfind('[');
  if (bracket == name.npos || !parse_number<double>(name.substr(bracket + 1, name.size() - bracket - 6)))
    return std::nullopt;
  return name.substr(1, bracket - 1);
}

std::optional<std::int64_t> device_of_place(std::string_view place) {
  const std::size_t colon = place.rfind(':');
  if (colon == place.npos || place.find("cpu") != place.npos || place.find("pinned") != place.npos) return std::nullopt;
  place.remove_prefix(colon + 1);
  return take_number<std::int64_t>(place);
}

}  // namespace kdiag::adapters::kineto::paddle
