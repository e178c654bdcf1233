// SPDX-License-Identifier: Apache-2.0
// kdiag --format perfetto: the report beside the events, for the Perfetto UI.
#include "cli/timeline.hpp"

#include <kdiag/timeline.hpp>

#include <unistd.h>

#include <string>

#include "cli/command.hpp"
#include "cli/output.hpp"

namespace kdiag::cli {

bool refuses_terminal(const Options& options, std::string_view what) {
  if (!options.output.empty() || ::isatty(STDOUT_FILENO) == 0) return false;
  complain(options, std::string(what) + " is no text for a terminal; name a file: --output FILE");
  return true;
}

int write_timeline(const Options& options, const Facts& facts, const Report& report, int code) {
  OutputStream output(options.output);
  const std::size_t events = write_perfetto(
      facts, report, [&output](std::string_view piece) { return output.write(piece); }, &interrupted);
  if (interrupted) return exit_code::interrupted;
  if (events == 0) {
    complain(options, "there is no timeline to show: no event of the input has an instant");
    return worst({code, exit_code::usage});
  }
  return finish(options, output, code);
}

}  // namespace kdiag::cli
