// SPDX-License-Identifier: Apache-2.0
// Steps of a loop that the program does not number: each time it asks for its next batch, one begins.
#pragma once

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Adds `steps` where the input states none: from one range of data loading to the next, on a thread that launches
/// work, if there are at least five of one name and most of the device's work lies behind the first of them. With fewer
/// nobody can say which is usual. Steps are then completed like stated ones.
void add_loop_steps(FactStore& store);

}  // namespace kdiag
