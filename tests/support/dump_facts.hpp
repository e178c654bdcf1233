// SPDX-License-Identifier: Apache-2.0
// Facts as text, to be compared with what a test expects.
#pragma once

#include <string>

#include "engine/facts/fact_store.hpp"
#include "tests/support/collecting_sink.hpp"

namespace kdiag::tests {

/// Every table that is present, with its columns that have values and all rows: strings in quotes, references as
/// `#row`, absent values as `-`. The text depends on the facts alone.
std::string dump_facts(const FactStore& facts);

/// What an adapter made of an input: each run with its facts, then the notes and the count of records. Consumes the
/// sink's fragments.
std::string dump_input(CollectingSink& sink);

}  // namespace kdiag::tests
