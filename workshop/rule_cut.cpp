// SPDX-License-Identifier: Apache-2.0
// Cuts the smallest facts out of a trace that keep what a rule says of it: delta debugging (Zeller and Hildebrandt
// 2002) over windows of time, rows, tables and columns.
#include <kdiag/refusal_ids.hpp>
#include <kdiag/tools.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>

#include "base/diagnostic.hpp"
#include "base/interrupt.hpp"
#include "engine/judge/diagnose.hpp"
#include "engine/ruleset/rule_reads.hpp"
#include "ingest/reading.hpp"
#include "packs/find_rule.hpp"
#include "workshop/fact_cut.hpp"
#include "workshop/stated_facts.hpp"

namespace kdiag {
namespace {

// What one cut may cost (judgement: some seconds). Counted work, so that the same trace gives the same test.
constexpr std::size_t most_evaluations = 1500;
constexpr std::size_t most_rows_evaluated = 300'000;
constexpr std::size_t most_rows_of_a_test = 200'000;

/// What the rule says, as far as the cut must keep it.
struct RuleVerdict {
  Outcome outcome = Outcome::not_applicable;
  Severity severity = Severity::info;
  std::optional<std::int64_t> impact_ns;
  std::set<std::string> missing;
  std::set<Outcome> outcomes;                 ///< of all subjects
  std::optional<std::int64_t> first_instant;  ///< of the finding's time
};

const Finding* find_finding(const std::vector<Finding>& findings, const std::string& rule) {
  for (const Finding& finding : findings) {
    if (finding.rule == rule) return &finding;
    if (const Finding* below = find_finding(finding.symptoms, rule)) return below;
  }
  return nullptr;
}

/// The run that is judged and, unless null, the one that it is compared with.
struct TestStores {
  std::shared_ptr<const FactStore> judged, baseline;
};

std::shared_ptr<LoadedFacts> one_run(std::shared_ptr<const FactStore> store) {
  auto facts = std::make_shared<LoadedFacts>();
  facts->runs.push_back({.id = "A", .label = "test", .store = std::move(store), .inputs = {}, .ledger = {}});
  return facts;
}

/// Throws Interrupted once `cancel` is true.
RuleVerdict verdict_of(const TestStores& sides, const LoadedRules& rules, const std::string& rule, CancelFlag cancel) {
  DiagnoseOptions options{.threads = 1, .cancel = cancel};
  if (sides.baseline) options.baseline.emplace(Shared<LoadedFacts>(one_run(sides.baseline)));
  const Report report = diagnose_runs(*one_run(sides.judged), rules, options, {}, Caps::ignored);  // as tests do
  stop_if(cancel);  // the report is a part of it
  RuleVerdict out;
  for (const OutcomeEntry& outcome : report.outcomes) {
    if (outcome.rule != rule) continue;
    out.outcome = std::min(out.outcome, outcome.outcome);
    out.outcomes.insert(outcome.outcome);
    if (outcome.outcome == Outcome::inconclusive)
      for (const MissingEntry& fact : outcome.missing) out.missing.insert(fact.fact);
  }
  if (out.outcome != Outcome::inconclusive) out.missing.clear();
  if (const Finding* finding = find_finding(report.findings, rule)) {
    out.severity = finding->severity;
    out.impact_ns = finding->impact_ns;
    if (!finding->intervals.empty()) out.first_instant = finding->intervals.front().first;
  }
  return out;
}

/// The same outcome for the same reasons, and none that no subject had; the impact of the same order of magnitude.
bool keeps(const RuleVerdict& wanted, const RuleVerdict& got) {
  if (wanted.outcome != got.outcome || wanted.missing != got.missing) return false;
  if (!std::includes(wanted.outcomes.begin(), wanted.outcomes.end(), got.outcomes.begin(), got.outcomes.end()))
    return false;
  if (wanted.outcome != Outcome::fired) return true;
  if (wanted.severity != got.severity || wanted.impact_ns.has_value() != got.impact_ns.has_value()) return false;
  if (!wanted.impact_ns) return true;
  const auto a = static_cast<double>(*wanted.impact_ns);
  const auto b = static_cast<double>(*got.impact_ns);
  return b * 10 >= a && b <= a * 10;
}

/// The rule alone: others, which may explain it, are not asked while facts are cut.
LoadedRules only(const LoadedRules& rules, const CheckedRule& rule) {
  LoadedRules out = rules;
  out.rules = {rule};
  out.rules.front().active = true;
  out.causes_of.assign(1, {});
  return out;
}

/// Cuts one side of what is judged; the other stays as it is.
class Cutter {
 public:
  Cutter(TestStores sides, TestRun run, const LoadedRules& rules, const CheckedRule& rule, RuleVerdict wanted,
         CancelFlag cancel)
      : sides_(std::move(sides)),
        run_(run),
        store_(run == TestRun::judged ? *sides_.judged : *sides_.baseline),
        rules_(only(rules, rule)),
        id_(rule.rule->id),
        wanted_(std::move(wanted)),
        cancel_(cancel) {
    if (run == TestRun::baseline) wanted_.first_instant.reset();  // that of the other run
  }

