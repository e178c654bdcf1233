// SPDX-License-Identifier: Apache-2.0
#include "report/text/unresolved.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "base/escape.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/plan_phrases.hpp"
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

/// "7 rules, 5 of them (launch.overhead, ...)".
std::string who_phrase(std::size_t rules, const std::vector<std::string>& some) {
  if (rules == 1) return some.front();
  const std::string of = rules == some.size() ? std::string() : ", " + std::to_string(some.size()) + " of them";
  return counted(rules, "rule") + of + " (" + some.front() + (some.size() > 1 ? ", ...)" : ")");
}

/// The first words of a text, up to about so many characters.
std::string begin_of(const std::string& text, std::size_t longest) {
  if (text.size() <= longest) return text;
  const std::size_t end = text.rfind(' ', longest);
  return end == std::string::npos ? shorten_middle(text, longest) : text.substr(0, end) + " ...";
}

/// What can be said, from much to little: the recording itself, the plan that says it, the number alone.
std::vector<std::string> planned_phrases(const RunPlan& plan, std::size_t rules) {
  const std::string alone = counted(rules, "rule") + "; kdiag plan says what to record.";
  const PlannedRecording& best = plan.recordings.front();
  if (best.settles.empty()) return {alone};  // what it brings is of use with another recording only
  const std::string who = who_phrase(rules, best.settles);
  const std::string missing = who + ": " + missing_phrase(missing_of(best), {});
  std::vector<std::string> phrases = {missing + ". Record: " + recording_phrase(best) + " · more: kdiag plan",
                                      who + ". Record: " + recording_phrase(best) + " · more: kdiag plan",
                                      missing + ". Record: " + best.how + " · how: kdiag plan",
                                      who + ". Record: " + best.how + " · how: kdiag plan"};
  for (const std::size_t longest : {80, 60, 40}) {
    const std::string begin = ". Record: " + begin_of(best.how, longest) + " · how: kdiag plan";
    for (const std::string& lead : {missing, who}) phrases.push_back(lead + begin);
  }
  phrases.push_back(alone);
  return phrases;
}

/// The same where nothing was planned: what the first rules miss.
std::vector<std::string> unplanned_phrases(const std::vector<Unresolved>& groups, std::size_t rules) {
  const auto recordable = std::find_if(groups.begin(), groups.end(), [](const Unresolved& group) {
    return !group.missing.empty() && !group.missing.front().how_to_record.empty();
  });
  const Unresolved& best = recordable == groups.end() ? groups.front() : *recordable;
  const std::string who = who_phrase(rules, best.rules);
  const std::string explain = "; kdiag explain " + best.rules.front() + " says what it needs.";
  return {who + ": " + unresolved_phrase(best, false) + (groups.size() > 1 ? " · all: --all" : ""),
          who + ": " + missing_phrase(first_missing(best), best.reason) + explain, counted(rules, "rule") + explain};
}

std::vector<std::string> short_phrases(const RunView& view) {
  std::size_t rules = 0;
  for (const Unresolved& group : view.unresolved) rules += group.rules.size();
  return view.plan != nullptr ? planned_phrases(*view.plan, rules) : unplanned_phrases(view.unresolved, rules);
}

}  // namespace

void print_unresolved(Page& page, const RunView& view, bool all) {
  if (view.unresolved.empty()) return;
  if (all) return print_groups(page, view.unresolved);
  const std::size_t width = page.width() - section_column;
  std::vector<std::string> words;
  for (const std::string& phrase : short_phrases(view)) {
    words = words_of(phrase);
    if (wrap(words, width, width).size() <= longest_summary) break;
  }
  page.field("cannot tell", 1, section_column, words, Style::strong);
}

}  // namespace kdiag::report
