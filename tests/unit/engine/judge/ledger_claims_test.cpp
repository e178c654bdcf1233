// SPDX-License-Identifier: Apache-2.0
// What add_one_off_costs makes of claims.
#include <memory>
#include <string>
#include <vector>

#include "engine/judge/ledger_claims.hpp"
#include "tests/catch.hpp"
#include "tests/support/stated_run.hpp"

using namespace kdiag;

namespace {

IntervalSet set_of(std::vector<Interval> intervals) { return IntervalSet::of(std::move(intervals)); }

/// Two ranks with a device 0 each, of which the first waits in two spans and the second in one.
class Account {
 public:
  Account() {
    for (std::int64_t rank = 0; rank < 2; ++rank) {
      LedgerEntry& entry = ledger.emplace_back();
      entry.rank = rank, entry.device = 0, entry.basis = LedgerBasis::timeline, entry.wall_ns = 1000;
      entry.lines = {line("compute", rank == 0 ? 600 : 700), line("idle.launch", 300), line("idle.runtime", 0)};
      if (rank == 0) entry.lines[2] = line("idle.runtime", 100);
    }
  }

  /// A rule that fired on the device of a rank.
  void fires(const std::string& id, std::uint32_t device, const IntervalSet& impact, const IntervalSet& once) {
    const std::size_t r = index_of(id);
    Judgement& judgement = judgements[r].emplace_back();
    judgement.subject = {.kind = SubjectKind::device, .row = device, .device = device, .rank = device};
    judgement.outcome = Outcome::fired;
    Draft& draft = judgement.draft.emplace();
    const Number length(impact.length());
    draft.impact = Claim{.amount = {length, length}, .intervals = std::make_shared<const IntervalSet>(impact)};
    if (!once.empty()) draft.one_off = OneOffTime{"once by " + id, once};
  }
  Finding finding(const std::string& id, std::uint32_t device = 0) const {
    Finding out;
    out.rule = id;
    out.subject.id = run.id(judgements[index_.at(id)][0].subject);
    for (const Judgement& judgement : judgements[index_.at(id)])
      if (judgement.subject.device == device) {
        out.subject.id = run.id(judgement.subject);
        out.impact_ns = judgement.draft->impact->amount.high.rounded();
        out.gain = GainEntry{.low_ns = {}, .high_ns = out.impact_ns, .basis = "union"};
      }
    return out;
  }
  void add() { add_one_off_costs(ledger, findings, run, idle_time(*store), rules, judgements); }

  static LedgerLine line(std::string name, std::int64_t ns) {
    return {.name = std::move(name), .ns = ns, .low_ns = ns, .share = {}, .rule = {}, .high_ns = {}};
  }

  std::shared_ptr<const FactStore> store = tests::stated_run(
      "ranks: [{id: 0}, {id: 1}]\n"
      "devices: [{id: 0, rank: 0}, {id: 0, rank: 1}]\n"
      "kernels: [{name: k, start: 0us, dur: 1ms, device: '0:0'}]\n"
      "idle: [{start: 100ns, dur: 300ns, device: '0:0', cause: launch}, {start: 500ns, dur: 100ns, device: '0:0', "
      "cause: runtime}, {start: 100ns, dur: 300ns, device: '1:0', cause: launch}]");
  RunContext run{*store};
  LoadedRules rules;
  std::vector<std::vector<Judgement>> judgements;
  std::vector<Finding> findings;
  std::vector<LedgerEntry> ledger;

 private:
  std::size_t index_of(const std::string& id) {
    const auto [place, is_new] = index_.emplace(id, judgements.size());
    if (is_new) {
      auto rule = std::make_shared<Rule>();
      rule->id = id;
      CheckedRule& checked = rules.rules.emplace_back();
      checked.own = rule;
      checked.rule = rule.get();
      judgements.emplace_back();
    }
    return place->second;
  }

  std::map<std::string, std::size_t> index_;
};

}  // namespace

TEST_CASE("of claims that overlap the first ranked has the time", "[engine][ledger]") {
  Account account;
  account.fires("a", 0, set_of({{100, 300}}), set_of({{100, 300}}));
  account.fires("b", 0, set_of({{200, 600}}), set_of({{200, 600}}));
  account.findings = {account.finding("a"), account.finding("b")};
  account.add();
  const LedgerEntry& entry = account.ledger[0];
  REQUIRE(entry.one_off.size() == 2);
  CHECK(entry.one_off[0].rule == "a");
  CHECK(entry.one_off[0].what == "once by a");
  CHECK(entry.one_off[0].ns == 200);
  CHECK(entry.one_off[1].ns == 200);  // the device works from 400 to 500
  CHECK(entry.rest_ns == 600);
  CHECK(entry.lines[0].rest_ns == 600);
  CHECK(entry.lines[1].rest_ns == 0);
  CHECK(entry.lines[2].rest_ns == 0);
  CHECK(account.findings[0].paid_once);
  CHECK_FALSE(account.findings[1].paid_once);  // 100 ns of it are work
  REQUIRE(account.findings[1].without_one_off.has_value());
  CHECK(account.findings[1].without_one_off->impact_ns == 100);
  CHECK(account.findings[1].without_one_off->wall_ns == 600);
  CHECK(account.findings[1].gain->high_ns == 100);  // the rest was the first finding's cost
}

