// SPDX-License-Identifier: Apache-2.0
#include "base/function_name.hpp"

#include <cstddef>

#include "base/parse_number.hpp"

namespace kdiag {
namespace {

constexpr std::string_view anonymous = "(anonymous namespace)";

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The names of `_ZN5aiter12add_rmsnormI...`, joined, up to the first that is no plain name: its template arguments.
std::string unmangled(std::string_view name) {
  name.remove_prefix(2);
  if (name.starts_with('N')) name.remove_prefix(1);
  if (name.starts_with('L')) name.remove_prefix(1);  // internal linkage
  std::string out;
  while (!name.empty() && name.front() >= '0' && name.front() <= '9') {
    const auto length = take_number<std::size_t>(name);
    if (!length || *length > name.size()) break;
    if (!out.empty()) out += "::";
    out += name.substr(0, *length);
    name.remove_prefix(*length);
  }
  return out;
}

/// Whether the blank at `at` ends a return type that has template arguments of its own.
bool ends_type(std::string_view name, std::size_t at) { return at + 1 < name.size() && begins_name(name[at + 1]); }

}  // namespace

std::string function_name(std::string_view name) {
  if (name.starts_with("_Z"))
    if (std::string names = unmangled(name); !names.empty()) return names;
  if (name.starts_with("void ")) name.remove_prefix(5);
  std::string out;
  std::size_t depth = 0;
  bool has_arguments = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') {
      ++depth;
      has_arguments = true;
    } else if (name[i] == '>' && depth > 0) {
      --depth;
    } else if (depth > 0) {
      continue;
    } else if (name.substr(i).starts_with(anonymous)) {
      i += anonymous.size() - 1;
    } else if (name[i] == '(') {
      break;
    } else if (name[i] == ' ' && has_arguments && ends_type(name, i)) {
      out.clear();
      has_arguments = false;
    } else {
      out += name[i];
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string base_function_name(std::string_view name) {
  const std::string qualified = function_name(name);
  const std::size_t last = qualified.rfind("::");
  return last == std::string::npos ? qualified : qualified.substr(last + 2);
}

}  // namespace kdiag
