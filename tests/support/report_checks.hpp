// SPDX-License-Identifier: Apache-2.0
// What must hold for the values of any report, whatever the input: broken, cut or mutated ones, too. Without Catch2, so
// that programs other than the unit tests can ask.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

namespace kdiag::tests {

/// Rank and device of an account, as messages of tests name them: "0/1", "-" for one that it does not have.
std::string place_of(const std::optional<std::int64_t>& rank, const std::optional<std::int64_t>& device);

/// What cannot be, each with its place ("finding gpu.x of run A: impact 7 ns above the wall of 5 ns"); empty: all can.
/// Numbers that are not finite, negative times, shares above 1, claims above the wall or of less than their low end,
/// accounts whose lines do not add up, percents in texts that a share of the wall cannot have, counts that do not
/// agree, and facts that no column may hold.
/// `facts`: those that the report is about; of a comparison the abnormal side.
/// Impacts that rules of a user claim are not bounded: pass reports of the built-in rules.
std::vector<std::string> check_values(const Report& report, const Facts& facts);

/// What any form of the report would do to who reads it (inert.hpp), and forms without a word; empty: nothing.
std::vector<std::string> check_forms(const Report& report, const Facts& facts);

}  // namespace kdiag::tests
