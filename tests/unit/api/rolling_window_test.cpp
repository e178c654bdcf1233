// SPDX-License-Identifier: Apache-2.0
// A builder that is filled for ever: snapshots, and rows that are over dropped.
#include <kdiag/columns.hpp>
#include <kdiag/facts_builder.hpp>

#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

std::string value_of(const Facts& facts, std::string_view expression) {
  const auto answer = query(facts, expression);
  return answer ? answer->text : render(answer.error());
}

void add_second(FactRows& rows, std::int64_t second, std::int64_t devices) {
  for (std::int64_t device = 0; device < devices; ++device) {
    const double clock = 1e9 + static_cast<double>(second);
    rows.add_columns("samples", 1,
                     {{"time", second * 1'000'000'000},
                      {"value", clock},
                      {"series", "sm_clock"},
                      {"device", rows.device(device, {})}});
  }
}

}  // namespace

TEST_CASE("a window of samples rolls on, and is what a builder of the same rows makes", "[api][builder][window]") {
  constexpr std::int64_t window = 10;
  FactsBuilder rolling("window", {.clock = ClockDomain::unix_ns, .telemetry = true});
  for (std::int64_t second = 0; second < 50; ++second) {
    add_second(rolling.rows(), second, 2);
    CHECK(rolling.drop_before((second - window + 1) * 1'000'000'000) == (second < window ? 0 : 2));
    FactsBuilder fresh("window", {.clock = ClockDomain::unix_ns, .telemetry = true});
    for (std::int64_t kept = std::max<std::int64_t>(0, second - window + 1); kept <= second; ++kept)
      add_second(fresh.rows(), kept, 2);
    const auto facts = rolling.snapshot(), expected = std::move(fresh).build();
    REQUIRE(facts);
    for (const std::string_view what : {"samples", "devices", "run.wall"})
      REQUIRE(value_of(*facts, what) == value_of(*expected, what));
  }
}

TEST_CASE("rows go by their end, and references follow those that are left", "[api][builder][window]") {
  FactsBuilder builder("work");
  FactRows& rows = builder.rows();
  const std::vector<std::int64_t> starts{0, 10, 100, 200}, durations{5, 100, 5, 5};
  const std::vector<std::uint32_t> calls{0, 1, 2, 3};
  rows.add_columns("api", 4, {{"start", starts}, {"dur", std::int64_t{1}}, {"name", "launch"}});
  rows.add_columns("kernels", 4,
                   {{"start", starts}, {"dur", durations}, {"launch", calls}, {"device", rows.device(0, {})}});
  const Row without_a_time = rows.add("kernels");
  rows.set(without_a_time, "name", "timeless");
  CHECK(builder.drop_before(105) == 3 + 1);  // three calls; the second kernel lasts until 110, the third one until 105
  const auto facts = builder.snapshot();
  REQUIRE(facts);
  CHECK(value_of(*facts, "count(kernels)") == "4\n");
  CHECK(value_of(*facts, "count(kernels where launch is known)") == "1\n");
  CHECK(value_of(*facts, "max(kernels where launch is known, launch.start)") == "+190 ns\n");
  CHECK(value_of(*facts, "count(devices)") == "1\n");
  CHECK(builder.drop_before(1'000'000) == 4);
  CHECK(rows.batch().rows(table("kernels")) == 1);
}

TEST_CASE("a column that only rows had that are gone is not recorded", "[api][builder][window]") {
  FactsBuilder rolling("work"), fresh("work");
  rolling.rows().add_columns("api", 1, {{"start", std::int64_t{0}}, {"dur", std::int64_t{1}}, {"name", "launch"}});
  rolling.rows().add_columns("kernels", 1,
                             {{"start", std::int64_t{0}},
                              {"dur", std::int64_t{5}},
                              {"grid_x", std::int64_t{8}},
                              {"launch", Row{table("api"), 0}},
                              {"device", rolling.rows().device(0, {})}});
  for (FactsBuilder* builder : {&rolling, &fresh})
    builder->rows().add_columns(
        "kernels", 1,
        {{"start", std::int64_t{100}}, {"dur", std::int64_t{5}}, {"device", builder->rows().device(0, {})}});
  CHECK(rolling.drop_before(50) == 2);
  const auto facts = rolling.snapshot(), expected = fresh.snapshot();
  REQUIRE(facts);
  for (const std::string_view what : {"sum(kernels, grid_x)", "max(kernels, launch.start)"}) {
    CAPTURE(what);
    CHECK(value_of(*facts, what) == value_of(*expected, what));
  }
}

TEST_CASE("mistakes are told by one snapshot", "[api][builder][window]") {
  FactsBuilder builder("mistaken");
  CHECK_FALSE(builder.snapshot());
  const Row kernel = builder.rows().add("kernels");
  builder.rows().set(kernel, "dur", -1);
  builder.rows().batch().set(kernel, column("kernels.dur"), true);
  const auto refused = builder.snapshot();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().size() == 2);
  CHECK(builder.snapshot());
}
