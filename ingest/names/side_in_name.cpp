// SPDX-License-Identifier: Apache-2.0
#include "ingest/names/side_in_name.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "base/ascii.hpp"

namespace kdiag {
namespace {

constexpr std::string_view normal_words[] = {"normal",      "before",    "base",    "baseline", "good",  "old",
                                             "ref",         "reference", "healthy", "control",  "orig",  "original",
                                             "expected",    "pre",       "prior",   "previous", "naive", "unoptimized",
                                             "unoptimised", "unfused",   "eager",   "serial"};
constexpr std::string_view abnormal_words[] = {"abnormal",   "after",    "test",    "new",    "candidate", "cand",
                                               "bad",        "faulty",   "fault",   "broken", "unhealthy", "current",
                                               "experiment", "actual",   "post",    "fixed",  "optimized", "optimised",
                                               "fused",      "compiled", "parallel"};

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// Runs of letters, in small letters; a capital after a small letter begins another one.
std::vector<std::string> words_in_name(std::string_view name) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < name.size(); ++at) {
    if (!is_letter(name[at])) continue;
    const bool begins = at == 0 || !is_letter(name[at - 1]) || (is_capital(name[at]) && !is_capital(name[at - 1]));
    if (begins) words.emplace_back();
    words.back() += static_cast<char>(is_capital(name[at]) ? name[at] - 'A' + 'a' : name[at]);
  }
  return words;
}

template <std::size_t size>
bool says_any(const std::vector<std::string>& words, const std::string_view (&known)[size]) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    return std::find(std::begin(known), std::end(known), word) != std::end(known);
  });
}

}  // namespace

NamedSide side_in_name(std::string_view name) {
  const std::vector<std::string> words = words_in_name(name);
  const bool normal = says_any(words, normal_words), abnormal = says_any(words, abnormal_words);
  if (normal == abnormal) return NamedSide::unknown;
  return normal ? NamedSide::normal : NamedSide::abnormal;
}

NamedOrder order_in_names(std::string_view first, std::string_view second) {
  // What both have in common says nothing, such as the folder "test_runs". A name is cut at a slash, not inside a word.
  const auto differ = std::mismatch(first.begin(), first.end(), second.begin(), second.end());
  const std::size_t slash = first.substr(0, static_cast<std::size_t>(differ.first - first.begin())).rfind('/');
  const std::size_t common = slash == std::string_view::npos ? 0 : slash + 1;
  const NamedSide one = side_in_name(first.substr(common)), other = side_in_name(second.substr(common));
  if (one == other) return NamedOrder::unknown;
  const bool normal_first = one == NamedSide::normal || other == NamedSide::abnormal;
  return normal_first ? NamedOrder::as_given : NamedOrder::reversed;
}

}  // namespace kdiag
