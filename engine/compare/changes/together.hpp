// SPDX-License-Identifier: Apache-2.0
// What a device, or a host, as a whole became slower by: rows of kind device and host.
#pragma once

#include <optional>
#include <vector>

#include "engine/compare/changes/change.hpp"

namespace kdiag {

/// All launches of a device that both runs have, and how much of them slowed down together:
///  - longer: of their sum; together: the part of them, by what they took before, that takes longer by about as much
///    (within a quarter, judgement);
///  - slower_names: the part of the rows that take longer by an eighth (judgement); alike: these are most of the rows,
///    or they have four fifths of the time, and a tenth of it without the largest (judgement): one kernel is no device.
/// By what they took before: one that became much slower must not outweigh the others. Nothing where no launch says
/// what each takes. `all`: the changes of the device.
std::optional<Change> device_change(const ComparedRuns& runs, const std::vector<Change>& all,
                                    const ComparedPlace& place);

/// The operators of a rank that both runs have and that do not wait for the device, if they are of three names and more
/// (judgement), else its launch calls: the median of what each takes longer, and the part of them that takes longer by
/// more than half as much. Nothing where there are none.
std::optional<Change> host_change(const std::vector<Change>& operators, const std::vector<Change>& calls,
                                  const ComparedPlace& place);

}  // namespace kdiag
