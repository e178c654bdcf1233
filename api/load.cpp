// SPDX-License-Identifier: Apache-2.0
// Loading: inputs -> fragments -> runs -> Facts.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/io/temporary_file.hpp"
#include "api/log_notes.hpp"
#include "base/stopwatch.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "ingest/assemble.hpp"
#include "ingest/build_loaded.hpp"
#include "ingest/build_run.hpp"
#include "ingest/merge_views.hpp"
#include "ingest/names/steps_in_path.hpp"
#include "ingest/reading.hpp"
#include "ingest/scope.hpp"

namespace kdiag {
namespace {

Result<Facts> build(Result<ReadInputs> inputs, const LoadOptions& options) {
  if (!inputs) return std::move(inputs.error());
  const Stopwatch watch;
  auto loaded = std::make_shared<LoadedFacts>();
  loaded->read_seconds = inputs->seconds;
  loaded->inputs = std::move(inputs->entries);
  Assembly assembly = assemble(std::move(inputs->fragments));
  if (auto refused = too_many_runs(assembly)) return Diagnostics{std::move(*refused)};
  for (auto& [input, note] : assembly.notes) loaded->inputs[input].notes.push_back(std::move(note));
  const Scope scope = to_scope(options.scope);
  for (AssembledRun& run : assembly.runs) {
    stop_if(options.cancel);
    for (auto& [input, note] : merge_views(run)) loaded->inputs[input].notes.push_back(std::move(note));
    loaded->runs.push_back(
        build_run(std::move(run), run_id(loaded->runs.size()), loaded->inputs, scope, build_options(options)));
  }
  report_stated_notes(*loaded);
  loaded->derive_seconds = watch.seconds();
  if (Diagnostics wrong = check_scope(options.scope, loaded->runs); !wrong.empty()) return wrong;
  return Facts(std::move(loaded));
}

}  // namespace

Result<Facts> build_loaded(Result<ReadInputs> inputs, const LoadOptions& options) {
  try {
    Result<Facts> facts = build(std::move(inputs), options);
    if (facts) log_notes(options.log, *facts);
    return facts;
  } catch (const Interrupted&) {
    return cancelled_error();
  }
}

const std::vector<InputEntry>& Facts::inputs() const { return loaded_->inputs; }

Result<Facts> load_traces(std::span<const std::string> paths, const LoadOptions& options) {
  LoadOptions part = options;
  std::vector<std::string> files;
  for (const std::string& text : paths) {
    PathWithSteps named = split_steps(text);
    if (named.steps && named.steps->first > named.steps->second)
      return load_error(refusal_id::empty_selection, "the steps of " + text + " end before they begin",
                        "Give the first step first: " + named.path + "@" + std::to_string(named.steps->second) + ".." +
                            std::to_string(named.steps->first) + ".");
    if (named.steps && !files.empty() && part.scope.steps != named.steps)
      return load_error(refusal_id::empty_selection, "the inputs of one run name different steps",
                        "Give the same steps of each: a.json@10..20 b.json@10..20.");
    if (named.steps) part.scope.steps = named.steps;
    files.push_back(std::move(named.path));
  }
  return build_loaded(read_inputs(files, part), part);
}

Result<Facts> load_traces(std::initializer_list<std::string_view> paths, const LoadOptions& options) {
  return load_traces(std::vector<std::string>(paths.begin(), paths.end()), options);
}

Result<Facts> load_trace(std::string_view path, const LoadOptions& options) {
  const std::string one(path);
  return load_traces({&one, 1}, options);
}

Result<Facts> load_trace(std::string_view name, std::span<const char> bytes, const LoadOptions& options) {
  const TraceInput input = TraceInput::memory(std::string(name), bytes);
  return load_inputs({&input, 1}, options);
}

void remove_temporary_files() noexcept { adapters::remove_temporary_files(); }

Result<Facts> load_inputs(std::span<const TraceInput> inputs, const LoadOptions& options) {
  return build_loaded(read_inputs(inputs, options), options);
}

}  // namespace kdiag
