// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/inert.hpp"

#include <kdiag/project.hpp>

#include <nlohmann/json.hpp>

namespace kdiag::serve::mcp {
namespace {

bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

/// The bytes of a character, or one that is none with what seems to continue it.
std::size_t length_at(std::string_view text, std::size_t at) {
  std::size_t length = 1;
  while (length < 4 && at + length < text.size() && continues(text[at + length])) ++length;
  return length;
}

std::string beginning(std::string_view text, std::size_t longest) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += length_at(text, at)) {
    const std::string piece = shown_value(text.substr(at, length_at(text, at)));
    if (out.size() + piece.size() > longest) break;
    out += piece;
  }
  return out;
}

std::string ending(std::string_view text, std::size_t longest) {
  std::string out;
  for (std::size_t end = text.size(); end > 0;) {
    std::size_t begin = end - 1;
    while (begin > 0 && end - begin < 4 && continues(text[begin])) --begin;
    const std::string piece = shown_value(text.substr(begin, end - begin));
    if (out.size() + piece.size() > longest) break;
    out.insert(0, piece);
    end = begin;
  }
  return out;
}

}  // namespace

std::string inert(std::string_view text, std::size_t longest) {
  if (text.size() <= longest)
    if (std::string whole = shown_value(text); whole.size() <= longest) return whole;
  constexpr std::string_view gap = "…";
  const std::size_t half = (longest - gap.size()) / 2;
  return beginning(text, half) + std::string(gap) + ending(text, half);
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
