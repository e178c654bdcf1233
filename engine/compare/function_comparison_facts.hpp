// SPDX-License-Identifier: Apache-2.0
// The comparison of functions, from facts and into facts.
#pragma once

#include <span>
#include <vector>

#include "engine/compare/function_comparison.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// What the tables `functions` and `function_metrics` say of the judged cycles (in scope, neither warm-up nor cut
/// short): an entry per function, device and metric; one without a metric for functions of which no metric is known. A
/// share is functions.total over the length of the cycle, `steps.dur` of the step with that index; times of one
/// function in one cycle add up. Functions without device are the host's. Left out: rows whose cycle has no length or,
/// in a recording of several processes, more than one. Cycles without a row of a function do not count as 0: at the
/// edge of a recording they are not complete. `work`: how many times the work of the smaller cycle of both runs one
/// does; times are of that.
std::vector<MetricSamples> function_samples(const FactStore& store, double work = 1, CancelFlag cancel = nullptr);

/// Makes the rows of a comparison the table `comparisons` of the abnormal run; shares become ratios.
void add_comparisons(FactStore& store, std::span<const FunctionComparison> rows);

}  // namespace kdiag
