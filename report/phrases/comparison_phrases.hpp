// SPDX-License-Identifier: Apache-2.0
// What a report says of a comparison, the same words in text and Markdown; unescaped, as all phrases are.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>

namespace kdiag::report {

/// "+4.44 s", "-3.3 ms": a difference of times, always with its sign.
std::string signed_duration(std::int64_t ns);
/// "+12 %", "-83 %".
std::string signed_share(double share);

/// "REGRESSION".
std::string verdict_word(Verdict verdict);

/// Which steps at the edges of the runs are set apart; empty: none.
std::string edges_phrase(const CycleEntry& cycle);

/// "6.29 s -> 1.07 s per step, -83 % (5.9x faster)"; empty without times.
std::string cycle_phrase(const Comparison& comparison);
/// Whether the verdict is that of the means: the medians are within the noise.
bool told_by_means(const Comparison& comparison);
/// Why the verdict is what it is: "+52 % is beyond the noise floor of 2 % that the cycles show (p 0.0003); medians of
/// 12 and 10 cycles."
std::string reason_phrase(const Comparison& comparison);
/// What several recordings of the normal run say of it, or that one recording cannot tell; empty where neither is so.
std::string healthy_phrase(const HealthyRuns& healthy);
/// What the medians do not show: outliers, means, 90th percentiles; empty when they agree with the medians.
std::string tail_phrase(const CycleEntry& cycle);

/// "per cycle, GPU 0, measured on the timeline".
std::string decomposed_phrase(const DecompositionBasis& basis);
/// A regression in sentences, for who sees nothing else: by how much, above which noise, and where most of it went.
std::string regression_phrase(const Comparison& comparison);
/// Whether a name changed by enough to be worth a line, of the difference and of the cycle.
bool is_material(const ChangeEntry& change, const Comparison& comparison);
/// "aten::item: 492 calls, 9.24 ms -> 213 us each".
std::string change_phrase(const ChangeEntry& change);
/// "0.86 of 1, lowered by what differs or is not known:"
std::string comparability_phrase(const ComparabilityEntry& comparability);
/// "kernels: 61 names -> 62 names, 97.7 % in common by calls (weight 0.9 %)".
std::string difference_phrase(const DifferenceEntry& difference);
/// What the nature of the difference means to who looks for its cause; empty when unknown.
std::string nature_phrase(const Comparison& comparison);
/// That a run is faster although its device is less busy, or slower although it is busier; empty where neither is so.
std::string utilization_phrase(const Comparison& comparison);
/// Why findings that are new leave a neutral run as long as it was; empty when they do not, or it is not known.
std::string hidden_phrase(const Comparison& comparison);
/// "4.5 s -> 0.1 s; promised a gain of 3.9 to 4.5 s, got 4.4 s; its check holds".
std::string fate_phrase(const FindingChange& fate);

}  // namespace kdiag::report
