// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/signature.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/ascii.hpp"
#include "base/escape.hpp"
#include "base/names/function_name.hpp"
#include "base/utf8.hpp"

namespace kdiag::report {
namespace {

/// Another text of the same short form, and how many bytes it has in common.
struct Like {
  std::size_t text = 0;
  std::size_t common = 0;
};

/// Of each text the one most like it; nothing where all of its short form are the same. In sorted order that one is a
/// neighbour.
std::vector<std::optional<Like>> likeness(const std::vector<std::string>& texts, const std::vector<std::string>& forms,
                                          const StopCheck& stop_check) {
  std::vector<std::size_t> order(texts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t i) { return std::tie(forms[i], texts[i]); };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    check_stop(stop_check);
    return key(a) < key(b);
  });
  std::vector<std::optional<Like>> out(texts.size());
  for (std::size_t from = 0, to = 0; from < order.size(); from = to) {
    const std::size_t i = order[from];
    while (to < order.size() && key(order[to]) == key(i)) ++to;
    const auto compare = [&](std::size_t other) {
      if (forms[other] != forms[i]) return;
      const auto end = std::mismatch(texts[i].begin(), texts[i].end(), texts[other].begin(), texts[other].end()).first;
      const auto common = static_cast<std::size_t>(end - texts[i].begin());
      if (!out[i] || common > out[i]->common) out[i] = Like{other, common};
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
    if (!type.empty()) return type.substr(type.rfind(':') + 1);  // npos + 1 is 0
  }
  return {};
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
  const std::vector<std::optional<Like>> alike = likeness(texts, plain, stop_check);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    check_stop(stop_check);
    if (!alike[i] || alike[i]->common >= texts[i].size()) continue;
    std::size_t common = alike[i]->common;
    // From the start of the word in which they differ; within one long word from shortly before.
    const std::size_t first = common;
    while (common > 0 && is_word(texts[i][common - 1])) --common;
    if (first - common > limit / 2) common = first - least / 2;
    std::size_t end = common;
    while (end < texts[i].size() && is_word(texts[i][end])) ++end;
    std::string_view difference = std::string_view(texts[i]).substr(common, end - common);
    // A number or a sign says little: what follows says more.
    if (difference.size() < least / 2) {
      difference = std::string_view(texts[i]).substr(common);
      const std::string_view type = lambda_type(difference);
      if (!type.empty() && type != lambda_type(std::string_view(texts[alike[i]->text]).substr(common)))
        difference = type;
    }
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
