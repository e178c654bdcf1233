// SPDX-License-Identifier: Apache-2.0
#include "report/signature.hpp"

#include "report/escape.hpp"
#include "report/utf8.hpp"

namespace kdiag::report {
namespace {

constexpr std::string_view anonymous = "(anonymous namespace)::";

std::string without_anonymous_namespaces(std::string_view text) {
  std::string out;
  for (std::size_t at = text.find(anonymous); at != std::string_view::npos; at = text.find(anonymous)) {
    out += text.substr(0, at);
    text.remove_prefix(at + anonymous.size());
  }
  return out.append(text);
}

}  // namespace

std::string shorten_signature(std::string_view text, std::size_t limit) {
  if (count_code_points(text) <= limit) return std::string(text);
  const std::string plain = without_anonymous_namespaces(text);
  std::string_view name = plain;
  if (name.starts_with("void ")) name.remove_prefix(5);
  name = name.substr(0, name.find_first_of("<("));
  const std::size_t scope = name.rfind("::");
  const std::string_view own = scope == std::string_view::npos ? name : name.substr(scope + 2);
  for (const std::string_view part : {name, own})
    if (!part.empty() && count_code_points(part) <= limit) return std::string(part);
  return shorten_middle(own.empty() ? text : own, limit);
}

}  // namespace kdiag::report
