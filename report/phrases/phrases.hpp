// SPDX-License-Identifier: Apache-2.0
// What a report says of a run, the same words in text and Markdown. Phrases are unescaped: they may hold names from
// traces, so the renderer that prints one makes it harmless.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/report.hpp>

#include "base/phrases.hpp"
#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// "kdiag 0.1".
std::string product_phrase(const Report& report);

/// "run A of 2", with its label where that says more; the label alone of an only run.
std::string run_phrase(const RunView& view);

/// What a run is, in parts: "tb-plugin", "run A of 2", "MLU 0", "6.29 s of stated steps",
/// "34 rules: 3 fired, 24 clear, 7 inconclusive".
std::vector<std::string> run_phrases(const RunView& view);

/// "rank 3 GPU 0"; without a device "rank 3"; without both "run".
std::string device_phrase(const RunView& view, std::optional<std::int64_t> rank, std::optional<std::int64_t> device);

/// "GPU", "NPU", ...: what all devices of the run are; "device" where they differ.
std::string device_kind(const RunView& view);

/// Why a rule could not tell: "missing sm_clock samples"; `reason` when it is not a fact that is missing.
std::string missing_phrase(const std::vector<MissingEntry>& missing, const std::string& reason);

/// What the best recording would bring of what the rules of a group lack, two facts at most.
std::vector<MissingEntry> first_missing(const Unresolved& group);

/// The same with how to record them: "missing sm_clock samples. Record: nvidia-smi ..."; unless `all`, only what the
/// best recording brings.
std::string unresolved_phrase(const Unresolved& group, bool all);

/// Whether a run was only read, not judged: a baseline.
bool judged_nothing(const RunView& view);

/// What is said when there is no finding.
std::string clean_phrase(const RunView& view);

/// A note on an input, with others that say the same.
struct InputNote {
  const InputEntry* input;  ///< the first that has it
  const NoteEntry* note;
  std::uint64_t count;  ///< of all of them
  std::set<const InputEntry*> others;
};
/// In the order of the inputs.
std::vector<InputNote> notes_of(const Report& report);

/// "trace.json: the input ends in the middle of a record [K600]", with the count when there are several.
std::string note_phrase(const Report& report, const InputNote& of);

/// Whether a note tells of something lost, which may be why a rule is clear: printed before any verdict.
bool is_damage(const NoteEntry& note);
/// "ERROR" or "DATA LOSS".
std::string damage_word(const NoteEntry& note);

/// "--fail-on high: failed, host.sync-stall (critical) came or grew."
std::string gate_phrase(const GateEntry& gate);

/// "CRITICAL".
std::string severity_word(Severity severity);

}  // namespace kdiag::report
