// SPDX-License-Identifier: Apache-2.0
// Reads every input below tests/golden/mapped by the mapping beside it, and compares the facts with the third file.
#include "mapping/read_mapped.hpp"

#include <memory>
#include <random>
#include <string>

#include "adapters/io/input.hpp"
#include "mapping/map_file.hpp"
#include "mapping/match_map.hpp"
#include "tests/catch.hpp"
#include "tests/support/collecting_sink.hpp"
#include "tests/support/dump_facts.hpp"
#include "tests/support/golden.hpp"

using namespace kdiag;

namespace {

struct Case {
  std::string name;  ///< "events"
  LoadedMap map;
  std::string bytes;
};

std::vector<Case> cases() {
  std::vector<Case> out;
  for (const std::string& path : tests::golden_files("mapped", ".in")) {
    const std::string stem = path.substr(0, path.size() - 3);
    Diagnostics diagnostics;
    const std::string file = stem + ".map";
    LoadedMap map =
        mapping::parse_map(std::make_shared<const Source>(Source{file, tests::read_file(file)}), diagnostics);
    CHECK(render(diagnostics) == "");
    out.push_back({stem.substr(stem.rfind('/') + 1), std::move(map), tests::read_file(path)});
  }
  return out;
}

/// The facts and notes of an input.
std::string read(const LoadedMap& map, std::string_view name, std::string_view bytes) {
  auto input = adapters::open_input(name, {bytes.data(), bytes.size()});
  if (!input) return "refused: " + input.error().front().title + '\n';
  if (const std::string why = mapping::mismatch(map, name, (*input)->head()); !why.empty())
    return "not for it: " + why + '\n';
  tests::CollectingSink sink{map.name, 2};
  const Status status = mapping::read_mapped(map, **input, sink);
  if (!status) return "refused " + status.error().front().id + ": " + status.error().front().title + '\n';
  return tests::dump_input(sink);
}

}  // namespace

TEST_CASE("mapped inputs give the expected facts", "[mapping][golden]") {
  for (const Case& each : cases()) DYNAMIC_SECTION(each.name) {
      tests::check_golden("mapped/" + each.name + ".facts", read(each.map, each.name + ".in", each.bytes));
    }
}

TEST_CASE("mapped inputs survive cuts and damage", "[mapping][hostile]") {
  std::mt19937 random(20261103);
  for (const Case& each : cases()) {
    CAPTURE(each.name);
    constexpr std::size_t cuts = 24;
    for (std::size_t i = 1; i < cuts; ++i) {
      CAPTURE(i);
      (void)read(each.map, each.name, each.bytes.substr(0, each.bytes.size() * i / cuts));
      std::string damaged = each.bytes;
      constexpr std::string_view spoilers = "\x01\"{}[],;:|\n -9eN\xFF";
      for (std::size_t n = 0; n < 1 + damaged.size() / 200; ++n)
        damaged[random() % damaged.size()] = spoilers[random() % spoilers.size()];
      (void)read(each.map, each.name, damaged);
    }
    for (const Case& other : cases()) (void)read(each.map, each.name, other.bytes);
  }
}

TEST_CASE("a large mapped input is read in batches", "[mapping]") {
  Diagnostics diagnostics;
  const LoadedMap map = mapping::parse_map(std::make_shared<const Source>(Source{"m.yaml", R"(kdiag_map: 1
name: m
format: csv
rows:
- table: kernels
  columns: {name: k, dur: {column: us, unit: us}, device: gpu}
)"}),
                                           diagnostics);
  REQUIRE(diagnostics.empty());
  std::string bytes = "k,us,gpu\n";
  constexpr int rows = 150'000;
  for (int i = 0; i < rows; ++i) bytes += "gemm,1.5,0\n";
  auto input = adapters::open_input("m.csv", {bytes.data(), bytes.size()});
  REQUIRE(input);
  tests::CollectingSink sink{"m", 1};
  REQUIRE(mapping::read_mapped(map, **input, sink));
  CHECK(sink.events == rows);
  REQUIRE(sink.fragments.size() == 1);
  CHECK(sink.fragments[0].batches.size() == 3);
}
