// SPDX-License-Identifier: Apache-2.0
// `kdiag facts --export`: what traces state, as a facts file.
#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>
#include <kdiag/tools.hpp>

#include "base/interrupt.hpp"
#include "engine/facts/fact_builder.hpp"
#include "engine/facts/note_table.hpp"
#include "ingest/align.hpp"
#include "ingest/assemble.hpp"
#include "ingest/build_run.hpp"
#include "ingest/collect_sink.hpp"
#include "ingest/facts_file.hpp"
#include "ingest/merge_views.hpp"
#include "ingest/read_inputs.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

/// Writes runs. Those of telemetry alone stay apart: the reader joins them with what they overlap, as with any input.
class Exporter {
 public:
  /// Building throws Interrupted once it is cancelled.
  Exporter(const ReadInputs& inputs, const FactsOutput& output, const BuildOptions& options)
      : inputs_(inputs.entries), output_(output), options_(options) {
    for (std::size_t input = 0; input < inputs_.size(); ++input)
      if (std::none_of(inputs.fragments.begin(), inputs.fragments.end(),
                       [input](const SourceFragment& source) { return source.input == input; }))
        unread_.push_back(input);
  }

  /// The notes of an input that a run does not use any more stand beside those of the next that is written.
  void set_aside(std::size_t input) { unread_.push_back(input); }

  bool write(AssembledRun run) {
    std::vector<Fragment> traces;
    std::vector<std::size_t> trace_inputs;
    std::vector<std::pair<Fragment, std::size_t>> samples;
    for (std::size_t i = 0; i < run.fragments.size(); ++i) {
      if (run.fragments[i].info.telemetry) samples.emplace_back(std::move(run.fragments[i]), run.origins[i]);
      else {
        trace_inputs.push_back(run.origins[i]);
        traces.push_back(std::move(run.fragments[i]));
      }
    }
    if (!traces.empty() && !write_traces(std::move(run.label), std::move(traces), trace_inputs)) return false;
    return std::all_of(samples.begin(), samples.end(),
                       [this](auto& sample) { return write_samples(std::move(sample.first), sample.second); });
  }

 private:
  bool write_traces(std::string label, std::vector<Fragment> fragments, const std::vector<std::size_t>& inputs) {
    RunInfo info;
    info.label = std::move(label);
    info.producer = fragments.front().info.producer;
    info.clock = fragments.front().info.clock;
    if (fragments.size() == 1) info = with_label(fragments.front().info, info.label);
    else state_ranks(fragments);
    return write_built(info, std::move(fragments), inputs);
  }

  /// Telemetry that lies in several runs is a part of each, and written once.
  bool write_samples(Fragment fragment, std::size_t input) {
    const Interval span = extent(fragment).value_or(Interval{});
    if (!samples_.emplace(input, span.start, span.end).second) return true;
    const RunInfo info = fragment.info;
    std::vector<Fragment> one;
    one.push_back(std::move(fragment));
    return write_built(info, std::move(one), {input});
  }

  bool write_built(const RunInfo& info, std::vector<Fragment> fragments, std::vector<std::size_t> inputs) {
    const FactStore store = build_facts(std::move(fragments), options_);
    std::vector<NoteEntry> notes;
    inputs.insert(inputs.end(), unread_.begin(), unread_.end());
    unread_.clear();
    for (const std::size_t input : std::set<std::size_t>(inputs.begin(), inputs.end()))
      notes.insert(notes.end(), inputs_[input].notes.begin(), inputs_[input].notes.end());
    if (store.impossible_times > 0) notes.push_back(make_note(note_id::impossible_time, {}, store.impossible_times));
    if (store.impossible_statistics > 0)
      notes.push_back(make_note(note_id::impossible_statistic, {}, store.impossible_statistics));
    return write_facts_run(info, store, notes, output_);
  }

  static RunInfo with_label(RunInfo info, std::string label) {
    info.label = std::move(label);
    return info;
  }

  /// What the description of an input says of its rank becomes values of the rank's row.
  static void state_ranks(std::vector<Fragment>& fragments) {
    for (Fragment& fragment : fragments) {
      if (!fragment.info.rank) continue;
      Batch batch;
      const Row rank = batch.rank(*fragment.info.rank);
      if (fragment.info.world_size) batch.set(rank, column("ranks.world_size"), *fragment.info.world_size);
      if (!fragment.info.host.empty()) batch.set(rank, column("ranks.host"), std::string_view(fragment.info.host));
      fragment.batches.emplace_back(UINT64_MAX, std::move(batch));
    }
  }

  const std::vector<InputEntry>& inputs_;
  const FactsOutput& output_;
  const BuildOptions options_;
  std::vector<std::size_t> unread_;  ///< inputs of which nothing is used: the next run carries their notes
  std::set<std::tuple<std::size_t, std::int64_t, std::int64_t>> samples_;
};

Status write_inputs(Result<ReadInputs> inputs, const FactsOutput& output, const LoadOptions& options) {
  if (!inputs) return std::move(inputs.error());
  if (!write_facts_header(output)) return ok_status();
  Exporter exporter(*inputs, output, build_options(options));
  Assembly assembly = assemble(std::move(inputs->fragments));
  for (AssembledRun& run : assembly.runs) {
    stop_if(options.cancel);
    for (auto& [input, note] : merge_views(run)) {
      inputs->entries[input].notes.push_back(std::move(note));
      exporter.set_aside(input);
    }
    if (!exporter.write(std::move(run))) break;
  }
  return ok_status();
}

/// The host's output; what it throws is the failure of the export, and it is given no more.
bool give_to_host(const FactsOutput& output, std::string_view piece, std::optional<Diagnostic>& failure) {
  const auto failed = [&failure](std::string_view what) {
    failure = load_error(refusal_id::facts_file_output, "the output of the facts file failed: " + std::string(what));
    return false;
  };
  try {
    return output(piece);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return failed(error.what());
  } catch (...) {
    return failed("it threw what is no std::exception");
  }
}

}  // namespace

Status export_facts(std::span<const std::string> paths, const FactsOutput& output, const LoadOptions& options) {
  if (!output)
    return load_error(refusal_id::facts_file_output, "there is no output for the facts file",
                      std::string(mistake_of_host));
  std::optional<Diagnostic> failure;
  const FactsOutput guarded = [&](std::string_view piece) {
    stop_if(options.cancel);
    return give_to_host(output, piece, failure);
  };
  try {
    Status written = write_inputs(read_inputs(paths, options), guarded, options);
    return failure ? Status(*failure) : std::move(written);
  } catch (const Interrupted&) {
    return cancelled_error();
  }
}

}  // namespace kdiag
