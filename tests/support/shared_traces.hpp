// SPDX-License-Identifier: Apache-2.0
// Real traces beside the repository, and the questions that tests ask of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

namespace kdiag::test {

/// The path of a file below shared/traces.
std::string shared_trace(const std::string& name);

/// The facts of a file; fails the test when it cannot be read.
Facts load_facts(const std::string& path, const LoadOptions& options = {});

/// The value of an expression on facts with one run.
std::int64_t integer_of(const Facts& facts, const std::string& expression);
double real_of(const Facts& facts, const std::string& expression);

/// The finding of a rule, among the symptoms too; nothing when there is none.
const Finding* find_finding(const std::vector<Finding>& findings, const std::string& rule);

}  // namespace kdiag::test
