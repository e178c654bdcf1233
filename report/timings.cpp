// SPDX-License-Identifier: Apache-2.0
// What a diagnosis cost, as text.
#include <kdiag/timings.hpp>

#include "report/cost_table.hpp"

namespace kdiag {

std::string timings_text(const Timings& timings, double report_seconds, std::size_t most) {
  const double judging = seconds_of(timings.by_rule) + seconds_of(timings.by_expression);
  return "timings, by the clock on the wall\n" + timing_line("rules", timings.rules, "reading and checking rules") +
         timing_line("read", timings.read, "reading the inputs") +
         timing_line("derive", timings.derive, "joining them to runs, linking, deriving facts") +
         timing_line("judge", timings.judge,
                     "judging and ranking; rules took " + time_text(timings.evaluate) + " of all threads together, " +
                         time_text(judging) + " of which is listed") +
         timing_line("report", report_seconds, "printing the report") +
         dearest("rules", timings.by_rule, judging, most) + dearest("shared", timings.by_expression, judging, most);
}

}  // namespace kdiag
