// SPDX-License-Identifier: Apache-2.0
// libkdiag in three nouns and one verb: load traces into Facts, load rules into a RuleSet, diagnose -> Report.
//
//     auto facts = kdiag::load_trace("trace.json");
//     auto rules = kdiag::load_rules("throttle.yaml");
//     if (!facts) { std::cerr << kdiag::render(facts.error()); return 2; }
//     if (!rules) { std::cerr << kdiag::render(rules.error()); return 3; }
//     std::cout << kdiag::to_text(kdiag::diagnose(*facts, *rules));
//
// Facts and RuleSet are immutable after loading, cheap to copy (shared), and may be used from several threads at a
// time. No exception crosses this interface (std::bad_alloc excepted), nothing is global, nothing is logged.
// Headers of their own: more sources of traces (input.hpp), facts without a trace (facts_builder.hpp), formats and
// functions of the host (host_adapter.hpp, host_function.hpp), deadlines (deadline.hpp), columns (columns.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/export.hpp>
#include <kdiag/report.hpp>
#include <kdiag/result.hpp>
#include <kdiag/shared.hpp>

namespace kdiag {

/// "0.1.0"
KDIAG_API std::string_view version();

// --- Facts ------------------------------------------------------------------------------------------------------

/// Which part of each run is judged. Unset members choose everything.
struct ScopeOptions {
  std::optional<std::pair<std::int64_t, std::int64_t>> steps;  ///< first and last step index, both included
  std::string within;                                          ///< name of an annotation: its ranges
  std::optional<std::int64_t> from_ns, to_ns;                  ///< since the first instant of the run
  std::optional<std::int64_t> rank, device;
};

/// What a host implements to show how far loading is.
class KDIAG_API LoadProgress {
 public:
  virtual ~LoadProgress() = default;
  /// Called about ten times a second, from one thread at a time, with bytes read and bytes in all (0: unknown). What it
  /// throws ends the calls, not the loading.
  virtual void show(std::string_view name, std::uint64_t bytes, std::uint64_t total) = 0;
};

/// What a host implements to be told what was odd: notes of inputs, warnings of rules.
class KDIAG_API Log {
 public:
  virtual ~Log() = default;
  /// Called by the caller's thread when a call that made them ends well. What it throws ends the telling.
  virtual void tell(Level level, std::string_view id, std::string_view text) = 0;
};

struct LoadedMap;  // internal

/// A checked mapping of a custom format (docs/custom-formats.md): how the records of CSV or JSON-lines files become
/// facts. Immutable; copies share.
class KDIAG_API TraceMap {
 public:
  explicit TraceMap(Shared<LoadedMap> loaded) : loaded_(std::move(loaded)) {}
  const LoadedMap& loaded() const { return *loaded_; }
  /// How reports call the format.
  std::string_view name() const;

 private:
  Shared<LoadedMap> loaded_;
};

/// A mapping file. All errors at once: K1xx to K3xx.
/// K690 soon after `cancel` was set.
KDIAG_API Result<TraceMap> load_map(std::string_view path, const std::atomic<bool>* cancel = nullptr);
/// One from memory. `name` is for messages.
KDIAG_API Result<TraceMap> load_map_text(std::string_view name, std::string_view text,
                                         const std::atomic<bool>* cancel = nullptr);

/// What all inputs of one call may bring together; 0: no limit. The input that exceeds one is an error (K761, K765), as
/// if it could not be read, and reading it ends soon after. Formats whose rows are only known at their end keep records
/// until then: they count, too, two of them as a row. docs/limits.md
struct LoadLimits {
  std::uint64_t rows = 0;      ///< of facts, in all tables
  std::uint64_t bytes = 0;     ///< of memory for the columns and texts of facts, for records, and for one decoder
  std::uint64_t unpacked = 0;  ///< bytes that come out of compressed files and archives
};
/// What the command kdiag sets: a quarter of the memory that this process may use, and 256 GiB unpacked.
KDIAG_API LoadLimits default_load_limits();

class HostAdapter;  // <kdiag/host_adapter.hpp>

struct LoadOptions {
  unsigned threads = 0;  ///< 0: as many as the machine has, at most 8
  ScopeOptions scope;
  std::vector<TraceMap> maps;  ///< the first that is for an input reads it; other inputs are read as usual
  std::vector<const HostAdapter*> adapters;  ///< of the host, beside the built-in ones; not owned, none null (K762)
  LoadLimits limits;
  LoadProgress* progress = nullptr;  ///< not owned; must outlive the call
  /// Set it to true (from a signal handler or another thread) to stop loading: the result is then K690.
  const std::atomic<bool>* cancel = nullptr;
  Log* log = nullptr;  ///< not owned; must outlive the call: the notes of the inputs
  /// Give pages of the heap that are free back to the system while facts are built: lowers the peak of large traces,
  /// and takes longer, as what is given back is asked for again (docs/performance.md has figures). It is malloc_trim of
  /// glibc, for which other threads that allocate have to wait. The command asks for it where it goes on to wait for
  /// questions.
  bool release_memory = false;
};

struct LoadedFacts;  // internal

/// Everything that one or several inputs say, by run. Immutable; copies share.
class KDIAG_API Facts {
 public:
  explicit Facts(Shared<LoadedFacts> loaded) : loaded_(std::move(loaded)) {}
  const LoadedFacts& loaded() const { return *loaded_; }
  /// The inputs that were read, with their notes.
  const std::vector<InputEntry>& inputs() const;

