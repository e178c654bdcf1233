// SPDX-License-Identifier: Apache-2.0
#include "dsl/expressions/grammar.hpp"

#include <tao/pegtl/contrib/analyze.hpp>

#include "tests/catch.hpp"

TEST_CASE("no rule of the grammar can loop without consuming", "[dsl][expr]") {
  CHECK(tao::pegtl::analyze<kdiag::grammar::whole>(-1) == 0);
}
