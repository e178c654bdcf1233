// SPDX-License-Identifier: Apache-2.0
#include "ingest/names/rank_in_name.hpp"

#include <algorithm>
#include <string>

#include "base/ascii.hpp"
#include "base/parse_number.hpp"
#include "base/text.hpp"

namespace kdiag {
namespace {

constexpr std::string_view word = "rank";
constexpr std::size_t most_digits = 7;  // judgement: no job has ten million ranks; longer numbers are dates or ids

/// The number behind the word "rank" at `at` of a path in lower case.
std::optional<std::int64_t> rank_at(std::string_view path, std::size_t at) {
  if (at > 0 && is_letter(path[at - 1])) return std::nullopt;
  std::string_view rest = path.substr(at + word.size());
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '_' || rest.front() == '=')) rest.remove_prefix(1);
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
  const std::string_view digits = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  if (digits.empty() || digits.size() > most_digits || (end != rest.end() && is_letter(*end))) return std::nullopt;
  return parse_number<std::int64_t>(digits);
}

}  // namespace

std::optional<std::int64_t> rank_in_name(std::string_view path) {
  const std::string name = lower(path);
  for (std::size_t at = name.rfind(word); at != std::string::npos; at = at == 0 ? at : name.rfind(word, at - 1)) {
    if (const auto rank = rank_at(name, at)) return rank;
    if (at == 0) break;
  }
  return std::nullopt;
}

}  // namespace kdiag
