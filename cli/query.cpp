// SPDX-License-Identifier: Apache-2.0
// kdiag query: evaluates expressions.
#include "cli/verbs.hpp"

#include "cli/command.hpp"

namespace kdiag::cli {

int answer_query(Options& options) {
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  if (!facts) return code;
  const Result<QueryAnswer> answer = query(*facts, options.subject);
  if (!answer) {
    complain(options, answer.error());
    return exit_code::usage;
  }
  return print(options, options.format == Format::json ? answer->json : answer->text,
               worst({unreadable(options, *facts),
                      options.strict && answer->unknown ? exit_code::inconclusive : exit_code::ok}));
}

}  // namespace kdiag::cli
