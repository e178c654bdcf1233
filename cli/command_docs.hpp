// SPDX-License-Identifier: Apache-2.0
// Documents for the system, made of the command's own definition: the manual page, completion for shells.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace kdiag::cli {

/// A document by its kind: man, bash, zsh or fish; nothing for another word.
std::optional<std::string> command_document(const CLI::App& app, std::string_view kind);

}  // namespace kdiag::cli
