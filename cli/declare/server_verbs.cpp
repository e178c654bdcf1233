// SPDX-License-Identifier: Apache-2.0
// Verbs that answer other programs over standard input and output.
#include <CLI/CLI.hpp>

#include "cli/declare/option_groups.hpp"
#include "cli/declare/verbs.hpp"

namespace kdiag::cli {

void declare_server_verbs(CLI::App& app, OptionGroups& groups) {
  groups.verb(
      app, "mcp", "Serve the tools of an assistant (Model Context Protocol on stdio)", Verb::mcp,
      R"(  kdiag mcp                                    for a client's configuration: command kdiag, arguments mcp
  kdiag mcp --root traces --root nightly       what may be read; else the working directory
It reads only, opens no connection, and ends with its input. docs/agents.md)",
      [&](CLI::App& mcp) {
        mcp.add_option("--root", groups.options().roots,
                       "A folder that may be read, with all below it; may be repeated")
            ->type_name("FOLDER")
            ->allow_extra_args(false);
        mcp.add_option("--rules", groups.options().rules, "A rule file, added to the built-in rules; may be repeated")
            ->type_name("FILE")
            ->allow_extra_args(false);
        mcp.add_flag("--no-lua", groups.options().no_lua, "Refuse rules in Lua; built-in ones are left out");
        groups.limits(mcp, "How long each call may take (default: 60s)");
      });
  groups.verb(app, "lsp", "Serve an editor that is started with it, over standard input and output", Verb::lsp,
              "  kdiag lsp                                    docs/editors.md: how editors are told of it",
              [](CLI::App&) {});
}

}  // namespace kdiag::cli
