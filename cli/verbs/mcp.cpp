// SPDX-License-Identifier: Apache-2.0
// kdiag mcp: the tools of an assistant, over standard input and output.
#include "serve/mcp/mcp.hpp"

#include <unistd.h>

#include <cstdio>
#include <exception>
#include <optional>
#include <utility>

#include "cli/command.hpp"
#include "cli/help_topics.hpp"
#include "cli/verbs.hpp"
#include "serve/mcp/tool_error.hpp"

namespace kdiag::cli {

int serve_assistant(const Options& options) {
  const RulePaths paths = rule_files(options.rules);
  if (!all_found(options, paths, !options.rules.empty())) return exit_code::rules;
  serve::mcp::McpOptions chosen;
  chosen.roots = options.roots;
  chosen.load = options.load;
  chosen.rule_options = options.rule_options;
  chosen.rules = paths.files;
  if (options.most_ms > 0) chosen.most_ms = options.most_ms;
  for (HelpPage& page : help_pages())
    chosen.pages.push_back({std::move(page.name), std::move(page.about), std::move(page.text)});
  try {
    return serve::mcp::serve(chosen, STDIN_FILENO, STDOUT_FILENO).value_or(exit_code::ok);
  } catch (const serve::mcp::ToolError& error) {
    complain(options, error.what());
    return exit_code::usage;
  }
}

}  // namespace kdiag::cli
