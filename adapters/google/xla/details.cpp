// SPDX-License-Identifier: Apache-2.0
#include "adapters/google/xla/details.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/parse_number.hpp"

namespace kdiag::adapters::xla {
namespace {

/// A number of digits alone at the front, which is taken off.
std::optional<std::int64_t> take_count(std::string_view& text) {
  return text.starts_with('-') ? std::nullopt : take_number<std::int64_t>(text);
}

/// The text behind "key:", up to the next blank.
std::string_view value_of(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != text.npos; at = text.find(key, at + 1)) {
    const std::size_t end = at + key.size();
    const bool starts = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '$';
    if (!starts || end >= text.size() || text[end] != ':') continue;
    std::string_view value = text.substr(end + 1);
    return value.substr(0, value.find_first_of(" \n;"));
  }
  return {};
}

std::optional<std::int64_t> number_of(std::string_view text, std::string_view key) {
  std::string_view value = value_of(text, key);
  return take_count(value);
}

std::optional<std::array<std::int64_t, 3>> shape_of(std::string_view text, std::string_view key) {
  std::string_view value = value_of(text, key);
  std::array<std::int64_t, 3> shape{1, 1, 1};
  for (std::int64_t& part : shape) {
    const auto number = take_count(value);
    if (!number) return std::nullopt;
    part = *number;
    if (!value.starts_with(',')) return &part == &shape[2] ? std::optional(shape) : std::nullopt;
    value.remove_prefix(1);
  }
  return std::nullopt;
}

/// CUPTI's kinds of memory as XLA spells them.
std::string_view memory_kind(std::string_view stated) {
  constexpr std::string_view known[] = {"pageable", "pinned", "device", "managed", "unknown"};
  const auto* found = std::find(std::begin(known), std::end(known), stated);
  if (found != std::end(known)) return *found;
  return stated == "array" ? "device" : std::string_view{};
}

}  // namespace

std::optional<DevicePlane> parse_device_plane(std::string_view name) {
  constexpr std::string_view prefix = "/device:";
  const std::size_t at = name.find(prefix);
  if (at == name.npos) return std::nullopt;
  name.remove_prefix(at + prefix.size());
  const std::size_t colon = name.find(':');
  if (colon == name.npos) return std::nullopt;
  DevicePlane plane{.kind = name.substr(0, colon)};
  if (plane.kind == "CPU" || plane.kind == "CUSTOM") return std::nullopt;
  name.remove_prefix(colon + 1);
  const auto id = take_count(name);
  if (!id) return std::nullopt;
  plane.id = *id;
  if (name.starts_with(' ') && name.find('(') == name.npos) plane.model = name.substr(1);
  return plane;
}

Line line_kind(std::string_view name) {
  if (name.starts_with("Stream #") || name.starts_with("Stream ")) return Line::stream;
  if (name.starts_with("XLA Ops")) return Line::ops;
  return name.starts_with("Steps") ? Line::steps : Line::derived;
}

std::optional<std::int64_t> stream_number(std::string_view name) {
  const std::size_t at = name.find_first_of("0123456789");
  if (at == name.npos) return std::nullopt;
  name.remove_prefix(at);
  return take_count(name);
}

bool is_copy_line(std::string_view name) {
  const std::size_t open = name.find('(');
  if (line_kind(name) != Line::stream || open == name.npos || !name.ends_with(')')) return false;
  std::string_view kinds = name.substr(open + 1, name.size() - open - 2);
  for (std::size_t comma = 0; comma != kinds.npos; kinds.remove_prefix(comma + 1)) {
    comma = kinds.find(',');
    if (!kinds.substr(0, comma).starts_with("Memcpy")) return false;
    if (comma == kinds.npos) break;
  }
  return true;
}

KernelDetails parse_kernel_details(std::string_view text) {
  KernelDetails out;
  out.registers = number_of(text, "regs");
  const auto fixed = number_of(text, "static_shared");
  const auto dynamic = number_of(text, "dynamic_shared");
  constexpr std::int64_t most_shared = std::int64_t{1} << 30;
  if (fixed && dynamic && *fixed < most_shared && *dynamic < most_shared) out.shared_memory = *fixed + *dynamic;
  out.grid = shape_of(text, "grid");
  out.block = shape_of(text, "block");
  return out;
}

CopyDetails parse_copy_details(std::string_view text) {
  const auto asynchronous = number_of(text, "async");
  return {memory_kind(value_of(text, "kind_src")), memory_kind(value_of(text, "kind_dst")), number_of(text, "size"),
          asynchronous ? std::optional(*asynchronous != 0) : std::nullopt};
}

}  // namespace kdiag::adapters::xla
