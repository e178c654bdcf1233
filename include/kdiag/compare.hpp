// SPDX-License-Identifier: Apache-2.0
// Two runs compared: which is slower, by how much more than they vary, where the difference went, and what became of
// the findings of the first. Plain data, as in report.hpp: the key `comparison` of the JSON report.
//
//     const std::string normal[] = {"normal.json"}, abnormal[] = {"abnormal.json"};
//     auto sides = kdiag::load_sides(normal, abnormal);
//     if (!sides) { std::cerr << kdiag::render(sides.error()); return 2; }
//     auto report = kdiag::compare(*sides, rules);
//     if (report) std::cout << kdiag::to_text(*report);
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/report.hpp>
#include <kdiag/result.hpp>

namespace kdiag {

enum class Verdict : std::uint8_t { regression, improvement, neutral, inconclusive };
KDIAG_API std::string_view name_of(Verdict verdict);

/// What is taken for one cycle of both runs; `run`: nothing repeats, `none`: no time is known.
enum class CycleBasis : std::uint8_t { none, steps, range, repetition, run };
/// Where the noise floor comes from: assumed when a side has too few cycles; runs: by which healthy runs differ from
/// each other; none where no change is known.
enum class FloorBasis : std::uint8_t { none, assumed, measured, runs };
/// What a difference of the runs is about. calls: what was called, and how often; work: how much of it, of which shape.
enum class DifferenceKind : std::uint8_t { setup, work, calls };
/// What differs. cost: the same operators (else kernels) ran as often, each took another time, so look at data, machine
/// and drivers before the program; work: others ran, or more often; none: neutral and the same.
enum class Nature : std::uint8_t { unknown, none, cost, work };
/// What the parts of a difference add up to.
enum class DividedTime : std::uint8_t { run, cycle };
/// What a change is of: a kernel, operator, runtime call, kind of copy, host range, or function of the input.
enum class ChangeKind : std::uint8_t { api, copy, function, kernel, op, range };
/// How it changed most. appeared, in JSON "new": only the abnormal run has it; gone: only the normal one.
enum class ChangeWay : std::uint8_t { appeared, gone, slower, faster, more_calls, fewer_calls };
/// What became of a finding. appeared, in JSON "new": only the abnormal run has it; moved: another rule took its place.
enum class Fate : std::uint8_t { gone, reduced, unchanged, worse, moved, not_comparable, appeared };
/// Their words in the JSON report; empty for `none` of CycleBasis and FloorBasis.
KDIAG_API std::string_view name_of(CycleBasis basis);
KDIAG_API std::string_view name_of(FloorBasis basis);
KDIAG_API std::string_view name_of(Nature nature);
KDIAG_API std::string_view name_of(DividedTime time);
KDIAG_API std::string_view name_of(ChangeKind kind);
KDIAG_API std::string_view name_of(ChangeWay way);
KDIAG_API std::string_view name_of(Fate fate);

/// A cycle that took much longer than the others of its run.
struct OutlierCycle {
  std::int64_t index = 0;  ///< step index, else place among the run's cycles
  std::int64_t ns = 0;
};

/// The cycles of one run.
struct CycleSide {
  std::int64_t count = 0;
  std::optional<std::int64_t> median_ns, mean_ns, p90_ns;  ///< p90: type 7, of at least 10 cycles
  std::vector<OutlierCycle> outliers;                      ///< they move the mean, not the median
  /// The first and the last, which are not among the others: at the edges of one of the runs a step stands out.
  std::vector<OutlierCycle> edges;
  std::vector<std::int64_t> times_ns;  ///< of every cycle, in order
  bool ordered = true;  ///< false: the input says neither when cycles were nor their numbers; indices are mere places
};

/// What a cycle of each run does, as whoever compares them says: 4,096 tokens in one, 16,384 in the other.
struct SamplesPerCycle {
  std::string unit;                 ///< tokens, images, ...
  double normal = 0, abnormal = 0;  ///< above 0
};

/// Cycle times of both runs. Shares are of the normal run's.
struct CycleEntry {
  CycleBasis basis = CycleBasis::none;
  std::string name;         ///< of the range or kernel that repeats, or of the function whose calls the steps are
  std::string name_normal;  ///< of the normal run's function, where it is another one
  /// Of an abnormal cycle over a normal one, where they are calls of different functions, `per` says that they do other
  /// amounts of work, or whole runs do the same work another number of times; times are of the smaller one.
  std::optional<double> work_ratio;
  std::optional<SamplesPerCycle> per;       ///< as CompareOptions has it
  std::optional<std::int64_t> normal_ns;    ///< median
  std::optional<std::int64_t> abnormal_ns;  ///< median
  std::optional<double> change;             ///< of the medians: +0.05 is 5 % longer
  std::optional<double> noise_floor;        ///< least change that is no noise
  FloorBasis floor_basis = FloorBasis::none;
  std::optional<double> p;                         ///< Mann-Whitney, two-sided; unknown with too few cycles
  std::optional<double> mean_change, tail_change;  ///< of the means and of the 90th percentiles
  /// Of cycles that go up and down together in both runs: the median of the changes pair by pair, as a share, and its
  /// p.
  std::optional<double> paired_change, paired_p;
  /// By how much all cycles shifted (Hodges-Lehmann), as a share of the normal median; of eight cycles and more a side.
  std::optional<double> shift_change;
  CycleSide normal, abnormal;
};

/// Something in which the runs differ beside their speed.
struct DifferenceEntry {
  std::string what;              ///< device, kernels, shapes, ...
  std::string normal, abnormal;  ///< as people read them
  double weight = 0;             ///< what it takes from the score, 0..1
  DifferenceKind kind = DifferenceKind::setup;
};

struct ComparabilityEntry {
  double score = 1;      ///< product of (1 - weight)
  std::string obstacle;  ///< what forbids a verdict, in a sentence; empty: nothing does
  std::string record;    ///< what to do then
  std::vector<DifferenceEntry> differences;
};

/// A part of the difference of the mean cycle (of the whole runs when nothing repeats). Parts add up exactly.
struct DecompositionEntry {
  std::string name;  ///< of a ledger line: compute, idle.host_sync, ...; of a part of compute: new, gone, ...
  std::int64_t delta_ns = 0;
  /// Of the whole difference; absent when that is less than a thousandth of the cycle, or the verdict is neutral.
  std::optional<double> share;
  std::optional<std::int64_t> normal_ns, abnormal_ns;  ///< of ledger lines
  std::vector<DecompositionEntry> parts;               ///< of compute: new, gone, calls, per_call, overlap
  /// Of ledger lines: neutral when it varies by as much from cycle to cycle; inconclusive with the whole.
  std::optional<Verdict> verdict;
  /// Of its own times in the cycles of both runs, where these are known: by how much a cycle's time shifted
  /// (Hodges-Lehmann), the p of the rank test, and its q among all parts. Absent where the floor of the cycle decided.
  std::optional<std::int64_t> shift_ns;
  std::optional<double> p, q;
};

/// What is divided: the ledger of one device in both runs.
struct DecompositionBasis {
  DividedTime of = DividedTime::run;         ///< the mean cycle, or the run
  LedgerBasis basis = LedgerBasis::none;     ///< the ledgers'; none when there are none to compare
  std::optional<std::int64_t> rank, device;  ///< in the abnormal run
  std::int64_t normal_ns = 0, abnormal_ns = 0;
  std::int64_t delta_ns = 0;  ///< what the parts add up to
};

/// A kernel, operator, call, host range or kind of copy in both runs, per cycle.
struct ChangeEntry {
  ChangeKind kind{};
  std::string name;  ///< of the abnormal run, else of the normal one
  ChangeWay change{};
  double calls_normal = 0, calls_abnormal = 0;             ///< per cycle
  std::optional<double> mean_normal_ns, mean_abnormal_ns;  ///< per call
  std::int64_t delta_ns = 0;                               ///< of the total per cycle
  bool waits = false;  ///< it waits for the device, so that it tells what the device took, and nothing of its own
};

/// What became of a finding of the normal run, or one that only the abnormal run has.
struct FindingChange {
  std::string rule, title;
  SubjectEntry subject;
  Fate fate{};
  std::string to;      ///< moved: the rule that took its place
  std::string reason;  ///< why it cannot be compared
  /// Impact per cycle; where the rule does not fire that by its own measure, if it says one.
  std::optional<std::int64_t> before_ns, after_ns;
  std::optional<std::int64_t> predicted_low_ns, predicted_high_ns;  ///< gain per cycle that it promised
  std::optional<std::int64_t> achieved_ns;                          ///< by which its impact fell, per cycle
  std::optional<std::int64_t> gained_ns;                            ///< of that, what the mean cycle gained at most
  std::optional<bool> within_noise;  ///< new, worse, moved: grew by no more than the noise floor of the cycle
  std::string verify;                ///< expression of its first recommendation with one
  std::optional<bool> verified;      ///< on the abnormal run; absent when unknown
  std::string verify_text;  ///< what verify found there and asks for, as people read it: "54.3 %, at least 60 % asked"
};

/// One function, metric and device of both runs: seed data and statistics of function_comparison.
struct FunctionEntry {
  std::string function, metric, device;
  std::optional<double> suspicion, beta_normal, beta_abnormal, z_beta, p_beta, u_beta;  ///< beta: share of the cycle
  std::optional<double> mu_normal, mu_abnormal, z_mu, z_log_mu, p_mu, u_mu;             ///< mu: mean of the metric
  std::optional<double> q, effect;
  // What docs/comparison-statistics.md says of the columns of `comparisons` with these names.
  std::optional<double> beta_change_low, beta_change_high, mu_change_low, mu_change_high;
  std::optional<double> q_mu, effect_mu, z_beta_resolution, z_mu_resolution, suspicion_resolution;
  std::optional<std::int64_t> cycles_normal, cycles_abnormal;
  std::string match, time_kind;
};

/// One recording of the normal run among several.
struct HealthyRun {
  std::string id, label;  ///< as in Report::runs
  std::optional<std::int64_t>
      cycle_ns;  ///< its median, of the work of the abnormal run's cycle; absent: not comparable
  /// Whether it would be a regression or an improvement beside the others: a false alarm. Of four runs and more.
  std::optional<bool> alarm;
};

/// The recordings of the normal run: how much they differ among themselves.
struct HealthyRuns {
  std::vector<HealthyRun> runs;                 ///< all of the normal side, in its order
  std::optional<std::int64_t> low_ns, high_ns;  ///< where the median of one more is expected; of three runs and more
  std::int64_t left_out = 0, alarms = 0;        ///< runs that were judged beside the others, and false alarms of these
  /// Of a change beyond the noise floor: false where the recordings do not tell whether another healthy run differs as
  /// much, and `reason` says so: the verdict is inconclusive then, unless the program did other work. Else absent.
  std::optional<bool> confirmed;
  std::string reason;
};

/// Everything a comparison says.
struct Comparison {
  std::string normal, abnormal;  ///< ids of the runs in the report
  Verdict verdict = Verdict::inconclusive;
  std::string reason;  ///< of the verdict, in a sentence
  HealthyRuns healthy;
  CycleEntry cycle;
  ComparabilityEntry comparability;
  Nature nature = Nature::unknown;
  DecompositionBasis decomposed;
  std::vector<DecompositionEntry> decomposition;
  std::vector<ChangeEntry> changes;            ///< largest first, what waits for the device after all others
  std::vector<std::string> unchanged;          ///< what is the same on both sides, in words
  std::vector<FindingChange> finding_changes;  ///< of the normal run's findings, in its order
  std::vector<FunctionEntry> functions;        ///< most suspicious first
};

/// How bad a regression is, as findings whose rule names no severity are: critical from a change of 40 % on, high from
/// 20 %, medium from 10 %, else low. Nothing of other verdicts.
KDIAG_API std::optional<Severity> severity_of(const Comparison& comparison);

/// The two sides of a comparison. The abnormal one holds one run, the normal one a run or several recordings of it.
struct Sides {
  Facts normal, abnormal;
};

/// Loads both sides, each from files, folders, archives or `FILE#2` as load_traces does. Errors: those of loading;
/// K733 when the normal side holds no run, or the abnormal one not exactly one.
KDIAG_API Result<Sides> load_sides(std::span<const std::string> normal, std::span<const std::string> abnormal,
                                   const LoadOptions& options = {});
KDIAG_API Result<Sides> load_sides(std::initializer_list<std::string_view> normal,
                                   std::initializer_list<std::string_view> abnormal, const LoadOptions& options = {});
/// Each from one path. A template, so that `{}` behind a path is the options of the one below.
template <class Path>
requires std::is_convertible_v<const Path&, std::string_view> Result<Sides> load_sides(
    std::string_view normal, const Path& abnormal, const LoadOptions& options = {}) {
  return load_sides({normal}, {std::string_view(abnormal)}, options);
}
/// Loads one input that holds both: two runs, the first of which is the normal one, unless they come from files or
/// folders whose names say otherwise (before and after, normal and abnormal); note K734 where these say nothing.
/// Errors: those of loading; K733 when it does not hold exactly two runs.
KDIAG_API Result<Sides> load_sides(std::string_view both, const LoadOptions& options = {});
/// Two paths are load_sides("a", "b"): as one path, two literals would be the ends of a text.
Result<Sides> load_sides(std::initializer_list<std::string_view> paths, const LoadOptions& options = {}) = delete;

struct CompareOptions {
  unsigned threads = 0;  ///< as DiagnoseOptions
  const std::atomic<bool>* cancel = nullptr;
  std::string anchor;        ///< name of a range that is one cycle, in both runs; empty: found
  std::size_t changes = 20;  ///< longest list of changes in the report
  /// What a cycle does in each run: the times of the larger cycle are divided, so that both are for as many samples,
  /// and inputs of other sizes forbid no verdict. Nothing: a cycle of one run is the work of one of the other.
  std::optional<SamplesPerCycle> per = {};
  bool timings = false;            ///< as DiagnoseOptions: of judging the abnormal run
  const Policy* policy = nullptr;  ///< as DiagnoseOptions: of the findings of the abnormal run
};

/// Compares two runs and judges the abnormal one. Report::comparison is set; findings, outcomes and ledger are those
/// of the abnormal run (role subject), the ledger those of both. Pure, as diagnose is.
/// Errors: K694 a run has no range called as the anchor; K697 `per` is not two numbers above 0.
KDIAG_API Result<Report> compare(const Sides& sides, const RuleSet& rules, const CompareOptions& options = {});

}  // namespace kdiag