  /// Starts from what the rule reads; false when the facts alone do not give the verdict.
  bool start(const RuleReads& reads, const SubjectSpec& subject) {
    choose(reads, subject);
    for (int halvings = 6; halvings >= 0; --halvings)  // from a 64th of the time to all of it
      if (try_cut(window(full_, halvings))) return true;
    full_.columns.assign(full_.columns.size(), true);  // perhaps by a column that only the engine reads
    return try_cut(full_);
  }

  /// What takes most away is tried first, since every try costs as much as there are rows.
  void shrink() {
    drop_devices();
    drop_tables();
    drop_columns();
    for (std::size_t t = 0; t < best_.tables.size(); ++t) merge_rows(t);
    for (std::size_t t = 0; t < best_.tables.size(); ++t) drop_rows(t);
    for (std::size_t t = 0; t < best_.tables.size(); ++t) merge_rows(t);
    drop_tables();
    drop_columns();
  }

  const FactCut& best() const { return best_; }
  /// Both sides, the cut one as the test states it.
  const TestStores& best_sides() const { return best_facts_; }
  std::size_t rows_at_first() const { return full_.rows(); }
  bool merged() const {
    return std::any_of(best_.tables.begin(), best_.tables.end(), [](const CutTable& table) {
      return std::any_of(table.rows.begin(), table.rows.end(), [](const CutRow& row) { return row.dur.has_value(); });
    });
  }

 private:
  /// Tables that the rule goes through, and those that windows of time rest on; columns that it or the engine reads.
  void choose(const RuleReads& reads, const SubjectSpec& subject) {
    for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) {
      const TableTraits& traits = catalogue_tables[t].traits;
      if (traits.role == TableRole::run || traits.role == TableRole::note || !store_.present({t})) continue;
      if (!reads.tables[t] && !of_the_wall(traits.window) && t != subject.table.index) continue;
      CutTable table{.table = {t}, .rows = {}};
      table.rows.resize(store_.rows({t}));
      for (std::uint32_t i = 0; i < table.rows.size(); ++i) table.rows[i].row = i;
      full_.tables.push_back(std::move(table));
    }
    constexpr std::string_view implied[] = {"id",     "index",  "kind",   "start", "dur",  "time",  "value",
                                            "series", "device", "stream", "rank",  "step", "thread"};
    for (std::size_t c = 0; c < catalogue_columns.size(); ++c)
      full_.columns[c] = reads.columns[c] || std::find(std::begin(implied), std::end(implied),
                                                       catalogue_columns[c].name) != std::end(implied);
  }

  /// Tables from which the run's window may follow.
  bool of_the_wall(WindowSource source) const {
    switch (source) {
      case WindowSource::none: return false;
      case WindowSource::always: return true;
      case WindowSource::host: return store_.wall().basis == WallBasis::host;
      case WindowSource::telemetry: return store_.wall().basis == WallBasis::samples;
    }
    return false;
  }

