// SPDX-License-Identifier: Apache-2.0
// What the judgement of many ranks finds in simulated jobs, and what it would cost not to have it.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/input.hpp>

#include "base/parse_number.hpp"
#include "engine/derive/fleet/barriers.hpp"
#include "engine/derive/fleet/modes.hpp"
#include "engine/derive/fleet/rank_list.hpp"
#include "engine/derive/fleet/replay.hpp"
#include "engine/derive/fleet/robust.hpp"
#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/simulated_fleet.hpp"

using namespace kdiag;
using namespace kdiag::tests;
using kdiag::fleet::Barriers;
using kdiag::fleet::Call;

namespace {

Facts load_simulated(const SimulatedFleet& fleet, std::size_t runs = 1) {
  std::vector<TraceInput> inputs;
  for (const std::string& summary : fleet.summaries)
    inputs.push_back(TraceInput::memory("rank" + std::to_string(inputs.size()) + ".jsonl", summary));
  Result<Facts> facts = load_inputs(inputs);
  if (!facts) FAIL(render(facts.error()));
  REQUIRE(facts->loaded().runs.size() == runs);
  return *facts;
}

/// The outlier that costs most, in words; what all unevenness costs is told apart. Ranks that are as slow as each other
/// cost together what each alone does not: they are one.
struct Worst {
  std::string what = "nothing";
  std::string cause;
  double share = 0, share_of_run = 0;
};

Worst worst_of(const FactStore& store) {
  const auto rank_id = [&](ColumnId id, std::size_t row) {
    const std::uint32_t rank = store.index(id, row);
    return rank == absent_index ? std::string() : std::to_string(store.small(column("ranks.id"), rank));
  };
  const auto text = [&](ColumnId id, std::size_t row) {
    return store.index(id, row) == absent_index ? std::string() : std::string(store.text(id, row));
  };
  Worst worst;
  double job = 0, most = 0, together = 0;
  std::set<std::int32_t> slow_ranks;
  for (std::size_t row = 0; row < store.rows(table("outliers")); ++row) {
    const std::string kind = text(column("outliers.kind"), row);
    const auto cost = static_cast<double>(store.integer(column("outliers.cost"), row));
    if (kind == "run") {
      job = static_cast<double>(store.integer(column("outliers.observed"), row));
      worst.share_of_run = cost / job;
      continue;
    }
    if (kind == "rank") slow_ranks.insert(store.small(column("ranks.id"), store.index(column("outliers.rank"), row)));
    if (kind == "ranks") together = cost;
    else if (kind != "steady" && cost > most) {  // of one rank or thing
      most = cost;
      worst.cause = text(column("outliers.cause"), row);
      worst.what = kind + " ";
      if (kind == "host") worst.what += text(column("outliers.host"), row);
      else if (kind == "group")
        worst.what += text(column("outliers.group"), row) + " " + rank_id(column("outliers.rank"), row) + "-" +
                      rank_id(column("outliers.peer"), row);
      else if (kind == "modes") worst.what += std::to_string(store.integer(column("outliers.ranks"), row));
      else if (kind == "stage") worst.what += std::to_string(store.integer(column("outliers.stage"), row));
      else if (kind == "step") worst.what += std::to_string(store.integer(column("outliers.step"), row));
      else worst.what += rank_id(column("outliers.rank"), row);
    }
  }
  if (together > 2 * most) {
    most = together;
    worst = {.what = "ranks", .cause = worst.cause, .share_of_run = worst.share_of_run};
    for (const std::int32_t rank : slow_ranks) worst.what += " " + std::to_string(rank);
  }
  worst.share = most / job;
  return worst;
}

Worst worst_of(const FleetShape& shape, FleetFault fault, std::uint64_t seed, SimulatedFleet& made) {
  made = simulate_fleet(shape, fault, seed);
  return worst_of(*load_simulated(made).loaded().runs.front().store);
}

constexpr double worth = 0.02;  // as the rules of the pack

/// Jobs of each fault: few here, as many as `scripts/check fleet` asks for there.
const std::uint64_t seeds = [] {
  const char* asked = std::getenv("KDIAG_FLEETS");
  if (asked == nullptr) return std::uint64_t{5};
  const std::optional<std::uint64_t> number = parse_number<std::uint64_t>(asked);
  if (number.value_or(0) > 0) return *number;
  std::fprintf(stderr, "KDIAG_FLEETS: '%s' is no number of jobs from 1 on: no job would pass every test\n", asked);
  std::exit(2);
}();

/// Two ranks with calls of these barriers, local work before each; a call takes until the last one comes and
/// `transfer`.
Barriers two_ranks(const std::vector<std::pair<std::uint32_t, std::int64_t>>& first,
                   const std::vector<std::pair<std::uint32_t, std::int64_t>>& second) {
  Barriers barriers;
  barriers.members.assign(2, 2);
  barriers.transfer.assign(2, 10);
  barriers.tail.assign(2, 5);
  for (const auto& calls : {first, second}) {
    barriers.first.push_back(barriers.calls.size());
    std::int64_t now = 0;
    for (const auto& [barrier, local] : calls) {
      Call call;
      call.barrier = barrier;
      call.local = local;
      call.span = {now + local, now + local + 10};
      now = call.span.end;
      barriers.by_end.push_back(static_cast<std::uint32_t>(barriers.calls.size()));
      barriers.calls.push_back(call);
    }
  }
  barriers.first.push_back(barriers.calls.size());
  return barriers;
}

std::optional<std::int64_t> replayed(const Barriers& barriers) {
  std::vector<std::int64_t> local;
  for (const Call& call : barriers.calls) local.push_back(call.local);
  return fleet::job_time(barriers, local, barriers.transfer);
}

}  // namespace

