// SPDX-License-Identifier: Apache-2.0
// Real traces beside the repository, and the questions that tests ask of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/kdiag.hpp>

namespace kdiag::tests {

/// The path of a file below shared/traces.
std::string shared_trace(const std::string& name);
/// The path of the seed whose name begins with a number ("003"); empty where there is none.
std::string shared_seed(const std::string& number);

/// The facts of a file; fails the test when it cannot be read.
Facts load_facts(const std::string& path, const LoadOptions& options = {});

/// The value of an expression on facts with one run.
std::int64_t integer_of(const Facts& facts, const std::string& expression);
double real_of(const Facts& facts, const std::string& expression);

/// Sum of a column over all rows that have it, and the rows of a table, whatever part of the only run is judged.
std::int64_t total(const Facts& facts, ColumnId column);
std::int64_t rows(const Facts& facts, TableId table);

/// The number that a statement gives on a database below shared/traces: what facts are compared with.
std::int64_t sql(const std::string& name, const std::string& statement);

/// The finding of a rule, among the symptoms too; nothing when there is none.
const Finding* find_finding(const std::vector<Finding>& findings, const std::string& rule);

}  // namespace kdiag::tests
