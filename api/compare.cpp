// SPDX-License-Identifier: Apache-2.0
// Comparing: two sides, each one run -> a report of both.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/compare.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "api/log_notes.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/facts/note_table.hpp"
#include "engine/judge/compare.hpp"
#include "ingest/names/side_in_name.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

std::string runs_of(std::string_view what, const LoadedFacts& facts) {
  const std::size_t count = facts.runs.size();
  std::string text = std::string(what) + " holds " + std::to_string(count) + (count == 1 ? " run" : " runs");
  for (std::size_t i = 0; i < count && i < 4; ++i)
    if (!facts.runs[i].label.empty()) text += (i == 0 ? ": " : ", ") + facts.runs[i].label;
  return text;
}

/// The facts of one run of several, with the inputs that it came from, the first of which gets `notes`.
Facts one_run(const LoadedFacts& facts, std::size_t place, std::vector<NoteEntry> notes = {}) {
  auto own = std::make_shared<LoadedFacts>();
  RunFacts run = facts.runs[place];
  run.id = run_id(0);
  for (LedgerEntry& entry : run.ledger) entry.run = run.id;
  for (std::size_t& input : run.inputs) {
    own->inputs.push_back(facts.inputs[input]);
    input = own->inputs.size() - 1;
  }
  if (!own->inputs.empty()) std::move(notes.begin(), notes.end(), std::back_inserter(own->inputs.front().notes));
  own->runs.push_back(std::move(run));
  return Facts(std::shared_ptr<const LoadedFacts>(std::move(own)));
}

std::string_view first_input(const LoadedFacts& facts, std::size_t place) {
  const std::vector<std::size_t>& inputs = facts.runs[place].inputs;
  return inputs.empty() ? std::string_view{} : std::string_view(facts.inputs[inputs.front()].path);
}

/// Two runs of one file stand in the order in which the file states them. Files of a folder come in the order of their
/// names, which puts "abnormal" before "normal": there the names decide, where they say it.
Sides in_named_order(const LoadedFacts& facts) {
  const std::string_view first = first_input(facts, 0), second = first_input(facts, 1);
  if (first == second) return {one_run(facts, 0), one_run(facts, 1)};
  switch (order_in_names(first, second)) {
    case NamedOrder::as_given: return {one_run(facts, 0), one_run(facts, 1)};
    case NamedOrder::reversed: return {one_run(facts, 1), one_run(facts, 0)};
    case NamedOrder::unknown: break;
  }
  return {one_run(facts, 0),
          one_run(facts, 1, {make_note(note_id::sides_by_name, std::string(first) + " is taken for the normal run")})};
}

/// Whether the runs are several, of inputs of their own: those of one file are rather two sides than two recordings.
bool are_recordings(const LoadedFacts& facts) {
  std::set<std::size_t> inputs;
  for (const RunFacts& run : facts.runs)
    for (const std::size_t input : run.inputs)
      if (!inputs.insert(input).second) return false;
  return facts.runs.size() > 1;
}

/// Of one of several loads of a call, which tells its notes when all went well.
LoadOptions untold(LoadOptions options) {
  options.log = nullptr;
  return options;
}

Result<Facts> load_side(std::string_view name, std::span<const std::string> paths, const LoadOptions& options) {
  Result<Facts> facts = load_traces(paths, options);
  const bool may_be_several = name == "normal";  // recordings, whose spread tells change from chance
  if (!facts || facts->loaded().runs.size() == 1 || (may_be_several && are_recordings(facts->loaded()))) return facts;
  return load_error(refusal_id::side_is_not_one_run,
                    runs_of("the " + std::string(name) + " side", facts->loaded()) + "; a side is one run",
                    facts->loaded().runs.size() < 2
                        ? "Give a trace of the " + std::string(name) + " run, not telemetry alone."
                        : "FILE#2 is the second run of a file; leave out files of other runs.");
}

/// Names that an annotation of the run has, or that its steps are calls of.
std::vector<std::string_view> range_names(const FactStore& store) {
  std::vector<std::string_view> names;
  std::vector<bool> seen(store.strings.size());
  for (const ColumnId id : {column("annotations.name"), column("steps.anchor")})
    for (const std::uint32_t name : store.indices(id))
      if (name != absent_index && !seen[name]) {
        seen[name] = true;
        names.push_back(store.strings[name]);
      }
  return names;
}

