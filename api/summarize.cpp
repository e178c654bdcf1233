// SPDX-License-Identifier: Apache-2.0
// `kdiag summarize`: of traces, what the judgement of many ranks needs (docs/fleet.md), as a packed facts file.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fleet.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "base/interrupt.hpp"
#include "base/packed_text.hpp"
#include "base/text.hpp"
#include "engine/derive/fleet/rank_tables.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "engine/judge/diagnose.hpp"
#include "engine/judge/stored_findings.hpp"
#include "ingest/assemble.hpp"
#include "ingest/build_run.hpp"
#include "ingest/facts_file.hpp"
#include "ingest/merge_views.hpp"
#include "ingest/read_inputs.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

constexpr TableId kept[] = {table("ranks"), table("devices"),          table("steps"),        table("phases"),
                            table("comms"), table("activities"),       table("kernel_stats"), table("copy_stats"),
                            table("notes"), table("kernel_durations"), table("step_samples"), table("findings")};

/// What refers to rows that are not kept, and what follows from the others together with those of more ranks.
constexpr ColumnId left_out[] = {column("devices.run"),    column("ranks.wall"),    column("ranks.start"),
                                 column("comms.kernel"),   column("comms.match"),   column("comms.waited"),
                                 column("comms.stalled"),  column("comms.bus_bw"),  column("comms.issuer"),
                                 column("comms.late_for"), column("findings.ranks")};

/// What the rules find in a run, without texts on the inputs.
Report report_of(const RunFacts& run, const RuleSet& rules, const LoadOptions& options) {
  LoadedFacts alone;
  alone.runs = {run};
  alone.runs.front().inputs.clear();
  DiagnoseOptions diagnosing;
  diagnosing.threads = options.threads;
  diagnosing.cancel = options.cancel;
  return diagnose_runs(alone, rules.loaded(), diagnosing);
}

/// What the table of devices knows is filled in again when the summary is read; the trace did not state it.
void forget_device_table(FactStore& store) {
  const ColumnRange range = columns_of(table("devices"));
  for (std::uint16_t i = 0; i < range.count; ++i) {
    const ColumnId id{static_cast<std::uint16_t>(range.first + i)};
    if (store.provider(id) == "device table") store.clear(id);
  }
}

FactStore summary_of(const RunFacts& run, const RuleSet& rules, const LoadOptions& options) {
  FactStore store = FactStore::extending(run.store);
  derive_rank_tables(store);
  if (!store.present(table("findings"))) store_findings(store, report_of(run, rules, options));
  stop_if(options.cancel);
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
    if (std::find(std::begin(kept), std::end(kept), TableId{t}) == std::end(kept)) store.clear(TableId{t});
  store.clear(table("notes"));  // written from the inputs, as those of every facts file
  for (const ColumnId id : left_out) store.clear(id);
  forget_device_table(store);
  return store;
}

/// Whether all that a label says is how the file is called.
bool is_file_name(const Fragment& fragment) {
  const std::string_view name = file_name(fragment.input);
  const std::string_view label = fragment.info.label;
  return label.starts_with(name) && (label.size() == name.size() || label[name.size()] == '#');
}

/// Copies of a trace have one summary, by which they are known: it does not say how they are called.
RunInfo info_of(const AssembledRun& run) {
  const auto trace = std::find_if(run.fragments.begin(), run.fragments.end(),
                                  [](const Fragment& fragment) { return !fragment.info.telemetry; });
  const Fragment& speaker = trace == run.fragments.end() ? run.fragments.front() : *trace;
  RunInfo info = speaker.info;
  if (is_file_name(speaker)) info.label.clear();
  if (std::count_if(run.fragments.begin(), run.fragments.end(),
                    [](const Fragment& fragment) { return fragment.info.rank.has_value(); }) > 1) {
    info.rank.reset();  // each rank has a row
    info.world_size.reset();
    info.host.clear();
  }
  return info;
}

/// What ranks are judged by. A summary without any of it would pass for a rank of which all is well.
bool has_work(const FactStore& store) {
  const TableId of_work[] = {table("steps"), table("comms"), table("activities"), table("kernel_stats"),
                             table("copy_stats")};
  return std::any_of(std::begin(of_work), std::end(of_work), [&](TableId id) { return store.rows(id) > 0; });
}

/// The summary of what was read, to whose entries all notes are added.
Result<std::string> summary_text(ReadInputs& inputs, const RuleSet& rules, const LoadOptions& options) {
  std::string text;
  const FactsOutput append = [&text](std::string_view piece) {
    text += piece;
    return true;
  };
  write_facts_header(append);
  Assembly assembly = assemble(std::move(inputs.fragments));
  if (auto refused = too_many_runs(assembly)) return Diagnostics{std::move(*refused)};
  for (auto& [input, note] : assembly.notes) inputs.entries[input].notes.push_back(std::move(note));
  bool any_work = false;
  for (AssembledRun& run : assembly.runs) {
    stop_if(options.cancel);
    for (auto& [input, note] : merge_views(run)) inputs.entries[input].notes.push_back(std::move(note));
    const RunInfo info = info_of(run);
    const RunFacts facts = build_run(std::move(run), {}, inputs.entries, {}, build_options(options));
    std::vector<NoteEntry> notes;
    for (const auto& [input, note] : facts.stated_notes) notes.push_back(note);
    for (const std::size_t input : facts.inputs)
      notes.insert(notes.end(), inputs.entries[input].notes.begin(), inputs.entries[input].notes.end());
    std::erase_if(notes, [](const NoteEntry& note) { return note.id == note_id::steps_set_apart; });  // said when read
    const FactStore summary = summary_of(facts, rules, options);
    any_work = any_work || has_work(summary);
    write_facts_run(info, summary, notes, append);
  }
  if (!any_work)
    return load_error(refusal_id::no_records,
                      "nothing that ranks are judged by was read: no step, collective, kernel or copy",
                      "`kdiag TRACE` judges it as it is, and says what was lost.");
  return text;
}

}  // namespace

Result<Summary> summarize(std::span<const std::string> paths, const RuleSet& rules, const LoadOptions& options) {
  try {
    Result<ReadInputs> inputs = read_inputs(paths, options);
    if (!inputs) return std::move(inputs.error());
    const Result<std::string> text = summary_text(*inputs, rules, options);
    if (!text) return text.error();
    return Summary{pack_text(*text), std::move(inputs->entries)};
  } catch (const Interrupted&) {
    return cancelled_error();
  }
}

Result<Summary> summarize(std::span<const std::string> paths, const LoadOptions& options) {
  const Result<RuleSet> rules = builtin_rules({.threads = options.threads, .cancel = options.cancel});
  if (!rules) return rules.error();
  return summarize(paths, *rules, options);
}

}  // namespace kdiag