TEST_CASE("a job takes what the last rank of each barrier takes, and the transfers", "[fleet]") {
  // Barrier 0 begins at 30 and ends at 40, barrier 1 begins at 40 + 20 and ends at 70; then 5 of work.
  const Barriers barriers = two_ranks({{0, 30}, {1, 5}}, {{0, 10}, {1, 20}});
  CHECK(replayed(barriers) == 75);
  const std::vector<std::int64_t> quicker = {10, 5, 10, 20};
  CHECK(fleet::job_time(barriers, quicker, barriers.transfer) == 55);
}

TEST_CASE("calls that wait for each other in a circle have no replay", "[fleet][hostile]") {
  CHECK(replayed(two_ranks({{0, 30}, {1, 5}}, {{1, 10}, {0, 20}})) == std::nullopt);
}

TEST_CASE("half of the values can be anything", "[fleet]") {
  const fleet::Spread spread = fleet::spread_of({10, 10.1, 9.9, 1e9, 10.2, 1e9, -1e9}, 0.01);
  CHECK(spread.median == 10.1);
  CHECK(spread.deviation == Approx(1.4826 * 0.2));
}

TEST_CASE("healthy jobs have no outlier that is worth a finding", "[fleet]") {
  for (std::uint64_t seed = 1; seed <= 4 * seeds; ++seed) {
    SimulatedFleet made;
    const Worst worst = worst_of({}, FleetFault::none, seed, made);
    INFO("seed " << seed << ": " << worst.what);
    CHECK(worst.share < worth);
    CHECK(worst.share_of_run < worth);
  }
}

TEST_CASE("what is wrong with a job is the outlier that costs most, with its cause", "[fleet]") {
  struct Fault {
    FleetFault fault;
    std::string cause;
    FleetShape shape = {};
  };
  const Fault faults[] = {{FleetFault::slow_device, "gemm"},
                          {FleetFault::slow_devices, "gemm"},
                          {FleetFault::two_speeds, ""},
                          {FleetFault::slow_host, "host_work"},
                          {FleetFault::slow_link, "", {.tensor = 8}},
                          {FleetFault::slow_path, "", {.replicas = 4, .stages = 4, .tensor = 2}},
                          {FleetFault::late_loader, "input"},
                          {FleetFault::uneven_stages, "", {.replicas = 4, .stages = 4, .tensor = 2}},
                          {FleetFault::bad_step, ""}};
  for (const Fault& fault : faults)
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      SimulatedFleet made;
      const Worst worst = worst_of(fault.shape, fault.fault, seed, made);
      INFO("fault " << static_cast<int>(fault.fault) << ", seed " << seed);
      const std::string rank = std::to_string(made.rank);
      switch (fault.fault) {
        case FleetFault::slow_device: CHECK(worst.what == "rank " + rank); break;
        case FleetFault::slow_devices:
          CHECK(worst.what == "ranks " + std::to_string(std::min(made.rank, made.other)) + " " +
                                  std::to_string(std::max(made.rank, made.other)));
          break;
        case FleetFault::two_speeds:
          CHECK(worst.what == "modes " + std::to_string(made.rank % 2 == 0 ? 16 : 21));
          break;
        case FleetFault::slow_host: CHECK(worst.what == "host " + made.host); break;
        case FleetFault::slow_link: CHECK(worst.what == "group " + made.group + " -"); break;
        case FleetFault::slow_path:
          CHECK(worst.what == "group " + made.group + " " + rank + "-" + std::to_string(made.other));
          break;
        case FleetFault::late_loader: CHECK(worst.what == "moment " + rank); break;
        case FleetFault::uneven_stages: CHECK(worst.what == "stage " + std::to_string(made.stage)); break;
        default: CHECK(worst.what == "step " + std::to_string(made.step));
      }
      CHECK(worst.cause == fault.cause);
      CHECK(worst.share > worth);
    }
}

TEST_CASE("values of two kinds are told apart, and those of one kind are not", "[fleet]") {
  using kdiag::fleet::modes_of;
  const auto modes = modes_of({1.00, 1.01, 0.99, 1.0, 1.0, 1.01, 1.31, 1.30, 1.29, 1.3, 1.32, 1.3}, 0.005);
  REQUIRE(modes);
  CHECK(modes->lower == Approx(1.0));
  CHECK(modes->upper == Approx(1.30));
  CHECK(modes->bound == Approx(1.29));
  CHECK_FALSE(modes_of({1.0, 1.01, 0.99, 1.0, 1.02, 1.0, 1.0, 1.3, 1.31, 1.29, 1.3, 1.3}, 0.005));  // five are no kind
  CHECK_FALSE(
      modes_of({1.0, 1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.45, 1.5, 1.55}, 0.005));  // as far from each other
  CHECK_FALSE(modes_of({1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.01, 1.01, 1.01, 1.01, 1.01, 1.01}, 0.005));  // noise
  CHECK_FALSE(modes_of({}, 0.005));
}

