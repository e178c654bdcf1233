// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/health_discount.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "engine/ruleset/rule_reads.hpp"

namespace kdiag {
namespace {

constexpr double doubted = 0.5;

bool fired(const Judgement& judgement) { return judgement.outcome == Outcome::fired; }

bool any_fired(const std::vector<Judgement>& judgements) {
  return std::any_of(judgements.begin(), judgements.end(), fired);
}

bool overlap(const Subject& a, const Subject& b) { return contains(a, b) || contains(b, a); }

/// "`idle` and `kernels`".
std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 < words.size() ? ", " : " and ";
    out += words[i];
  }
  return out;
}

/// Whether a fired finding of a rule on the recording concerns a judgement.
bool concerned_by(const Judgement& judgement, const std::vector<Judgement>& health) {
  return fired(judgement) && std::any_of(health.begin(), health.end(), [&](const Judgement& one) {
           return fired(one) && overlap(one.subject, judgement.subject);
         });
}

void say(std::vector<Judgement>& judgements, const std::string& sentence) {
  for (Judgement& judgement : judgements)
    if (fired(judgement)) judgement.draft->message += sentence;
}

using Judgements = std::vector<std::vector<Judgement>>;  // by rule index, then subject

/// `halved`: those that another rule on the recording has halved.
void doubt(std::size_t health, const LoadedRules& rules, Judgements& judgements, std::set<const Judgement*>& halved) {
  const std::vector<TableId>& doubts = rules.rules[health].finding().doubts;
  if (doubts.empty()) return;
  std::vector<std::string> concerned;
  for (std::size_t r = 0; r < judgements.size(); ++r) {
    if (rules.rules[r].rule->role == RuleRole::health || !any_fired(judgements[r])) continue;
    const RuleReads reads = rule_reads(rules.rules[r], rules);
    if (std::none_of(doubts.begin(), doubts.end(), [&](TableId table) { return reads.tables[table.index]; })) continue;
    bool concerns = false;
    for (Judgement& judgement : judgements[r]) {
      if (!concerned_by(judgement, judgements[health])) continue;
      concerns = true;
      if (halved.insert(&judgement).second) judgement.draft->confidence *= doubted;
    }
    if (concerns) concerned.push_back(rules.rules[r].rule->id);
  }
  if (concerned.empty()) return;
  std::vector<std::string> tables;
  for (const TableId table : doubts) tables.push_back("`" + std::string(info(table).name) + "`");
  say(judgements[health], " What rests on " + listed(tables) + " counts for half: " + listed(concerned) + ".");
}

void cap(std::size_t health, const LoadedRules& rules, Judgements& judgements) {
  const std::optional<Severity> most = rules.rules[health].finding().caps;
  if (!most) return;
  std::vector<std::string> capped;
  for (std::size_t r = 0; r < judgements.size(); ++r) {
    if (rules.rules[r].rule->role == RuleRole::health) continue;
    bool lowered = false;
    for (Judgement& judgement : judgements[r]) {
      if (!concerned_by(judgement, judgements[health]) || !judgement.draft->impact) continue;
      Draft& draft = *judgement.draft;
      draft.most_severe = std::min(draft.most_severe, *most);
      lowered = lowered || draft.severity > *most;
      draft.severity = std::min(draft.severity, draft.most_severe);
      draft.no_gain = true;  // shares that say nothing promise nothing
    }
    if (lowered) capped.push_back(rules.rules[r].rule->id);
  }
  if (capped.empty()) return;
  say(judgements[health],
      " Findings on its time are " + std::string(name_of(*most)) + " at most: " + listed(capped) + ".");
}

}  // namespace

void discount_by_health(const LoadedRules& rules, Judgements& judgements, Caps caps) {
  std::set<const Judgement*> halved;
  for (std::size_t r = 0; r < judgements.size(); ++r) {
    if (!any_fired(judgements[r])) continue;
    doubt(r, rules, judgements, halved);
    if (caps == Caps::hold) cap(r, rules, judgements);
  }
}

}  // namespace kdiag
