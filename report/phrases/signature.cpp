// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/signature.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/names/function_name.hpp"
#include "base/utf8.hpp"

namespace kdiag::report {
namespace {

/// Of each text how many bytes it has in common with the one most like it among other texts of the same short form;
/// nothing where all of that form are the same. In sorted order that one is a neighbour.
std::vector<std::optional<std::size_t>> likeness(const std::vector<std::string>& texts,
                                                 const std::vector<std::string>& forms, const StopCheck& stop_check) {
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return std::tie(forms[i], texts[i]); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    check_stop(stop_check);
    return key(a) < key(b);
  });
  std::vector<std::optional<std::size_t>> out(texts.size());
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    const std::size_t i = order[from];
    while (to < order.size() && key(order[to]) == key(i)) ++to;
    const auto compare = [&](std::size_t other) {
      if (forms[other] != forms[i]) return;
      const auto end = std::mismatch(texts[i].begin(), texts[i].end(), texts[other].begin(), texts[other].end()).first;
      out[i] = std::max(out[i].value_or(0), static_cast<std::size_t>(end - texts[i].begin()));
    };
    if (from > 0) compare(order[from - 1]);
    if (to < order.size()) compare(order[to]);
    for (std::size_t same = from + 1; same < to; ++same) out[order[same]] = out[i];
  }
  return out;
}

/// The type that the first lambda with a parameter takes, which is that of a loop's elements: "Half" of
/// `...::{lambda()#10}::operator()() const::{lambda(c10::Half)#1}`. Empty where no lambda takes anything.
std::string_view lambda_type(std::string_view signature) {
  constexpr std::string_view opening = "{lambda(";
  for (std::size_t at = signature.find(opening); at != signature.npos; at = signature.find(opening, at)) {
    at += opening.size();
    const std::string_view type = signature.substr(at, signature.find_first_of(",)", at) - at);
    if (!type.empty()) return type.substr(type.substr(0, type.find('<')).rfind(':') + 1);  // npos + 1 is 0
  }
  return {};
}

/// Of each text the type of its lambda where no other text of the same short form has that type.
std::vector<std::string_view> telling_types(const std::vector<std::string>& texts,
                                            const std::vector<std::string>& forms) {
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> only;
  std::vector<std::string_view> types;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    types.push_back(lambda_type(texts[i]));
    const auto [first, added] = only.try_emplace({forms[i], types[i]}, texts[i]);
    if (!added && first->second != texts[i]) first->second = {};
  }
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (only.at({forms[i], types[i]}).empty()) types[i] = {};
  return types;
}

}  // namespace

std::string shorten_signature(std::string_view text, std::size_t limit) {
  if (count_code_points(text) <= limit) return std::string(text);
  const std::string name = spoken_name(text);
  const std::size_t scope = name.rfind("::");
  const std::string own = scope == std::string::npos ? name : name.substr(scope + 2);
  for (const std::string& part : {name, own})
    if (!part.empty() && count_code_points(part) <= limit) return part;
  // Of a loop what it does to each element says more than the loop.
  const std::string done = own.substr(std::min(own.find('<'), own.size()));
  constexpr std::size_t least = 6;
  if (!done.empty() && count_code_points(done) + least <= limit)
    return std::string(first_code_points(own, limit - 1 - count_code_points(done))) + "…" + done;
  return shorten_middle(own.empty() ? text : own, limit);
}

std::string shorten_name(std::string_view text, std::size_t limit) {
  return text.find('<') != std::string_view::npos ? shorten_signature(text, limit) : shorten_middle(text, limit);
}

std::vector<std::string> shorten_signatures(const std::vector<std::string>& texts, std::size_t limit,
                                            const StopCheck& stop_check) {
  constexpr std::size_t least = 12;  // code points that say something of a name, and of a difference
  std::vector<std::string> out;
  for (const std::string& text : texts) {
    check_stop(stop_check);
    out.push_back(shorten_signature(text, limit));
  }
  const std::vector<std::string> plain = out;
  const std::vector<std::optional<std::size_t>> alike = likeness(texts, plain, stop_check);
  const std::vector<std::string_view> types = telling_types(texts, plain);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    check_stop(stop_check);
    if (!alike[i] || *alike[i] >= texts[i].size()) continue;
    std::size_t common = *alike[i];
    // From the start of the word in which they differ; within one long word from shortly before.
    const std::size_t first = common;
    while (common > 0 && is_word(texts[i][common - 1])) --common;
    if (first - common > limit / 2) common = first - least / 2;
    std::size_t end = common;
    while (end < texts[i].size() && is_word(texts[i][end])) ++end;
    std::string_view difference = std::string_view(texts[i]).substr(common, end - common);
    // A number or a sign says little: the type of a loop's elements says more, and so does what follows.
    if (difference.size() < least / 2)
      difference = types[i].empty() ? std::string_view(texts[i]).substr(common) : types[i];
    if (limit < 2 * least) continue;
    const std::size_t room = limit - 1 - std::min(count_code_points(difference), limit / 2);
    const bool is_loop = plain[i].ends_with('>');  // what it does stands at the end
    const std::string name =
        is_loop ? shorten_signature(texts[i], room) : std::string(first_code_points(plain[i], room));
    out[i] = name + "…" + std::string(first_code_points(difference, limit - 1 - count_code_points(name)));
  }
  return out;
}

}  // namespace kdiag::report
