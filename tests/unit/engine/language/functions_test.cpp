// SPDX-License-Identifier: Apache-2.0
// The table of functions: each row is whole, and is found by its name.
#include "engine/language/functions.hpp"

#include <set>

#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"

using namespace kdiag;

TEST_CASE("each function has one row, which says how to check and document it", "[engine][functions]") {
  std::set<std::string_view> names;
  for (const Function& function : function_table()) {
    CAPTURE(function.name);
    CHECK(names.insert(function.name).second);
    CHECK(find_function(function.name) == &function);
    CHECK(function.check != nullptr);
    CHECK(function.signature.starts_with(std::string(function.name) + "("));
    CHECK_FALSE(function.doc.empty());
    CHECK(tests::errors_of(function.example) == "");
  }
  CHECK(find_function("bussy") == nullptr);
}

TEST_CASE("a function without a value of its own is arithmetic on others", "[engine][functions]") {
  for (const Function& function : function_table()) {
    CAPTURE(function.name);
    if (function.evaluate != nullptr) continue;
    CHECK(function.for_rows == nullptr);
    CHECK((function.name == "delta" || function.name == "change"));
  }
}

TEST_CASE("what gives rows of its table keeps their type", "[engine][functions]") {
  for (const Function& function : function_table())
    if (function.traits.keeps_rows) CHECK(tests::type_or_errors(function.example) != "");
  CHECK(tests::type_or_errors("outermost(ops)") == "a table of ops");
  CHECK(tests::type_or_errors("consecutive(kernels, 2)") == "a table of kernels");
  CHECK(tests::type_or_errors("top(kernels, 2, dur)") == "a table of kernels");
}
