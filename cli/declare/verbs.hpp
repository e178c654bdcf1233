// SPDX-License-Identifier: Apache-2.0
// The verbs below the command, family by family, each with its options and help.
#pragma once

namespace CLI {
class App;
}

namespace kdiag::cli {

class OptionGroups;

/// Verbs that judge traces, or ask what a judgement rests on.
void declare_judging_verbs(CLI::App& app, OptionGroups& groups);

/// Verbs about what kdiag reads.
void declare_input_verbs(CLI::App& app, OptionGroups& groups);

/// Verbs about a project: its file, its waivers, its packs.
void declare_project_verbs(CLI::App& app, OptionGroups& groups);

/// Verbs that answer other programs.
void declare_server_verbs(CLI::App& app, OptionGroups& groups);

/// Verbs for who writes rules.
void declare_rule_verbs(CLI::App& app, OptionGroups& groups);

}  // namespace kdiag::cli
