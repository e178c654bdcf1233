// SPDX-License-Identifier: Apache-2.0
// kdiag facts and formats: what traces hold, and what can be read.
#include "cli/verbs.hpp"

#include "cli/command.hpp"

namespace kdiag::cli {

int show_facts(Options& options) {
  if (options.catalogue) return print(options, catalogue_text(), exit_code::ok);
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  if (!facts) return code;
  return print(options, options.format == Format::json ? facts_json(*facts) : facts_text(*facts),
               unreadable(options, *facts));
}

int show_formats(const Options& options) { return print(options, formats_text(), exit_code::ok); }

}  // namespace kdiag::cli