TEST_CASE("what is not paid once is a share of the rest, whatever claims it", "[engine][ledger]") {
  Account account;
  account.fires("once", 0, set_of({{100, 400}}), set_of({{100, 400}}));
  account.fires("again", 0, set_of({{500, 600}}), {});
  account.fires("kernels", 0, set_of({{0, 200}}), {});
  account.judgements[2][0].draft->impact->intervals = nullptr;
  account.fires("elsewhere", 1, set_of({{100, 400}}), {});
  account.findings = {account.finding("once"), account.finding("again"), account.finding("kernels"),
                      account.finding("elsewhere", 1)};
  account.add();
  CHECK(account.findings[0].paid_once);
  REQUIRE(account.findings[1].without_one_off.has_value());
  CHECK(account.findings[1].without_one_off->impact_ns == account.findings[1].impact_ns);
  CHECK(account.findings[1].without_one_off->wall_ns == 700);
  CHECK(account.findings[1].gain->high_ns == account.findings[1].impact_ns);
  CHECK_FALSE(account.findings[2].without_one_off.has_value());  // it is not known when
  CHECK_FALSE(account.findings[3].without_one_off.has_value());  // its device pays nothing once
}

TEST_CASE("a device is told by its rank, and the subjects of a rule on it are one cost", "[engine][ledger]") {
  Account account;
  account.fires("a", 1, set_of({{100, 150}}), set_of({{100, 150}}));
  account.fires("a", 1, set_of({{200, 250}}), set_of({{200, 250}}));
  account.findings = {account.finding("a", 1)};
  account.add();
  CHECK(account.ledger[0].one_off.empty());
  CHECK_FALSE(account.ledger[0].rest_ns.has_value());
  REQUIRE(account.ledger[1].one_off.size() == 1);
  CHECK(account.ledger[1].one_off[0].ns == 100);
  CHECK(account.ledger[1].rest_ns == 900);
}

TEST_CASE("a symptom claims nothing of what its cause explains and does not claim", "[engine][ledger]") {
  Account account;
  account.fires("symptom", 0, set_of({{100, 400}}), set_of({{100, 400}}));
  SECTION("a cause that comes again") {
    account.fires("cause", 0, set_of({{150, 400}}), {});
    account.findings = {account.finding("cause")};
  }
  SECTION("a cause of which a part is paid once: that is the cause's cost") {
    account.fires("cause", 0, set_of({{150, 400}}), set_of({{150, 200}}));
    account.findings = {account.finding("cause")};
  }
  SECTION("the cause of its cause") {
    account.fires("middle", 0, set_of({{100, 400}}), set_of({{100, 400}}));
    account.fires("cause", 0, set_of({{150, 400}}), {});
    account.findings = {account.finding("cause")};
    account.findings[0].symptoms = {account.finding("middle")};
  }
  std::vector<Finding>* inner = &account.findings[0].symptoms;
  if (!inner->empty()) inner = &inner->front().symptoms;
  inner->push_back(account.finding("symptom"));
  account.add();
  std::int64_t paid = 0;
  for (const OneOffCost& cost : account.ledger[0].one_off) paid += cost.ns;
  const bool part = account.ledger[0].one_off.front().rule == "cause";
  CHECK(paid == (part ? 100 : 50));
  CHECK(account.ledger[0].rest_ns == 1000 - paid);
  CHECK_FALSE(account.findings[0].paid_once);
  CHECK_FALSE(inner->front().paid_once);
}

TEST_CASE("a symptom of a cause whose time is not known claims nothing", "[engine][ledger]") {
  Account account;
  account.fires("cause", 0, set_of({{150, 400}}), {});
  account.judgements[0][0].draft->impact->intervals = nullptr;
  account.fires("symptom", 0, set_of({{100, 400}}), set_of({{100, 400}}));
  account.findings = {account.finding("cause")};
  account.findings[0].symptoms = {account.finding("symptom")};
  account.add();
  CHECK(account.ledger[0].one_off.empty());
}

TEST_CASE("an account without intervals, and one without devices, has no one-off costs", "[engine][ledger]") {
  Account account;
  account.fires("a", 0, set_of({{100, 300}}), set_of({{100, 300}}));
  account.findings = {account.finding("a")};
  SECTION("stated phases") { account.ledger[0].basis = LedgerBasis::phases; }
  SECTION("serial device time") { account.ledger[0].basis = LedgerBasis::serial; }
  SECTION("no account at all") { account.ledger.clear(); }
  account.add();
  for (const LedgerEntry& entry : account.ledger) CHECK(entry.one_off.empty());
  CHECK_FALSE(account.findings[0].paid_once);
}

TEST_CASE("a wall that is paid once leaves nothing", "[engine][ledger]") {
  Account account;
  account.fires("a", 1, set_of({{100, 400}}), set_of({{100, 400}}));
  account.findings = {account.finding("a", 1)};
  account.ledger[1].wall_ns = 300;
  account.ledger[1].lines = {Account::line("idle.launch", 300)};
  account.add();
  CHECK(account.ledger[1].rest_ns == 0);
  CHECK(account.ledger[1].lines[0].rest_ns == 0);
  CHECK(account.findings[0].paid_once);
}
