// SPDX-License-Identifier: Apache-2.0
// `kdiag help TOPIC`: how a verb is called, and what else has to be known of the command, of rules and their language.
#pragma once

#include <string>
#include <vector>

#include "cli/options.hpp"

namespace CLI {
class App;
}

namespace kdiag::cli {

/// A topic of its own, which is no verb and no name.
struct HelpPage {
  std::string name, about, text;
};
/// All of them.
std::vector<HelpPage> help_pages();

/// What the exit codes of all verbs say.
extern const char* const exit_codes;

/// The text of a topic, whose words may be several arguments: a verb ("rules check"), a topic of its own
/// ("exit-codes"), the id of a built-in rule, or a table, column, function or series. Without words the list of topics.
/// A mistake, with what was probably meant, when there is no such topic.
Stop help_on_topic(const CLI::App& app, const std::vector<std::string>& words);

}  // namespace kdiag::cli
