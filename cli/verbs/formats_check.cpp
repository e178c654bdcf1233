// SPDX-License-Identifier: Apache-2.0
// kdiag formats check: finds what is wrong with mappings of custom formats.
#include "cli/verbs.hpp"

#include "cli/check_verdict.hpp"
#include "cli/command.hpp"

namespace kdiag::cli {

int check_maps(const Options& options) {
  Diagnostics diagnostics;
  for (const std::string& file : options.files)
    if (const Result<TraceMap> map = load_map(file, &interrupted); !map)
      diagnostics.insert(diagnostics.end(), map.error().begin(), map.error().end());
  if (options.format == Format::text) complain(options, diagnostics);
  return print(options, render_check(options, options.files.size(), diagnostics),
               diagnostics.empty() ? exit_code::ok : exit_code::rules);
}

}  // namespace kdiag::cli
