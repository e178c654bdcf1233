// SPDX-License-Identifier: Apache-2.0
#include "mapping/json_path.hpp"

#include <cstddef>

#include "base/parse_number.hpp"

namespace kdiag::mapping {
namespace {

using adapters::JsonMember;
using adapters::JsonValue;

const JsonValue* child(const JsonValue& value, std::string_view key) {
  if (value.kind == JsonValue::Kind::object) {
    for (const JsonMember& member : value.members)
      if (member.key == key) return &member.value;
  } else if (value.kind == JsonValue::Kind::array) {
    const auto place = parse_number<std::size_t>(key);
    if (place && *place < value.items.size()) return &value.items[*place];
  }
  return nullptr;
}

}  // namespace

const JsonValue* find_path(const JsonValue& value, std::string_view path) {
  for (std::size_t end = path.size(); end != std::string_view::npos && end > 0; end = path.rfind('.', end - 1)) {
    const JsonValue* found = child(value, path.substr(0, end));
    if (found != nullptr && end < path.size()) found = find_path(*found, path.substr(end + 1));
    if (found != nullptr) return found;
  }
  return nullptr;
}

std::string_view scalar_text(const JsonValue& value) {
  switch (value.kind) {
    case JsonValue::Kind::number:
    case JsonValue::Kind::string: return value.text;
    case JsonValue::Kind::boolean: return value.boolean ? "true" : "false";
    default: return {};
  }
}

}  // namespace kdiag::mapping
