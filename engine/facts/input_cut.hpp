// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/facts/fact_store.hpp"

namespace kdiag {

/// Whether a file of the run ends before its recording did, as its notes say: what came behind is not known, and of
/// what came before rows may be missing, since few formats write rows in order of time.
bool input_was_cut(const FactStore& store);

/// Whether a table of totals has only some of its rows, as its notes say.
bool table_was_shortened(const FactStore& store);

}  // namespace kdiag
