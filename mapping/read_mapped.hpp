// SPDX-License-Identifier: Apache-2.0
// Reads an input by a mapping, as an adapter reads its format.
#pragma once

#include <kdiag/adapter.hpp>

#include "mapping/loaded_map.hpp"

namespace kdiag::mapping {

/// Reads all of an input that the mapping is for. Record by record, in memory proportional to the facts. Bad records
/// are noted with their first line and skipped; an error is for an input of which nothing can be read.
Status read_mapped(const LoadedMap& map, Input& input, FactSink& sink);

}  // namespace kdiag::mapping
