// SPDX-License-Identifier: Apache-2.0
#include "report/github_commands.hpp"

#include <algorithm>

#include "base/escape.hpp"

namespace kdiag::report {
namespace {

/// The message of a workflow command: its end of line and its escape are escaped, and what may control a terminal.
std::string command_data(std::string_view text) {
  std::string out;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (begin > 0) out += "%0A";
    for (const char c : visible(text.substr(begin, end - begin))) {
      if (c == '%') out += "%25";
      else out += c;
    }
    begin = end + 1;
  }
  return out;
}

/// A property of a workflow command: `:` and `,` would end it.
std::string command_property(std::string_view text) {
  std::string out;
  for (const char c : command_data(text)) {
    if (c == ':') out += "%3A";
    else if (c == ',') out += "%2C";
    else out += c;
  }
  return out;
}

}  // namespace

std::string workflow_command(const Annotation& annotation) {
  std::string out = "::" + std::string(annotation.level) + " ";
  if (!annotation.file.empty()) out += "file=" + command_property(annotation.file) + ",";
  const auto number = [&out](std::string_view name, std::size_t value) {
    out += std::string(name) + "=" + std::to_string(value) + ",";
  };
  if (annotation.range) {
    number("line", annotation.range->first.line);
    number("col", annotation.range->first.column);
    number("endLine", annotation.range->second.line);
    number("endColumn", annotation.range->second.column);
  } else if (annotation.line > 0) {
    number("line", annotation.line);
  }
  return out + "title=" + command_property(annotation.title) + "::" + command_data(annotation.message) + "\n";
}

}  // namespace kdiag::report
