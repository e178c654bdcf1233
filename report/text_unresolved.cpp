// SPDX-License-Identifier: Apache-2.0
#include "report/text_unresolved.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "report/phrases/phrases.hpp"
#include "report/phrases/table.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t longest_summary = 2;

void print_groups(Page& page, const std::vector<Unresolved>& groups) {
  std::string_view section = "cannot tell";
  for (const Unresolved& group : groups) {
    page.field(section, 1, section_column, words_of(join(group.rules, ", ") + ": " + unresolved_phrase(group, true)),
               Style::strong);
    section = "";
  }
  page.field("", 1, section_column, words_of("kdiag explain RULE says what a rule needs."));
}

/// What can be said, from much to little: the recording itself, the rule that explains it, the number alone.
std::vector<std::string> short_phrases(const std::vector<Unresolved>& groups) {
  std::size_t rules = 0;
  for (const Unresolved& group : groups) rules += group.rules.size();
  const auto recordable = std::find_if(groups.begin(), groups.end(), [](const Unresolved& group) {
    return !group.missing.empty() && !group.missing.front().how_to_record.empty();
  });
  const Unresolved& best = recordable == groups.end() ? groups.front() : *recordable;
  const std::string of =
      rules == best.rules.size() ? std::string() : ", " + std::to_string(best.rules.size()) + " of them";
  const std::string who =
      rules == 1 ? best.rules.front()
                 : counted(rules, "rule") + of + " (" + best.rules.front() + (best.rules.size() > 1 ? ", ...)" : ")");
  const std::string explain = "; kdiag explain " + best.rules.front() + " says what to record.";
  return {who + ": " + unresolved_phrase(best, false) + (groups.size() > 1 ? " · all: --all" : ""),
          who + ": " + missing_phrase(first_missing(best), best.reason) + explain, counted(rules, "rule") + explain};
}

}  // namespace

void print_unresolved(Page& page, const RunView& view, bool all) {
  if (view.unresolved.empty()) return;
  if (all) return print_groups(page, view.unresolved);
  const std::size_t width = page.width() - section_column;
  std::vector<std::string> words;
  for (const std::string& phrase : short_phrases(view.unresolved)) {
    words = words_of(phrase);
    if (wrap(words, width, width).size() <= longest_summary) break;
  }
  page.field("cannot tell", 1, section_column, words, Style::strong);
}

}  // namespace kdiag::report
