// SPDX-License-Identifier: Apache-2.0
// Turns the facts that a rule's test states into what an adapter would have read.
#pragma once

#include <cstddef>

#include <kdiag/result.hpp>

#include "engine/facts/fact_builder.hpp"
#include "engine/ruleset/rule.hpp"

namespace kdiag {

/// Rows that one test may state, generated ones included (judgement: keeps a test of a second from taking memory of
/// minutes).
inline constexpr std::size_t most_test_rows = 1'000'000;

/// Of which run of a test facts are meant.
enum class TestRun { judged, baseline };

/// The stated tables as one fragment of an input called like the test; linking and deriving are the caller's.
/// Tables and columns that are not mentioned are absent; `table: []` is recorded and empty.
///
/// Values have the unit of their column (`dur: 5us`, `sm_clock_avg: 210MHz`; `value` of samples that of its series).
/// `start: 0us+20us*1000` makes 1000 rows 20 us apart. References are written as the id of what they refer to
/// (`device: 0`, `stream: 7`, `step: 3`; of another rank `device: 1:0`), of tables without ids as the number of the
/// row from 0 (`launch: 2`, `launch: 0+1*1000` in a series) or the name of the first one so called (`op: aten::item`).
/// Devices, ranks, streams, threads and steps that are only referred to are created.
///
/// Errors, all at once, with places: K112, K220-K223, K301, K302, K309, K320.
Result<Fragment> test_facts(const RuleTest& test, TestRun run = TestRun::judged);

}  // namespace kdiag
