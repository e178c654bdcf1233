// SPDX-License-Identifier: Apache-2.0
#include "ingest/names/steps_in_path.hpp"

#include <unistd.h>

#include <charconv>
#include <limits>
#include <string_view>

namespace kdiag {
namespace {

bool parse_number(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
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
  const bool good =
      (first.empty() || parse_number(first, steps.first)) && (last.empty() || parse_number(last, steps.second));
  if (!good || (first.empty() && last.empty()) || steps.first > steps.second) return {text, {}};
  return {text.substr(0, at), steps};
}

}  // namespace kdiag
