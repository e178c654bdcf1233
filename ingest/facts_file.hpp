// SPDX-License-Identifier: Apache-2.0
// Writes facts as a facts file, schema "kdiag.facts/1": docs/facts-file.md.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <kdiag/fact.hpp>
#include <kdiag/report.hpp>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Takes the file piece by piece; false when no more is wanted.
using FactsOutput = std::function<bool(std::string_view)>;

bool write_facts_header(const FactsOutput& output);

/// A run with all tables of a store and the notes on it. Facts as built, before they are linked: what follows from
/// them is left to the reader.
bool write_facts_run(const RunInfo& run, const FactStore& store, std::span<const NoteEntry> notes,
                     const FactsOutput& output);

}  // namespace kdiag
