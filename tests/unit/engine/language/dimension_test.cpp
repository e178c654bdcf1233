// SPDX-License-Identifier: Apache-2.0
#include "engine/language/dimension.hpp"

#include <set>
#include <string>

#include "dsl/param_value.hpp"
#include "tests/catch.hpp"

namespace kdiag {

TEST_CASE("dimensions have names for people, rule files and JSON", "[engine][dimension]") {
  CHECK(dimension_name(dimensions::bytes) == "data");
  CHECK(dimension_name(dimensions::ratio) == "ratio");
  CHECK(dimension_name(dimensions::none) == "number");
  CHECK(dimension_name(Dimension{.time = 2}) == "time^2");
  CHECK(dimension_name(Dimension{.time = -2, .data = 1}) == "time^-2 data");
  CHECK(base_unit_name(dimensions::time) == "ns");
  CHECK(base_unit_name(dimensions::bandwidth) == "B/s");
  CHECK(base_unit_name(dimensions::ratio) == "ratio");
  CHECK(base_unit_name(dimensions::none) == "1");
  CHECK(base_unit_name(dimensions::temperature) == "degC");
  CHECK(dimension_named("frequency") == dimensions::frequency);
  CHECK_FALSE(dimension_named("speed"));
}

TEST_CASE("units are unique and belong to a dimension with a name", "[engine][dimension]") {
  std::set<std::string_view> names;
  for (const UnitInfo& unit : all_units()) {
    CAPTURE(unit.name);
    CHECK(names.insert(unit.name).second);
    CHECK(unit.scale > 0);
    CHECK(find_unit(unit.name) == &unit);
  }
  CHECK(find_unit("us")->scale == 1000);
  CHECK(find_unit("US") == nullptr);
}

TEST_CASE("every type of a parameter that is no word of its own is a dimension", "[engine][dimension]") {
  for (const std::string_view type : value_types()) {
    CAPTURE(type);
    CHECK((type == "string" || type == "bool" || type == "list" || dimension_named(type).has_value()));
  }
}

}  // namespace kdiag
