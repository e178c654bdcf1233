// SPDX-License-Identifier: Apache-2.0
// Documents for the system, made of the command's own definition: the manual page, completion for shells.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace kdiag::cli {

/// A verb with the words that lead to it: "" for the command itself, "rules check".
struct VerbEntry {
  std::string path;
  const CLI::App* app;
};
/// The command and all its verbs, in the order of their help.
std::vector<VerbEntry> verbs_of(const CLI::App& app);

/// A text as one word of a shell.
std::string shell_quoted(const std::string& text);

/// A document by its kind: man, bash, zsh or fish; nothing for another word.
std::optional<std::string> command_document(const CLI::App& app, std::string_view kind);

}  // namespace kdiag::cli