 private:
  Shared<LoadedFacts> loaded_;
};

/// Loads a trace: the path of a file, of a folder or of an archive (zip, tar) of traces, "-" for standard input, or
/// `FILE#2` for the second run of any of them. Recognised by content, whatever compression and name. Errors: K6xx and
/// K7xx, one per input that could not be read.
KDIAG_API Result<Facts> load_trace(std::string_view path, const LoadOptions& options = {});
/// Loads several inputs at once: those that are one run (other ranks, telemetry) are joined, docs/inputs.md
/// "identity". Unreadable inputs among readable ones are notes of severity error; an error only when none is.
KDIAG_API Result<Facts> load_traces(std::span<const std::string> paths, const LoadOptions& options = {});
KDIAG_API Result<Facts> load_traces(std::initializer_list<std::string_view> paths, const LoadOptions& options = {});
/// Several are load_traces({"a", "b"}): as one path, two literals would be the ends of a text.
Result<Facts> load_trace(std::initializer_list<std::string_view> paths, const LoadOptions& options = {}) = delete;
/// Loads a trace from memory. `name` is for messages. The bytes are not needed afterwards.
KDIAG_API Result<Facts> load_trace(std::string_view name, std::span<const char> bytes, const LoadOptions& options = {});

/// Removes the temporary copies of databases (docs/embedding.md) that calls in this process hold now: for a host whose
/// signal handler ends the process, which leaves them otherwise. Async-signal-safe; the calls that go on may fail.
///
///     void on_signal(int) { kdiag::remove_temporary_files(); _exit(1); }
KDIAG_API void remove_temporary_files() noexcept;

// --- Rules ------------------------------------------------------------------------------------------------------

/// What a Lua rule may use for one subject. Each limit that it exceeds ends it as failed; docs/lua.md, judgement.
struct LuaLimits {
  std::uint64_t instructions = 50'000'000;        ///< of the interpreter, and what its library does counted likewise
  std::uint64_t memory_bytes = 64 * 1024 * 1024;  ///< of its values and of what they refer to
  std::uint64_t wall_ms = 2000;                   ///< in Lua; the time of expressions does not count. 0: no limit
  std::uint64_t output_bytes = 1024 * 1024;       ///< of a finding, and of notes
};

struct HostFunction;  // <kdiag/host_function.hpp>
struct FileReader;    // <kdiag/file_reader.hpp>
struct RuleSettings;  // internal: of a project file

struct RuleOptions {
  unsigned threads = 0;                                  ///< for checking; 0: as many as the machine has, at most 8
  bool builtin = true;                                   ///< with the built-in packs
  std::vector<std::pair<std::string, std::string>> set;  ///< "rule.param" -> value, as `--set`
  bool incubating = false;                               ///< judge rules of status incubating too
  /// Which rules are judged, by patterns of their ids: `host.sync-stall`, `host` or `host.*`, `*.sync-*`. Nothing
  /// selected: all. A pattern that no rule has is K311.
  std::vector<std::string> select = {}, ignore = {};
  Shared<RuleSettings> settings = {};  ///< what a project file says of rules; <kdiag/project.hpp>
  /// Run Lua rules. Without, files that have such are refused (K741) and built-in Lua rules left out, as in a build
  /// without Lua.
  bool lua = true;
  LuaLimits lua_limits = {};
  /// Let rule files import files, and name scripts, that lie outside of the folders of the named rule files (K119,
  /// K740); links count by where they lead.
  bool imports_outside = false;
  std::vector<Shared<HostFunction>> functions;  ///< of the host, beside the built-in ones
  /// Reads the rule files, what they import and their scripts; null: they lie in the file system.
  Shared<FileReader> files = {};
  /// Set by another thread: loading ends with K690, soon after.
  const std::atomic<bool>* cancel = nullptr;
  Log* log = nullptr;  ///< not owned; must outlive the call: the warnings of the rules
};

struct LoadedRules;  // internal

/// Checked rules. Immutable; copies share.
class KDIAG_API RuleSet {
 public:
  explicit RuleSet(Shared<LoadedRules> loaded, double seconds = 0) : loaded_(std::move(loaded)), seconds_(seconds) {}
  const LoadedRules& loaded() const { return *loaded_; }
  const Shared<LoadedRules>& share() const { return loaded_; }
  /// That loading them took.
  double seconds() const { return seconds_; }
  /// Rules that are judged.
  std::size_t size() const;
  /// Warnings and lints of loading; never errors.
  const Diagnostics& warnings() const;
  /// Notes for the rules' authors, of no interest to who judges by them: `kdiag rules check` prints them.
  const Diagnostics& style() const;