  static ColumnId instants_of(TableId id) {
    const ColumnId start = find_column(info(id).name, "start");
    return start.valid() ? start : find_column(info(id).name, "time");
  }

  /// What begins in a part of the time: 1/2^halvings of it, from where the finding begins.
  FactCut window(const FactCut& from, int halvings) const {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const CutTable& table : from.tables)
      for (const std::int64_t at : times_of(table.table))
        if (at != absent_integer) {
          first = std::min(first, at);
          last = std::max(last, at);
        }
    if (halvings == 0 || first >= last) return from;
    const std::int64_t length = ((last - first) >> halvings) + 1;
    const std::int64_t begin = std::min(std::max(wanted_.first_instant.value_or(first), first), last - length + 1);
    FactCut out = from;
    for (CutTable& table : out.tables) {
      const auto times = times_of(table.table);
      if (times.empty()) continue;
      table.rows.erase(std::remove_if(table.rows.begin(), table.rows.end(),
                                      [&](const CutRow& row) {
                                        const std::int64_t at = times[row.row];
                                        return at != absent_integer && (at < begin || at - begin >= length);
                                      }),
                       table.rows.end());
    }
    return out;
  }

  std::span<const std::int64_t> times_of(TableId id) const {
    const ColumnId column = instants_of(id);
    return column.valid() ? store_.integers(column) : std::span<const std::int64_t>{};
  }

  /// Whether a cut keeps the verdict; it is the best one then.
  bool try_cut(FactCut cut) {
    const std::size_t rows = cut.rows();
    if (rows > most_rows_of_a_test || evaluations_ >= most_evaluations || rows_evaluated_ >= most_rows_evaluated)
      return false;
    ++evaluations_;
    rows_evaluated_ += rows;
    RuleTest test;
    test.facts = cut_facts(store_, cut);
    const auto facts = stated_facts(test);
    if (!facts) return false;
    TestStores sides = sides_;
    (run_ == TestRun::judged ? sides.judged : sides.baseline) = *facts;
    if (!keeps(wanted_, verdict_of(sides, rules_, id_, cancel_))) return false;
    best_ = std::move(cut);
    best_facts_ = std::move(sides);
    return true;
  }

  /// Devices with all that happened on them.
  void drop_devices() {
    const std::size_t devices = store_.rows(table("devices"));
    for (std::uint32_t device = 0; devices > 1 && device < devices; ++device) {
      FactCut cut = best_;
      for (CutTable& stated : cut.tables) {
        const ColumnId column = find_column(info(stated.table).name, "device");
        const bool refers = column.valid() && info(column).type == ColumnType::reference;
        if (!refers && !(stated.table == table("devices"))) continue;
        stated.rows.erase(std::remove_if(stated.rows.begin(), stated.rows.end(),
                                         [&](const CutRow& row) {
                                           return (refers ? store_.index(column, row.row) : row.row) == device;
                                         }),
                          stated.rows.end());
      }
      try_cut(std::move(cut));
    }
  }