TEST_CASE("ranks are listed as people write them", "[fleet]") {
  using kdiag::fleet::rank_list;
  CHECK(rank_list({}).empty());
  CHECK(rank_list({5}) == "5");
  CHECK(rank_list({16, 3, 2, 1, 0}) == "0-3, 16");
  CHECK(rank_list({0, 1, 4, 5}) == "0-1, 4-5");
  CHECK(rank_list({0, 2, 4, 6, 8, 10, 12, 14}) == "0, 2, 4, 6, 8, 10, 12, 14");
  CHECK(rank_list({0, 2, 4, 6, 8, 10, 12, 14, 16, 17, 20}) == "0, 2, 4, 6, 8, 10, 12, 14 and 3 more");
}

TEST_CASE("several slow ranks are named", "[fleet]") {
  const auto members = [](FleetFault fault, std::string_view kind, SimulatedFleet& made) {
    made = simulate_fleet({}, fault, 1);
    const Facts facts = load_simulated(made);
    const FactStore& store = *facts.loaded().runs.front().store;
    for (std::size_t row = 0; row < store.rows(table("outliers")); ++row)
      if (store.text(column("outliers.kind"), row) == kind)
        return std::string(store.text(column("outliers.members"), row));
    return std::string();
  };
  SimulatedFleet made;
  const std::string two = members(FleetFault::slow_devices, "ranks", made);
  CHECK(two ==
        std::to_string(std::min(made.rank, made.other)) + ", " + std::to_string(std::max(made.rank, made.other)));
  const std::string half = members(FleetFault::two_speeds, "modes", made);
  INFO(half);
  CHECK(half.starts_with(std::to_string(made.rank % 2) + ", "));
}

TEST_CASE("work that is another one on each rank in each step is the run's", "[fleet]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SimulatedFleet made;
    const Worst worst = worst_of({}, FleetFault::uneven_batches, seed, made);
    INFO("seed " << seed << ": " << worst.what << ", " << worst.share);
    CHECK(worst.share_of_run > worth);
    CHECK(worst.share < 0.5 * worst.share_of_run);
  }
}

TEST_CASE("a group with a missing rank is not slow for that", "[fleet]") {
  // Of four groups one rank is missing. One of these is slow: the shortest calls of its group waited for it.
  for (const bool sized : {true, false}) {
    SimulatedFleet made = simulate_fleet({.replicas = 8, .tensor = 4, .sized = sized}, FleetFault::slow_device, 1);
    std::vector<std::string> here;
    for (std::uint32_t rank = 0; rank < made.summaries.size(); ++rank)
      if (rank % 4 != made.rank % 4 || (rank / 4 + 8 - made.rank / 4) % 8 >= 4) here.push_back(made.summaries[rank]);
    REQUIRE(here.size() == 28);
    made.summaries = here;
    const Facts facts = load_simulated(made);
    const FactStore& store = *facts.loaded().runs.front().store;
    REQUIRE(store.rows(table("outliers")) > 0);
    for (std::size_t row = 0; row < store.rows(table("outliers")); ++row)
      CHECK(store.text(column("outliers.kind"), row) != "group");
  }
}

TEST_CASE("a rank of which nothing was recorded makes no outlier of the others", "[fleet]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const SimulatedFleet made = simulate_fleet({}, FleetFault::missing_rank, seed);
    const Facts facts = load_simulated(made);
    const FactStore& store = *facts.loaded().runs.front().store;
    CHECK(store.rows(table("ranks")) == 31);
    const Worst worst = worst_of(store);
    INFO("seed " << seed << ": " << worst.what << ", " << worst.share);
    CHECK(worst.share < worth);
  }
}

TEST_CASE("the second recording of a rank that was restarted is told apart, and makes no finding", "[fleet]") {
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const SimulatedFleet made = simulate_fleet({}, FleetFault::restarted_rank, seed);
    const Facts facts = load_simulated(made, 2);
    CHECK(facts.loaded().runs[0].store->rows(table("ranks")) == 32);
    CHECK(facts.loaded().runs[1].store->rows(table("ranks")) == 1);
    const Worst worst = worst_of(*facts.loaded().runs.front().store);
    INFO("seed " << seed << ": " << worst.what << ", " << worst.share);
    CHECK(worst.share < worth);
  }
}

TEST_CASE("three ranks have no middle that one of them could be off", "[fleet]") {
  const SimulatedFleet made = simulate_fleet({.replicas = 3, .tensor = 1}, FleetFault::slow_device, 1);
  CHECK_FALSE(load_simulated(made).loaded().runs.front().store->present(table("outliers")));
}
