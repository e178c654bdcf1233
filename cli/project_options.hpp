// SPDX-License-Identifier: Apache-2.0
// What the project file says where the command line does not.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "cli/options.hpp"

namespace CLI {
class App;
}

namespace kdiag::cli {

/// The names of all options that were given: "--fail-on".
std::set<std::string, std::less<>> given_options(const CLI::App& app);

/// The project file that holds for the command: that of --config, else the one that is found; empty: none.
std::string project_file(const Options& options);

/// Reads the project file, for verbs that judge traces or show rules, and takes from it what the command line does not
/// say. What is wrong with the file ends the command.
std::optional<Stop> apply_project(Options& options);

}  // namespace kdiag::cli
