// SPDX-License-Identifier: Apache-2.0
// Mapping files: what each wrong one says.
#include "mapping/map_file.hpp"

#include <memory>
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

std::string messages(const std::string& name, const std::string& text) {
  const Result<TraceMap> map = load_map_text(name, text);
  return map ? "no problems\n" : render(map.error());
}

}  // namespace

TEST_CASE("mapping files say what is wrong with them", "[mapping][golden]") {
  tests::check_golden_folder("maps", ".out", messages);
}

TEST_CASE("the mappings of the examples are valid", "[mapping]") {
  for (const char* name : {"trainer_log", "gpu_monitor"}) {
    const Result<TraceMap> map = load_map(std::string(KDIAG_SOURCE_DIR) + "/examples/maps/" + name + ".yaml");
    REQUIRE(map);
  }
}

TEST_CASE("a mapping that is not there is an error that names it", "[mapping]") {
  const Result<TraceMap> map = load_map("no/such.yaml");
  REQUIRE_FALSE(map);
  CHECK(map.error()[0].id == "K100");
  CHECK(render(map.error()).starts_with("no/such.yaml: error[K100]"));
}

TEST_CASE("a cell is read once, however many columns it gives", "[mapping]") {
  Diagnostics diagnostics;
  const LoadedMap map = mapping::parse_map(std::make_shared<const Source>(Source{"m.yaml", R"(kdiag_map: 1
name: m
format: csv
rows:
- table: steps
  columns: {index: n, start: {column: t, unit: us}, dur: {column: d, unit: us}}
- table: annotations
  columns: {name: n, start: {column: t, unit: us}, dur: {column: d, unit: us}}
)"}),
                                           diagnostics);
  CHECK(diagnostics.empty());
  CHECK(map.cells == std::vector<std::string>{"n", "t", "d"});
  CHECK(map.producer == "m");
}