  void drop_rows(std::size_t t) {
    for (std::size_t chunk = std::max<std::size_t>(best_.tables[t].rows.size() / 2, 1);; chunk /= 2) {
      for (std::size_t at = 0; at < best_.tables[t].rows.size();) {
        FactCut cut = best_;
        auto& rows = cut.tables[t].rows;
        const std::size_t end = std::min(at + chunk, rows.size());
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(at), rows.begin() + static_cast<std::ptrdiff_t>(end));
        if (!try_cut(std::move(cut))) at += chunk;
      }
      if (chunk == 1) return;
    }
  }

  void drop_tables() {
    for (std::size_t t = best_.tables.size(); t-- > 0;) {
      FactCut cut = best_;
      cut.tables.erase(cut.tables.begin() + static_cast<std::ptrdiff_t>(t));
      try_cut(std::move(cut));
    }
  }

  void drop_columns() {
    for (std::size_t c = 0; c < catalogue_columns.size(); ++c) {
      if (!best_.columns[c] || !shown(c)) continue;
      FactCut cut = best_;
      cut.columns[c] = false;
      try_cut(std::move(cut));
    }
  }

  /// Whether a column is in the test: others cost nothing.
  bool shown(std::size_t c) const {
    constexpr TableId come_with_others[] = {table("ops"), table("api"), table("frames"), table("comms")};
    const ColumnId column{static_cast<std::uint16_t>(c)};
    const TableId owner = table_of(column);
    const auto is_owner = [owner](TableId other) { return other == owner; };
    const bool stated = std::any_of(best_.tables.begin(), best_.tables.end(),
                                    [&](const CutTable& table) { return is_owner(table.table); });
    return (stated || std::any_of(std::begin(come_with_others), std::end(come_with_others), is_owner)) &&
           store_.has(column);
  }

  /// One row for several that follow each other and differ in nothing but their time: from the begin of the first to
  /// the end of the last, else as long as all of them together.
  void merge_rows(std::size_t t) {
    const ColumnId dur = find_column(info(best_.tables[t].table).name, "dur");
    if (!dur.valid() || store_.integers(dur).empty()) return;
    for (std::size_t chunk = std::max<std::size_t>(best_.tables[t].rows.size(), 2); chunk >= 2; chunk /= 2)
      for (std::size_t at = 0; at + 1 < best_.tables[t].rows.size();) {
        const std::size_t end = std::min(at + chunk, best_.tables[t].rows.size());
        const bool merged = alike(t, at, end) && (try_merge(t, at, end, true) || try_merge(t, at, end, false));
        at += merged ? 1 : chunk;
      }
  }

  bool try_merge(std::size_t t, std::size_t begin, std::size_t end, bool hull) {
    FactCut cut = best_;
    CutTable& table = cut.tables[t];
    const ColumnId dur = find_column(info(table.table).name, "dur");
    const auto times = times_of(table.table);
    const auto dur_of = [&](const CutRow& row) { return row.dur.value_or(store_.integer(dur, row.row)); };
    std::int64_t length = 0;
    if (hull) {
      if (times.empty()) return false;
      const CutRow& last = table.rows[end - 1];
      if (times[table.rows[begin].row] == absent_integer || times[last.row] == absent_integer) return false;
      length = add_times(add_times(times[last.row], dur_of(last)), -times[table.rows[begin].row]);
    } else {
      for (std::size_t i = begin; i < end; ++i) length = add_times(length, dur_of(table.rows[i]));
    }
    if (length < 0) return false;
    table.rows[begin].dur = length;
    table.rows.erase(table.rows.begin() + static_cast<std::ptrdiff_t>(begin) + 1,
                     table.rows.begin() + static_cast<std::ptrdiff_t>(end));
    return try_cut(std::move(cut));
  }

  /// Whether rows agree in all kept columns but their time, and have a duration.
  bool alike(std::size_t t, std::size_t begin, std::size_t end) const {
    const CutTable& table = best_.tables[t];
    const ColumnRange range = columns_of(table.table);
    for (std::size_t c = range.first; c < std::size_t{range.first} + range.count; ++c) {
      const ColumnId column{static_cast<std::uint16_t>(c)};
      const bool time = is_instant(info(column)) || info(column).name == "dur";
      if (!best_.columns[c] || (time && info(column).name != "dur")) continue;
      for (std::size_t i = begin; i < end; ++i) {
        const std::uint32_t a = table.rows[begin].row;
        const std::uint32_t b = table.rows[i].row;
        if (time ? store_.integer(column, b) == absent_integer : !same_value(column, a, b)) return false;
      }
    }
    return true;
  }

  bool same_value(ColumnId column, std::uint32_t a, std::uint32_t b) const {
    switch (info(column).type) {
      case ColumnType::integer: return store_.integer(column, a) == store_.integer(column, b);
      case ColumnType::small_integer: return store_.small(column, a) == store_.small(column, b);
      case ColumnType::real: return store_.real(column, a) == store_.real(column, b);
      default: return store_.index(column, a) == store_.index(column, b);
    }
  }

  const TestStores sides_;
  const TestRun run_;
  const FactStore& store_;
  const LoadedRules rules_;
  const std::string id_;
  RuleVerdict wanted_;
  const CancelFlag cancel_;
  FactCut full_;
  FactCut best_;
  TestStores best_facts_;
  std::size_t evaluations_ = 0;
  std::size_t rows_evaluated_ = 0;
};

