// SPDX-License-Identifier: Apache-2.0
// kdiag lsp: serves an editor over standard input and output.
#include <unistd.h>

#include <csignal>

#include "cli/verbs.hpp"
#include "serve/lsp/language_server.hpp"

namespace kdiag::cli {

int serve_editor() {
  // It waits for its input, and has nothing to put in order.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  return serve::run_language_server(STDIN_FILENO, STDOUT_FILENO);
}

}  // namespace kdiag::cli
