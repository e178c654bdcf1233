// SPDX-License-Identifier: Apache-2.0
#include "engine/language/plan_text.hpp"

#include <string_view>

namespace kdiag {

std::string whole_text_of(const Plan& plan) {
  if (plan.text == nullptr || plan.range.end > plan.text->text.size()) return {};
  std::string out;
  for (const char c : std::string_view(plan.text->text).substr(plan.range.begin, plan.range.end - plan.range.begin)) {
    const char printed = c == '\n' || c == '\t' ? ' ' : c;
    if (printed != ' ' || (!out.empty() && out.back() != ' ')) out += printed;
  }
  return out;
}

std::string text_of(const Plan& plan) {
  const std::string out = whole_text_of(plan);
  constexpr std::size_t longest = 100;
  return out.size() > longest ? out.substr(0, longest - 3) + "..." : out;
}

}  // namespace kdiag