/// "fired" with severity and range of impact, as a test states it.
std::string expectation(const RuleVerdict& verdict) {
  std::string out = "  expect: ";
  if (verdict.outcome == Outcome::inconclusive && !verdict.missing.empty()) {
    out += "{inconclusive: {missing: [";
    for (const std::string& fact : verdict.missing) out += (out.back() == '[' ? "" : ", ") + yaml_text(fact);
    return out + "]}}\n";
  }
  out += std::string(name_of(verdict.outcome)) + "\n";
  if (verdict.outcome != Outcome::fired) return out;
  out += "  severity: " + std::string(name_of(verdict.severity)) + "\n";
  if (verdict.impact_ns)  // a little room for what is rounded
    out += "  impact: [" + time_text(*verdict.impact_ns - *verdict.impact_ns / 100) + ", " +
           time_text(*verdict.impact_ns + *verdict.impact_ns / 100 + 1) + "]\n";
  return out;
}

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

Result<std::string> cut(const Facts& facts, const RuleSet& rules, std::string_view rule,
                        const DiagnoseOptions& options) {
  const Result<const CheckedRule*> checked = find_rule(rules, rule);
  if (!checked) return checked.error();
  const std::string& id = (*checked)->rule->id;
  const LoadedRules& loaded = rules.loaded().complete();
  const RuleReads reads = rule_reads(**checked, loaded);
  TestStores sides{facts.loaded().runs.front().store, {}};
  if (options.baseline) sides.baseline = options.baseline->loaded().runs.front().store;

  std::string text;  // of the facts, behind the name
  std::size_t rows = 0, rows_at_first = 0;
  bool merged = false;
  const RuleVerdict wanted = verdict_of(sides, only(loaded, **checked), id, options.cancel);
  for (const TestRun run : {TestRun::judged, TestRun::baseline}) {
    if (run == TestRun::baseline && !sides.baseline) continue;
    Cutter cutter(sides, run, loaded, **checked, wanted, options.cancel);
    if (!cutter.start(reads, (*checked)->subject)) {
      Diagnostic error;
      error.id = refusal_id::no_test_to_cut;
      error.title = "what '" + id + "' says of this trace does not come from facts that a test can state";
      error.help = "`kdiag explain " + id + "` shows what it rests on; a scope (--steps, --device) may make it smaller";
      return error;
    }
    cutter.shrink();
    const std::vector<TestTable> tables =
        cut_facts(run == TestRun::judged ? *sides.judged : *sides.baseline, cutter.best());
    text += facts_yaml(tables, run == TestRun::judged ? "facts" : "baseline", "  ");
    sides = cutter.best_sides();
    rows += cutter.best().rows();
    rows_at_first += cutter.rows_at_first();
    merged = merged || cutter.merged();
  }
  std::string name = "cut from";
  for (const InputEntry& input : facts.inputs()) name += " " + file_name(input.path);
  if (options.baseline) {
    name += " against";
    for (const InputEntry& input : options.baseline->inputs()) name += " " + file_name(input.path);
  }
  std::string size = std::to_string(rows) + " of " + std::to_string(rows_at_first) + " rows";
  if (merged) size += ", some of which stand for several alike";
  const std::string expected = expectation(verdict_of(sides, loaded, id, options.cancel));
  return "- name: " + yaml_text(name) + "  # " + size + "\n" + text + expected;
}

}  // namespace

Result<std::string> cut_test(const Facts& facts, const RuleSet& rules, std::string_view rule,
                             const DiagnoseOptions& options) {
  try {
    return cut(facts, rules, rule, options);
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "cutting a test was interrupted");
  }
}

}  // namespace kdiag
