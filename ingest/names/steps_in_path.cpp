// SPDX-License-Identifier: Apache-2.0
#include "ingest/names/steps_in_path.hpp"

#include <unistd.h>

#include <limits>
#include <string_view>

#include "base/parse_number.hpp"

namespace kdiag {
namespace {

/// An end of a range that nobody states is open.
bool read_end(std::string_view text, std::int64_t& end) {
  if (text.empty()) return true;
  const auto number = parse_number<std::int64_t>(text);
  end = number.value_or(end);
  return number.has_value();
}

}  // namespace

PathWithSteps split_steps(const std::string& text) {
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos || at == 0 || ::access(text.c_str(), F_OK) == 0) return {text, {}};
  const std::string_view range = std::string_view(text).substr(at + 1);
  const std::size_t dots = range.find("..");
  const std::string_view first = range.substr(0, dots);
  const std::string_view last = dots == std::string_view::npos ? first : range.substr(dots + 2);
  std::pair steps{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  const bool good = read_end(first, steps.first) && read_end(last, steps.second);
  if (!good || (first.empty() && last.empty())) return {text, {}};
  return {text.substr(0, at), steps};
}

}  // namespace kdiag
