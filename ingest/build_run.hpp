// SPDX-License-Identifier: Apache-2.0
// Turns an assembled run into its facts: build, link, derive, describe.
#pragma once

#include <span>
#include <string>

#include <kdiag/kdiag.hpp>
#include <kdiag/report.hpp>

#include "base/interrupt.hpp"
#include "engine/facts/fact_builder.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "ingest/assemble.hpp"

namespace kdiag {

/// Builds the facts of a run. `inputs` are all inputs, with their notes: those of the run's become rows of `notes`.
/// Adds K689 to its first input when steps are set apart.
RunFacts build_run(AssembledRun run, std::string id, std::span<InputEntry> inputs, const Scope& scope,
                   const BuildOptions& options);

/// How what was loaded with `options` is built.
BuildOptions build_options(const LoadOptions& options);

/// Adds the notes that inputs themselves state (facts files, of the trace they were made of) to those on them. Once all
/// runs are built: each run's table `notes` has its own.
void report_stated_notes(LoadedFacts& loaded);

}  // namespace kdiag
