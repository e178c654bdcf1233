// SPDX-License-Identifier: Apache-2.0
#include "cli/gates.hpp"

#include <kdiag/gate.hpp>

#include "cli/command.hpp"

namespace kdiag::cli {

int apply_gates(const Options& options, GateScope usual, Report& report) {
  report.gates = check_gates(report, {.fail_on = options.fail_on,
                                      .fail_above = options.fail_above,
                                      .strict = options.strict,
                                      .scope = options.gate.value_or(usual)});
  int code = exit_code::ok;
  for (const GateEntry& gate : report.gates) {
    switch (gate.outcome) {
      case GateOutcome::passed: break;
      case GateOutcome::failed: code = worst({code, exit_code::findings}); break;
      case GateOutcome::inconclusive:
        if (options.strict) code = worst({code, exit_code::inconclusive});
        break;
      case GateOutcome::invalid:  // a gate that looks at nothing must not pass
        complain(options, gate.condition + ": " + gate.reason);
        code = worst({code, exit_code::usage});
    }
  }
  return code;
}

}  // namespace kdiag::cli
