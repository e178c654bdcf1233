// SPDX-License-Identifier: Apache-2.0
// Which word of a command line is what is asked, and which are traces.
#pragma once

#include "cli/options.hpp"

namespace kdiag::cli {

/// `kdiag --rules a.yaml b.yaml trace.json`: rule files behind the first one. A mistake where no --rules is given: a
/// rule file is no trace.
std::optional<Stop> take_rules_among_traces(Options& options);

/// `kdiag query trace.json`: the only word that is given may be a trace, and so may the first one when it is the name
/// of a file and could not be a name in an expression. `kdiag query trace.json 'count(kernels)'` and `kdiag explain
/// trace.json host.sync-stall`: what is asked may stand behind the traces.
void take_trace_for_subject(Options& options);

/// `kdiag facts trace.json kernels --format csv`: the table behind the traces. A file of its name is meant where no
/// table can be.
void take_table_for_subject(Options& options);

}  // namespace kdiag::cli
