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

}  // namespace

void discount_by_health(const LoadedRules& rules, std::vector<std::vector<Judgement>>& judgements) {
  std::set<const Judgement*> halved;
  for (std::size_t d = 0; d < judgements.size(); ++d) {
    if (!any_fired(judgements[d])) continue;
    const std::vector<TableId>& doubts = rules.rules[d].finding().doubts;
    if (doubts.empty()) continue;
    std::vector<std::string> concerned;
    for (std::size_t r = 0; r < judgements.size(); ++r) {
      if (rules.rules[r].rule->role == RuleRole::health || !any_fired(judgements[r])) continue;
      const RuleReads reads = rule_reads(rules.rules[r], rules);
      if (std::none_of(doubts.begin(), doubts.end(), [&](TableId table) { return reads.tables[table.index]; }))
        continue;
      bool concerns = false;
      for (Judgement& judgement : judgements[r]) {
        const auto doubts_it = [&](const Judgement& doubt) {
          return fired(doubt) && overlap(doubt.subject, judgement.subject);
        };
        if (!fired(judgement) || std::none_of(judgements[d].begin(), judgements[d].end(), doubts_it)) continue;
        concerns = true;
        if (halved.insert(&judgement).second) judgement.draft->confidence *= doubted;
      }
      if (concerns) concerned.push_back(rules.rules[r].rule->id);
    }
    if (concerned.empty()) continue;
    std::vector<std::string> tables;
    for (const TableId table : doubts) tables.push_back("`" + std::string(info(table).name) + "`");
    for (Judgement& judgement : judgements[d])
      if (fired(judgement))
        judgement.draft->message += " What rests on " + listed(tables) + " counts for half: " + listed(concerned) + ".";
  }
}

}  // namespace kdiag
