// SPDX-License-Identifier: Apache-2.0
#include "ingest/build_run.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>

#include "base/phrases.hpp"
#include "engine/derive/derive.hpp"
#include "engine/derive/steps/excluded_steps.hpp"
#include "engine/facts/fact_builder.hpp"
#include "engine/facts/note_table.hpp"
#include "engine/link/link.hpp"
#include "ingest/collect_sink.hpp"

namespace kdiag {
namespace {

constexpr std::string_view provider = "kdiag";

/// What the run's fragments say of it as a whole, kept while they are consumed.
struct Description {
  std::string format, producer;
  struct Rank {
    std::int64_t id = 0, world_size = absent_integer;
    std::string host;
  };
  std::vector<Rank> ranks;
};

Description describe(const AssembledRun& run) {
  Description described;
  const auto main = std::find_if(run.fragments.begin(), run.fragments.end(),
                                 [](const Fragment& fragment) { return !fragment.info.telemetry; });
  const Fragment& speaker = main == run.fragments.end() ? run.fragments.front() : *main;
  described.format = speaker.adapter;
  described.producer = speaker.info.producer;
  for (const Fragment& fragment : run.fragments)
    if (fragment.info.rank)
      described.ranks.push_back(
          {*fragment.info.rank, fragment.info.world_size.value_or(absent_integer), fragment.info.host});
  return described;
}

void set_text(FactStore& store, ColumnId id, std::size_t row, std::string_view text) {
  if (!text.empty()) store.mutable_indices(id, provider)[row] = store.strings.intern(text);
}

void write_run_row(FactStore& store, const Description& described, std::string_view label) {
  if (store.rows(table("runs")) == 0) store.resize(table("runs"), 1);
  set_text(store, column("runs.label"), 0, label);
  set_text(store, column("runs.format"), 0, described.format);
  set_text(store, column("runs.producer"), 0, described.producer);
  set_text(store, column("runs.role"), 0, name_of(RunRole::subject));
}

void write_ranks(FactStore& store, const Description& described) {
  std::map<std::int64_t, std::size_t> rows;
  for (std::size_t row = 0; row < store.rows(table("ranks")); ++row)
    rows.emplace(store.small(column("ranks.id"), row), row);
  for (const Description::Rank& rank : described.ranks) {
    const auto row = rows.find(rank.id);
    if (row == rows.end()) continue;
    if (rank.world_size != absent_integer)
      store.mutable_smalls(column("ranks.world_size"), provider)[row->second] =
          static_cast<std::int32_t>(rank.world_size);
    set_text(store, column("ranks.host"), row->second, rank.host);
  }
}

/// Says on the run's first input which steps are not judged by default, and what they take: those of the rank whose
/// window is the longest, as the number of steps is; else of the first that has any.
void note_one_off_steps(const FactStore& store, InputEntry& input) {
  const TimedSteps timed(store);
  std::vector<OneOffCost> costs =
      excluded_steps(store, timed, static_cast<std::uint32_t>(&store.wall() - store.walls.data()));
  for (std::uint32_t slot = 0; slot < store.walls.size() && costs.empty(); ++slot)
    costs = excluded_steps(store, timed, slot);
  std::vector<std::string> phrases;
  for (const OneOffCost& cost : costs) phrases.push_back(one_off_phrase(cost));
  if (!phrases.empty()) input.notes.push_back(make_note(note_id::steps_set_apart, join(phrases, ", ")));
}

/// Says on the run's first input that some of its values cannot be; which input they came from is not known any more.
void note_impossible_values(const FactStore& store, InputEntry& input) {
  if (store.impossible_times > 0)
    input.notes.push_back(make_note(note_id::impossible_time, {}, store.impossible_times));
  if (store.impossible_statistics > 0)
    input.notes.push_back(make_note(note_id::impossible_statistic, {}, store.impossible_statistics));
}

/// The input of each row that `notes` will have: rows are built in the order of the fragments.
std::vector<std::size_t> inputs_of_notes(const AssembledRun& run) {
  std::vector<std::size_t> inputs;
  for (std::size_t i = 0; i < run.fragments.size(); ++i)
    for (const auto& [sequence, batch] : run.fragments[i].batches)
      inputs.insert(inputs.end(), batch.rows(table("notes")), run.origins[i]);
  return inputs;
}

/// Takes the rows of `notes`, which inputs state.
std::vector<std::pair<std::size_t, NoteEntry>> take_stated_notes(FactStore& store,
                                                                 std::span<const std::size_t> inputs) {
  std::vector<std::pair<std::size_t, NoteEntry>> notes;
  for (std::size_t row = 0; row < store.rows(table("notes")); ++row) {
    const std::int64_t count = store.integer(column("notes.count"), row);
    notes.emplace_back(
        inputs[row], NoteEntry{std::string(store.text(column("notes.id"), row)),
                               note_severity_of(store.text(column("notes.severity"), row)).value_or(NoteSeverity::info),
                               std::string(store.text(column("notes.text"), row)),
                               count > 0 ? static_cast<std::uint64_t>(count) : 1});
  }
  store.clear(table("notes"));
  return notes;
}

void write_notes(FactStore& store, const RunFacts& run, std::span<const InputEntry> inputs) {
  const std::vector<std::size_t>& run_inputs = run.inputs;
  std::vector<const NoteEntry*> notes;
  for (const auto& [input, note] : run.stated_notes) notes.push_back(&note);
  for (std::size_t input : run_inputs)
    for (const NoteEntry& note : inputs[input].notes) notes.push_back(&note);
  store.resize(table("notes"), notes.size());
  for (std::size_t row = 0; row < notes.size(); ++row) {
    set_text(store, column("notes.id"), row, notes[row]->id);
    set_text(store, column("notes.severity"), row, name_of(notes[row]->severity));
    set_text(store, column("notes.text"), row, notes[row]->text);
    store.mutable_integers(column("notes.count"), provider)[row] = static_cast<std::int64_t>(notes[row]->count);
  }
}

}  // namespace

BuildOptions build_options(const LoadOptions& options) {
  return {.cancel = options.cancel,
          .pages = options.release_memory ? HeapPages::release : HeapPages::keep,
          .threads = options.threads};
}

RunFacts build_run(AssembledRun run, std::string id, std::span<InputEntry> inputs, const Scope& scope,
                   const BuildOptions& options) {
  RunFacts facts;
  facts.id = std::move(id);
  facts.label = std::move(run.label);
  facts.inputs = std::move(run.inputs);
  const Description described = describe(run);
  const std::vector<std::size_t> note_inputs = inputs_of_notes(run);
  auto store = std::make_shared<FactStore>(build_facts(std::move(run.fragments), options));
  store->samples_aligned = run.samples_aligned;
  facts.stated_notes = take_stated_notes(*store, note_inputs);
  write_run_row(*store, described, facts.label);
  write_ranks(*store, described);
  stop_if(options.cancel);
  link_facts(*store, options.cancel, options.threads);
  write_notes(*store, facts, inputs);  // where the input was cut, nothing behind it is idle
  facts.ledger = derive(*store, scope, options.cancel, options.threads);
  for (LedgerEntry& entry : facts.ledger) entry.run = facts.id;
  note_impossible_values(*store, inputs[facts.inputs.front()]);
  note_one_off_steps(*store, inputs[facts.inputs.front()]);
  write_notes(*store, facts, inputs);
  facts.store = std::move(store);
  return facts;
}

void report_stated_notes(LoadedFacts& loaded) {
  for (RunFacts& run : loaded.runs) {
    for (auto& [input, note] : run.stated_notes) loaded.inputs[input].notes.push_back(std::move(note));
    run.stated_notes.clear();
  }
}

}  // namespace kdiag
