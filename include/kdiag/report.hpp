// SPDX-License-Identifier: Apache-2.0
// What a diagnosis says, as plain data: the same content as the JSON report, whose keys these members name.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <kdiag/export.hpp>
#include <kdiag/shared.hpp>
#include <kdiag/variant.hpp>
#include <kdiag/wall_basis.hpp>

namespace kdiag {

enum class Severity : std::uint8_t { info, low, medium, high, critical };  // ordered: a higher one is worse
enum class Outcome : std::uint8_t { failed, fired, inconclusive, clear, not_applicable };  // in the order of the tally
/// What the share of an impact is of.
enum class ShareOf : std::uint8_t { none, wall, device_time };
/// What the lines of a ledger are measured on. functions: what the input states of them by cycle.
enum class LedgerBasis : std::uint8_t { none, timeline, phases, serial, functions };
/// How bad is what happened to an input. data_loss: what the input held is missing from the facts.
enum class NoteSeverity : std::uint8_t { info, warning, data_loss, error };
/// Whether a run is judged, or another one is compared with it.
enum class RunRole : std::uint8_t { subject, baseline };
/// Their words in the JSON report; empty for `none`.
KDIAG_API std::string_view name_of(Severity severity);
KDIAG_API std::string_view name_of(Outcome outcome);
KDIAG_API std::string_view name_of(ShareOf whole);
KDIAG_API std::string_view name_of(LedgerBasis basis);
KDIAG_API std::string_view name_of(NoteSeverity severity);
KDIAG_API std::string_view name_of(RunRole role);

struct NoteEntry {
  std::string id;
  NoteSeverity severity = NoteSeverity::info;
  std::string text;
  std::uint64_t count = 0;
};

struct InputEntry {
  std::string path, adapter, producer;
  RunRole role = RunRole::subject;
  std::uint64_t events = 0;
  std::vector<NoteEntry> notes;
};

struct DeviceEntry {
  std::int64_t id = 0;
  std::optional<std::int64_t> rank;
  std::string name, vendor, kind;  ///< kind: GPU, MLU, ...: how the device is called in text
  std::string address;             ///< on the PCI bus, of inputs that name the device by nothing else: then not by `id`
};

struct RunEntry {
  std::string id, label, input;  ///< input: of a subject the path of the first of its inputs; empty: facts of no file
  RunRole role = RunRole::subject;
  std::optional<std::int64_t> wall_ns;
  WallBasis wall_basis = WallBasis::none;
  std::int64_t steps = 0;
  std::vector<DeviceEntry> devices;
  std::string baseline;  ///< id of the run that it is compared with; empty: none
  std::string scope;     ///< the part that was chosen, in words: "steps 3 to 5"; empty: all
};

struct Tally {
  int fired = 0, clear = 0, not_applicable = 0, inconclusive = 0, failed = 0;
};

/// What a finding is about. kind: run, rank, device, stream, step, thread, kernel, op, function, group.
struct SubjectEntry {
  std::string kind, id, label;
};

struct AlsoEntry {
  SubjectEntry subject;
  std::optional<std::int64_t> impact_ns;
  std::string fingerprint;  ///< as Finding::fingerprint, were this its subject
};

/// A value of evidence. `unit` is ns, bytes, Hz, B/s, FLOP, FLOP/s, W, degC, ratio, 1, text or bool.
struct ValueEntry {
  Variant<std::monostate, bool, std::int64_t, double, std::string> value;
  std::string unit;
  std::optional<std::int64_t> since_start_ns = {};  ///< of an instant: what texts show, since the run's start
};
using RowEntry = std::vector<std::pair<std::string, ValueEntry>>;
using EvidenceEntry = std::variant<ValueEntry, std::vector<RowEntry>>;

struct GainEntry {
  std::optional<std::int64_t> low_ns, high_ns;
  std::string basis;  ///< union, scaling, judgement
};

struct ConfidenceEntry {
  double value = 1;
  std::string basis;              ///< measured, judgement
  std::optional<std::int64_t> n;  ///< traces behind a measured precision
};

struct LocationEntry {
  std::string file;
  std::optional<std::int64_t> line;
  std::string function, how;
};

struct RecommendationEntry {
  std::string text, where, risk, verify, url;
};

/// Advice of the rule that does not hold here, since another rule fired.
struct SuppressedEntry {
  std::string text;
  std::string because;  ///< id of that rule
};

struct ProvenanceEntry {
  std::string pack, file;
  std::int64_t line = 0;
  std::vector<std::string> providers;
};

/// Why a finding is accepted, by whom, and until when.
struct WaivedEntry {
  std::string reason, owner, until;  ///< until: "2026-12-31", that day included; empty: for ever
  std::string place;                 ///< of the waiver: "kdiag.yaml:12"
};

struct Finding {
  std::string run;
  std::int64_t rank = 0;  ///< place in its run, from 1; symptoms: place among their siblings
  std::string rule, title;
  Severity severity = Severity::info;
  bool paid_once = false;  ///< the account counts all of its impact among the one-off costs
  /// Without the one-off costs of its device: what is left of its impact, and of the wall. Nothing where none is paid.
  struct WithoutOneOff {
    std::int64_t impact_ns = 0, wall_ns = 0;
  };
  std::optional<WithoutOneOff> without_one_off;
  SubjectEntry subject;
  std::vector<AlsoEntry> also;
  std::optional<std::int64_t> impact_ns, impact_low_ns;
  std::int64_t explained_ns = 0;  ///< what its causes, findings of their own, have of its impact besides
  std::optional<double> impact_share;
  ShareOf share_of = ShareOf::none;
  std::optional<double> baseline_share;  ///< what the same impact has of the baseline run
  std::optional<GainEntry> gain;
  ConfidenceEntry confidence;
  std::optional<LocationEntry> location;
  std::string fingerprint;            ///< the same for the same fault in another run: docs/fingerprints.md
  std::optional<WaivedEntry> waived;  ///< accepted: no gate fails for it
  std::optional<bool> known;          ///< whether an earlier report has it; nothing: none was asked
  /// What the earlier report gave it, where it grew beyond that and so is not `known`: docs/project.md.
  std::optional<Severity> known_severity;
  std::string message;
  std::vector<std::pair<std::string, EvidenceEntry>> evidence;
  std::vector<std::pair<std::string, std::size_t>> left_out;     ///< rows that a table of the evidence has no place for
  std::vector<std::pair<std::int64_t, std::int64_t>> intervals;  ///< capped at 100
  std::size_t intervals_total = 0;
  /// Of an impact that is an amount: the time of the rows that it is computed from, capped alike. It claims nothing.
  std::vector<std::pair<std::int64_t, std::int64_t>> evidence_intervals;
  std::size_t evidence_intervals_total = 0;
  std::vector<RecommendationEntry> recommendations;
  std::vector<SuppressedEntry> suppressed;
  std::vector<Finding> symptoms;
  ProvenanceEntry provenance;
};

struct MissingEntry {
  std::string fact, how_to_record;
};

/// What a rule that found something is about, for formats that explain rules beside their findings.
struct AboutRule {
  std::string id, pack, summary, why, how, false_positives;  ///< from the summary on running text; empty: not said
  std::vector<std::string> references, tags;
};

/// A pack or rule file of the user's own whose rules were judged.
struct PackEntry {
  /// version: empty where it states none; path: of the rule file, or of the folder's pack.yaml; hash: "sha256:..." of
  /// its files, as `kdiag packs lock` pins it
  std::string name, version, path, hash;
};

struct OutcomeEntry {
  std::string run, rule;
  SubjectEntry subject;
  Outcome outcome = Outcome::clear;
  std::vector<MissingEntry> missing;
  std::string reason, nearest;
};

/// One line of the time ledger. name: compute, communication, copy, memset, idle.host_sync, ...
struct LedgerLine {
  std::string name;
  std::int64_t ns = 0;
  std::int64_t low_ns = 0;
  std::optional<double> share;
  std::string rule;                     ///< the finding that explains it, or empty
  std::optional<std::int64_t> high_ns;  ///< above `ns`: another line's bound may leave it more
  std::optional<std::int64_t> rest_ns;  ///< without the one-off costs; only where there are some in the wall
};

/// Time that a run pays once, however long it goes on.
struct OneOffCost {
  std::string what;     ///< first launches, warm-up, ...
  std::int64_t ns = 0;  ///< of no other cost of the account
  bool judged = true;   ///< part of the wall; else steps that were set apart from it
  std::string rule;     ///< whose finding claims it; empty: none
  std::optional<std::pair<std::int64_t, std::int64_t>> steps;  ///< first and last number of the steps that it is
};

struct LedgerEntry {
  std::string run;
  std::optional<std::int64_t> rank, device;
  LedgerBasis basis = LedgerBasis::none;
  std::optional<std::int64_t> wall_ns;  ///< serial: the device time that the lines add up to
  std::vector<LedgerLine> lines;
  std::vector<OneOffCost> one_off;      ///< set apart first, then by the rank of their findings
  std::optional<std::int64_t> rest_ns;  ///< the wall without them; absent when none is part of it
  /// Of a timeline: the input was cut, so that the device may have worked longer than the lines say.
  bool cut = false;
};

/// What samples of one series say of a device; numbers in `unit`, medians and the mean weighted by time.
struct SampledSeries {
  std::string series, unit;
  double min = 0, median = 0, max = 0;
  std::optional<double> busy;   ///< the median while the device was busy
  std::optional<double> limit;  ///< what the device states as the most: its maximum clock, power limit, memory
  double mean = 0;
};

/// A device as telemetry alone shows it.
struct TelemetryEntry {
  std::string run;
  std::optional<std::int64_t> rank, device;
  std::optional<double> busy_share;  ///< of the sampled time, with a utilization that counts as busy
  std::vector<SampledSeries> series;
  std::vector<std::pair<std::string, double>>
      clock_limits;  ///< reasons and their share of the busy time, longest first; of all time where none was busy
};

/// What a run without an account of time holds of one kind of record.
struct RecordedEntry {
  std::string run, table, longest;   ///< table of the catalogue; the name whose rows have most time together, or empty
  std::int64_t rows = 0, names = 0;  ///< of the table; different names among them, 0: they have none
  std::optional<std::int64_t> median_ns, longest_ns;  ///< of the time of a row; all rows of `longest`
  std::optional<double> bus_bandwidth;                ///< of collectives: the highest, in bytes a second
};

/// Calls of an operator with the same inputs, against the least time that the device needs for their work.
struct OperatorGap {
  std::string op, shapes;
  std::int64_t calls = 0;
  std::int64_t time_ns = 0, attainable_ns = 0;  ///< of all calls on the device
  std::optional<double> flops;                  ///< of all calls; nothing: their bytes alone decide
};

/// What the matrix products, convolutions and attention of a device are worth: docs/work.md. An entry is there where
/// some of their operations are known, or DiagnoseOptions::model_flops says how many there are.
struct WorkEntry {
  std::string run;
  std::optional<std::int64_t> rank, device;
  double flops = 0;                    ///< that the device executed and that are known
  double known_share = 0;              ///< of the time of kernels of such operators: those whose operations are known
  std::optional<double> rate;          ///< flops over the wall, a second
  std::optional<double> peak_share;    ///< their time at the peaks of their types, as a share of the wall
  std::optional<double> model_share;   ///< the same of three times the forward operators, in a run that trains
  std::optional<double> stated_share;  ///< of DiagnoseOptions::model_flops, at the peak of 16 bit floats
  std::vector<OperatorGap> gaps;       ///< furthest above its least time first, at most 20
};

/// What became of a condition on which the command was asked to fail (kdiag/gate.hpp). invalid: it asks for something
/// that there is not, and nothing was looked at.
enum class GateOutcome : std::uint8_t { passed, failed, inconclusive, invalid };
KDIAG_API std::string_view name_of(GateOutcome outcome);

struct GateEntry {
  std::string condition;  ///< as an option spells it: "--fail-on high"
  GateOutcome outcome = GateOutcome::passed;
  std::string reason;              ///< what decided, in a sentence without its full stop
  std::vector<std::string> rules;  ///< of the findings by which it failed
};

/// What became of a waiver. unused: no finding is what it waives. expired: what it waived counts again.
enum class WaiverState : std::uint8_t { used, unused, expired };
KDIAG_API std::string_view name_of(WaiverState state);

struct WaiverEntry {
  std::string waives;  ///< the pattern of rules, the fingerprints, or both
  WaiverState state = WaiverState::used;
  std::size_t findings = 0;  ///< that it waives; of an expired one, that it would
  WaivedEntry details;
};

/// A finding of an earlier report that no run has now. `now`: how its rule ended, the first that occurred in the order
/// of the tally, so that what could not be told does not look repaired; nothing: it was not judged.
struct VanishedEntry {
  std::string fingerprint, rule, title;
  std::optional<Outcome> now;
};

/// The findings against those of an earlier report; symptoms vanish, but are not counted.
struct KnownEntry {
  std::string file;
  std::size_t known = 0, fresh = 0;  ///< findings that it has; those that it has not
  std::vector<VanishedEntry> vanished;
};

struct Comparison;     // kdiag/compare.hpp
struct RecordingPlan;  // kdiag/plan.hpp
struct Timings;        // kdiag/timings.hpp

/// Everything a diagnosis says. Plain data, owned by the caller.
struct Report {
  std::string version;
  std::vector<InputEntry> inputs;
  std::vector<RunEntry> runs;
  Tally tally;
  std::vector<Finding> findings;  ///< by run in input order, then rank
  std::vector<OutcomeEntry> outcomes;
  std::vector<LedgerEntry> ledger;
  std::vector<TelemetryEntry> telemetry;  ///< of runs that are telemetry alone, whose time has no ledger; as the
                                          ///< ledger, of both runs of a comparison
  std::vector<RecordedEntry> recorded;    ///< of runs that have neither
  std::vector<WorkEntry> work;            ///< of runs whose inputs say what operators had to do
  Shared<Comparison> comparison;          ///< of two runs; null without
  std::vector<WaiverEntry> waivers;       ///< all that DiagnoseOptions::policy has
  std::optional<KnownEntry> known;        ///< nothing unless the policy has known findings
  std::vector<AboutRule> about;           ///< the rules of all findings and symptoms, by id
  std::vector<PackEntry> packs;           ///< in the order in which they were read; none: only built-in rules judged
  std::vector<GateEntry> gates;           ///< what check_gates found; empty unless something was asked
  Shared<RecordingPlan> plan;             ///< what to record next; null where every rule could tell
  Shared<Timings> timings;                ///< null unless DiagnoseOptions::timings asked; no two runs give the same
};

struct TextOptions {
  bool color = false;
  bool all = false;    ///< every finding, every outcome; else at most five findings a run
  bool brief = false;  ///< a line for each run and each finding
  bool ascii = false;  ///< no character outside of ASCII
  bool links = false;  ///< addresses of advice as links of the terminal (OSC 8)
  std::size_t width = 100;
  bool whole_comparison = true;  ///< of a report that has one; else its verdict alone
  std::size_t changes = 5;       ///< longest list of changes and of functions of a comparison, unless `all`
  /// Set by another thread: the text is then empty, soon after.
  const std::atomic<bool>* cancel = nullptr;
};

/// The report as text for people. Control characters of names are escaped.
KDIAG_API std::string to_text(const Report& report, const TextOptions& options = {});
/// The report as one JSON document, schema "kdiag.report/1", byte-stable. `cancel` here and below: as in TextOptions.
KDIAG_API std::string to_json(const Report& report, const std::atomic<bool>* cancel = nullptr);
/// The report as Markdown, safe to paste into an issue.
KDIAG_API std::string to_markdown(const Report& report, const std::atomic<bool>* cancel = nullptr);
/// The answer in at most 40 lines of Markdown, for a chat, an issue or the summary of a job: what to do is folded.
KDIAG_API std::string to_summary(const Report& report, const std::atomic<bool>* cancel = nullptr);
/// The findings as SARIF 2.1.0.
KDIAG_API std::string to_sarif(const Report& report, const std::atomic<bool>* cancel = nullptr);
/// Gates and rules as JUnit XML, a suite for the gates and one for each run. What fails is what a gate fails for.
KDIAG_API std::string to_junit(const Report& report, const std::atomic<bool>* cancel = nullptr);

}  // namespace kdiag