 private:
  Shared<LoadedRules> loaded_;
  double seconds_;
};

/// The built-in packs alone.
KDIAG_API Result<RuleSet> builtin_rules(const RuleOptions& options = {});
/// Rule files, added to the built-in packs unless options.builtin is false. All errors of all files at once. A file
/// whose name ends in `.lua` is one rule in Lua (docs/lua.md), all others are YAML.
KDIAG_API Result<RuleSet> load_rules(std::span<const std::string> paths, const RuleOptions& options = {});
KDIAG_API Result<RuleSet> load_rules(std::initializer_list<std::string_view> paths, const RuleOptions& options = {});
KDIAG_API Result<RuleSet> load_rules(std::string_view path, const RuleOptions& options = {});
/// One rule file from memory. `name` is for messages.
KDIAG_API Result<RuleSet> load_rules_text(std::string_view name, std::string_view text,
                                          const RuleOptions& options = {});

// --- Diagnosis --------------------------------------------------------------------------------------------------

struct Policy;  // <kdiag/policy.hpp>

struct DiagnoseOptions {
  unsigned threads = 0;  ///< 0: as many as the machine has, at most 8; the result does not depend on it
  /// Set it to true to stop judging: the report then has what was judged so far.
  const std::atomic<bool>* cancel = nullptr;
  /// A run of the same work when it was good, or several: what `baseline()` in rules asks. Its findings are not
  /// reported. Each run is compared with the one that shares most ranks with it; where both sides are one run,
  /// Report::comparison has what compare() says of them.
  std::optional<Facts> baseline = {};
  bool timings = false;                    ///< fill Report::timings: what loading and judging cost, rule by rule
  std::vector<std::string> plan_for = {};  ///< ids of the rules that Report::plan is for; empty: all
  const Policy* policy = nullptr;          ///< findings that are accepted or known; not owned, must outlive the call
  double model_flops =
      0;  ///< operations of the model in a step, on all devices of a run together: for MFU; 0: not said
};

/// Judges every run of the facts by every rule. Pure: the same facts and rules give the same report, byte for byte.
///
///     const auto normal = kdiag::load_trace("last-good.json");
///     const auto report = kdiag::diagnose(*facts, *rules, {.baseline = *normal});
KDIAG_API Report diagnose(const Facts& facts, const RuleSet& rules, const DiagnoseOptions& options = {});

struct QueryOptions {
  std::size_t width = static_cast<std::size_t>(-1);     ///< of tables as text, in columns
  std::size_t max_rows = static_cast<std::size_t>(-1);  ///< of tables as text; how many more there are is said
  std::optional<Facts> baseline = {};                   ///< as in DiagnoseOptions
  const std::atomic<bool>* cancel = nullptr;            ///< as DiagnoseOptions::cancel: the result is then K690
  bool text = true, json = true, csv = true;            ///< which texts are made; of large tables each takes its time
};

/// An answer for each run: as text, as the JSON of docs/report.md, and as CSV with values in base units.
/// `unknown` is set when a value was unknown.
struct QueryAnswer {
  std::string text, json, csv;
  bool unknown = false;
};
/// Answers one expression on each run of the facts, in terms of the built-in defines or of those of a set of rules.
/// Errors: K1xx-K3xx of the expression, K690 once the host asked to stop.
KDIAG_API Result<QueryAnswer> query(const Facts& facts, std::string_view expression);
KDIAG_API Result<QueryAnswer> query(const Facts& facts, const RuleSet& rules, std::string_view expression,
                                    const QueryOptions& options = {});

/// Why a rule fired or not on each run and subject: the tree of values behind its outcome, as text; of what was
/// compared with options.baseline both sides. Errors: K311 no such rule, K690 once the host asked to stop.
KDIAG_API Result<std::string> explain(const Facts& facts, const RuleSet& rules, std::string_view rule,
                                      const DiagnoseOptions& options = {});

/// What a rule is about, how it decides, which facts it needs and how to record them, as text.
/// Errors: K311 no such rule.
KDIAG_API Result<std::string> describe_rule(const RuleSet& rules, std::string_view rule);

/// Every table and column of the catalogue with what these facts have of it: `kdiag facts`.
KDIAG_API std::string facts_text(const Facts& facts);
KDIAG_API std::string facts_json(const Facts& facts);
/// The catalogue itself, as Markdown: `kdiag facts --catalogue`, docs/facts.md.
KDIAG_API std::string catalogue_text();
/// The adapters with what they read, examples and how to record: `kdiag formats`.
KDIAG_API std::string formats_text();

}  // namespace kdiag
