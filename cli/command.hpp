// SPDX-License-Identifier: Apache-2.0
// What the verbs share: complaints, rules, printing, exit codes.
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/refusal_ids.hpp>

#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/rule_paths.hpp"
#include "cli/signals.hpp"

namespace kdiag::cli {

/// Puts something that cannot be used in the place of standard streams that are closed. Call before any file is opened.
void open_standard_streams();

/// Of several exit codes the first in the list of docs/report.md.
int worst(std::initializer_list<int> codes);

/// Whether to colour what goes to a stream: only on a terminal that shows colours and a user who wants them.
bool colors_wanted(const Options& options, int stream);

/// Prints diagnostics, or one sentence as an error (K698), to standard error.
void complain(const Options& options, const Diagnostics& diagnostics);
void complain(const Options& options, std::string title);
/// The same as a warning, which --quiet leaves out.
void warn(const Options& options, std::string title, std::string_view id = refusal_id::usage);

/// Prints a result to standard output or the file of `--output`; `code` is what the result means.
int print(const Options& options, std::string text, int code);
/// Ends an output that was written piece by piece; `code` as above. Says so where it could not all be written.
int finish(const Options& options, OutputStream& output, int code);

/// Whether rule files were found where the command line says, some at least where they are needed. When not it says
/// why.
bool all_found(const Options& options, const RulePaths& paths, bool needed);

/// Loads rule files with the built-in packs; no file means these alone. Errors and warnings go to standard error; so
/// does that the project's lock pins others.
std::optional<RuleSet> load_rule_set(const Options& options, const std::vector<std::string>& files);

/// The same without looking at the lock of the project: for what writes it.
std::optional<RuleSet> load_unlocked(const Options& options, const std::vector<std::string>& files);

/// Keeps what a handle holds to the end of the process, at which the system frees all memory at once: one by one, rules
/// and facts take a tenth of a small diagnosis.
template <class Handle>
void keep_to_the_end(const Handle& handle) {
  static auto& kept = *new std::vector<Handle>;
  kept.push_back(handle);
}

/// What inputs that gave nothing mean: exit code 2 where none gave anything, under --strict where one did not.
int unreadable(const Options& options, std::span<const InputEntry> inputs);
inline int unreadable(const Options& options, const Facts& facts) { return unreadable(options, facts.inputs()); }

}  // namespace kdiag::cli
