// SPDX-License-Identifier: Apache-2.0
// Command lines that parse and mean nothing.
#pragma once

#include <optional>
#include <string>

#include "cli/options.hpp"

namespace CLI {
class App;
}

namespace kdiag::cli {

/// A mistake on the command line (K697), with what to do about it; without `help`, where help is found.
Stop mistake(const std::string& what, const std::string& help = {});

/// "`kdiag rules check --help` shows what can be given.": of the verb that was given.
std::string help_on(const CLI::App& app);

/// What to say when an argument that the verb needs is not there.
Stop missing_argument(const CLI::App& app);

/// Words that no verb takes, missing files, options that contradict each other; a misspelt name gets the one that was
/// meant.
std::optional<Stop> validate_options(const CLI::App& app, const Options& options);

}  // namespace kdiag::cli