Diagnostic no_anchor(const Sides& sides, const std::string& anchor) {
  const auto missing_in = [&](const Facts& facts) {
    const std::vector<std::string_view> names = range_names(*facts.loaded().runs.front().store);
    return std::find(names.begin(), names.end(), anchor) == names.end() ? std::optional(names) : std::nullopt;
  };
  const auto normal = missing_in(sides.normal), abnormal = missing_in(sides.abnormal);
  const std::string where = normal && abnormal ? "either run" : normal ? "the normal run" : "the abnormal run";
  const std::string meant = did_you_mean(anchor, normal     ? *normal
                                                 : abnormal ? *abnormal
                                                            : std::vector<std::string_view>{});
  return load_error(
      refusal_id::empty_selection, "there is no user range '" + anchor + "' in " + where,
      meant.empty() ? "`kdiag query 'annotations group by (name) select (n = count())' TRACE` lists them." : meant);
}

bool are_comparable(const SamplesPerCycle& per) {
  const double ratio = per.abnormal / per.normal;
  return per.normal > 0 && per.abnormal > 0 && std::isfinite(per.normal) && std::isfinite(per.abnormal) &&
         std::isfinite(ratio) && ratio > 0 && std::isfinite(1 / ratio);
}

}  // namespace

Result<Sides> load_sides(std::span<const std::string> normal, std::span<const std::string> abnormal,
                         const LoadOptions& options) {
  const LoadOptions each = untold(options);
  Result<Facts> before = load_side("normal", normal, each);
  if (!before) return std::move(before.error());
  Result<Facts> after = load_side("abnormal", abnormal, each);
  if (!after) return std::move(after.error());
  log_notes(options.log, *before);
  log_notes(options.log, *after);
  return Sides{std::move(*before), std::move(*after)};
}

Result<Sides> load_sides(std::initializer_list<std::string_view> normal,
                         std::initializer_list<std::string_view> abnormal, const LoadOptions& options) {
  return load_sides(std::vector<std::string>(normal.begin(), normal.end()),
                    std::vector<std::string>(abnormal.begin(), abnormal.end()), options);
}

Result<Sides> load_sides(std::string_view normal, std::string_view abnormal, const LoadOptions& options) {
  const std::string before(normal), after(abnormal);
  return load_sides(std::span(&before, 1), std::span(&after, 1), options);
}

Result<Sides> load_sides(std::string_view both, const LoadOptions& options) {
  Result<Facts> facts = load_trace(both, untold(options));
  if (!facts) return std::move(facts.error());
  const LoadedFacts& loaded = facts->loaded();
  if (loaded.runs.size() != 2)
    return load_error(refusal_id::side_is_not_one_run,
                      runs_of(both, loaded) + "; one input alone must hold the two that are compared",
                      "Give two: kdiag compare NORMAL ABNORMAL; FILE#2 is the second run of a file.");
  Sides sides = in_named_order(loaded);
  log_notes(options.log, sides.normal);
  log_notes(options.log, sides.abnormal);
  return sides;
}

Result<Report> compare(const Sides& sides, const RuleSet& rules, const CompareOptions& options) {
  const std::size_t normal = sides.normal.loaded().runs.size(), abnormal = sides.abnormal.loaded().runs.size();
  if (normal < 1 || abnormal != 1)
    return load_error(refusal_id::side_is_not_one_run,
                      runs_of("a side", (normal < 1 ? sides.normal : sides.abnormal).loaded()) + "; a side is one run");
  if (options.per && !are_comparable(*options.per))
    return load_error(refusal_id::usage, "the samples of a cycle are no numbers above 0 that have a ratio",
                      "Give what a cycle does in the normal and in the abnormal run, such as 4096 and 16384 tokens.");
  std::optional<Report> report = compare_runs(sides.normal, sides.abnormal, rules.loaded(), options);
  if (!report) return no_anchor(sides, options.anchor);
  report->version = version();
  return std::move(*report);
}

}  // namespace kdiag
