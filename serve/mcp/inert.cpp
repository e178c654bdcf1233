// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/inert.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <utility>

#include <nlohmann/json.hpp>

namespace kdiag::serve::mcp {
namespace {

struct Point {
  char32_t value = 0;
  std::size_t length = 1;
  bool valid = false;
};

Point point_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return {first, 1, true};
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const Point broken{first, 1, false};
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return broken;
  char32_t value = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return broken;
    value = (value << 6) | (byte(at + i) & 0x3F);
  }
  constexpr char32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  return value < least[length] || surrogate || value > 0x10FFFF ? broken : Point{value, length, true};
}

/// Controls, and characters that reorder, join or hide text.
bool hidden(char32_t value) {
  constexpr std::pair<char32_t, char32_t> ranges[] = {
      {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},     {0x61C, 0x61C},   {0x180E, 0x180E},   {0x200B, 0x200F},
      {0x2028, 0x202E}, {0x2060, 0x206F}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
  };
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [value](auto range) { return value >= range.first && value <= range.second; });
}

void append(std::string& out, std::string_view text, std::size_t at, const Point& point) {
  if (point.valid && !hidden(point.value)) {
    out += text.substr(at, point.length);
    return;
  }
  const int digits = point.value > 0xFFFF ? 6 : point.value > 0xFF ? 4 : 2;
  out += digits == 2 ? "\\x" : "\\u";
  for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) out += "0123456789abcdef"[(point.value >> shift) & 0xF];
}

/// The beginning of a text, or its end, that is harmless and no longer than so many bytes.
std::string harmless(std::string_view text, std::size_t longest, bool from_end) {
  std::string out;
  if (from_end) {
    // Each byte becomes four at most and one at least: what the end can hold lies in as many bytes.
    std::size_t at = text.size() - std::min(text.size(), longest);
    while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
    for (; at < text.size(); at += point_at(text, at).length) {
      std::string piece;
      append(piece, text, at, point_at(text, at));
      out += piece;
    }
    std::size_t cut = out.size() - std::min(out.size(), longest);
    while (cut < out.size() && (static_cast<unsigned char>(out[cut]) & 0xC0) == 0x80) ++cut;
    return out.substr(cut);
  }
  for (std::size_t at = 0; at < text.size();) {
    const Point point = point_at(text, at);
    std::string piece;
    append(piece, text, at, point);
    if (out.size() + piece.size() > longest) break;
    out += piece;
    at += point.length;
  }
  return out;
}

}  // namespace

std::string inert(std::string_view text, std::size_t longest) {
  if (text.size() <= longest)
    if (std::string whole = harmless(text, 10 * text.size(), false); whole.size() <= longest) return whole;
  constexpr std::string_view gap = "…";
  const std::size_t half = (longest - gap.size()) / 2;
  return harmless(text, half, false) + std::string(gap) + harmless(text, half, true);
}

std::string inert_rows(std::string_view text, std::size_t longest) {
  std::string out;
  for (const char c : text)
    if (c == '\n') out += " | ";
    else if (c != ' ' || (!out.empty() && out.back() != ' ')) out += c;
  return inert(out, longest);
}

Json inert_json(const Json& value, std::size_t longest) {
  if (value.is_string()) return inert(value.get_ref<const std::string&>(), longest);
  if (value.is_array()) {
    Json out = Json::array();
    for (const Json& item : value) out.push_back(inert_json(item, longest));
    return out;
  }
  if (!value.is_object()) return value;
  Json out = Json::object();
  for (const auto& [name, item] : value.items()) out[inert(name, longest)] = inert_json(item, longest);
  return out;
}

}  // namespace kdiag::serve::mcp
