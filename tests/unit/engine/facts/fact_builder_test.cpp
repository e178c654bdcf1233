// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/facts/fact_builder.hpp"
#include "engine/link/link.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

FactStore build(std::vector<Batch> batches, std::optional<std::int64_t> rank = {}) {
  Fragment fragment;
  fragment.info.rank = rank;
  std::uint64_t sequence = 0;
  for (Batch& batch : batches) fragment.batches.emplace_back(sequence++, std::move(batch));
  std::vector<Fragment> fragments;
  fragments.push_back(std::move(fragment));
  return build_facts(std::move(fragments));
}

template <class... Batches>
std::vector<Batch> list(Batches... batches) {
  std::vector<Batch> all;
  (all.push_back(std::move(batches)), ...);
  return all;
}

}  // namespace

TEST_CASE("a fragment's rank has a row even when nothing refers to it", "[engine][build]") {
  Batch batch;
  batch.set(batch.add(table("steps")), column("steps.index"), std::int64_t{1});
  const FactStore store = build(list(std::move(batch)), 5);
  REQUIRE(store.rows(table("ranks")) == 1);
  CHECK(store.small(column("ranks.id"), 0) == 5);
  CHECK(store.index(column("steps.rank"), 0) == 0);
}

TEST_CASE("threads build and link the same facts", "[engine][build][link]") {
  const auto built = [](unsigned threads) {
    Fragment fragment;
    fragment.adapter = "test";
    for (std::uint64_t sequence = 0; sequence < 8; ++sequence) {
      Batch batch;
      const Row thread = batch.thread(1, static_cast<std::int64_t>(sequence % 2));
      for (std::int64_t i = 0; i < 4000; ++i) {  // 32,000 operators are worth threads
        const Row op = batch.add(table("ops"));
        batch.set(op, column("ops.name"), "op" + std::to_string((i + static_cast<std::int64_t>(sequence)) % 50));
        batch.set(op, column("ops.start"), static_cast<std::int64_t>(sequence) * 4'000'000 + i / 4 * 4000 + i % 4 * 10);
        batch.set(op, column("ops.dur"), i % 7 == 0 ? std::int64_t{-1} : 1000 - i % 4 * 100);
        batch.set(op, column("ops.thread"), thread);
        batch.set(op, column("ops.sequence"), i / 8);
        batch.set(op, column("ops.forward_thread"), i % 8 < 4 ? std::int64_t{0} : std::int64_t{1});
      }
      fragment.batches.emplace_back(sequence, std::move(batch));
    }
    std::vector<Fragment> fragments;
    fragments.push_back(std::move(fragment));
    FactStore store = build_facts(std::move(fragments), {.threads = threads});
    link_facts(store, nullptr, threads);
    return store;
  };
  const FactStore alone = built(1), together = built(4);
  CHECK(alone.impossible_times == together.impossible_times);
  CHECK(alone.impossible_times > 0);
  for (const ColumnId id : {column("ops.start"), column("ops.dur"), column("ops.host_self")})
    CHECK(std::ranges::equal(alone.integers(id), together.integers(id)));
  for (const ColumnId id : {column("ops.name"), column("ops.thread"), column("ops.parent"), column("ops.forward")}) {
    CHECK(alone.has(id));
    CHECK(std::ranges::equal(alone.indices(id), together.indices(id)));
  }
}

TEST_CASE("equal frames of two batches are one row", "[engine][build]") {
  Batch first;
  first.text("moves the ids of this batch's texts");
  first.frame("a.py", 3, "f", "line", first.frame("a.py", 9, "main", "line"));
  Batch second;
  second.frame("a.py", 3, "f", "line", second.frame("a.py", 9, "main", "line"));
  second.frame("a.py", 3, "f", "function");
  const FactStore store = build(list(std::move(first), std::move(second)));
  CHECK(store.rows(table("frames")) == 3);
}

TEST_CASE("a line number out of range is unknown", "[engine][build]") {
  Batch batch;
  batch.frame("a.py", std::numeric_limits<std::int64_t>::max(), "f", "line");
  batch.frame("a.py", -1, "f", "line");
  const FactStore store = build(list(std::move(batch)));
  CHECK(store.rows(table("frames")) == 1);
  CHECK_FALSE(store.has(column("frames.line")));
}

TEST_CASE("instants move together, durations stay, overflow is absent", "[engine][build]") {
  Batch batch;
  const auto op = [&batch](std::int64_t start) {
    const Row row = batch.add(table("ops"));
    batch.set(row, column("ops.start"), start);
    batch.set(row, column("ops.dur"), std::int64_t{7});
  };
  op(10);
  op(std::numeric_limits<std::int64_t>::max() - 5);
  batch.set(batch.add(table("allocations")), column("allocations.time"), std::int64_t{20});
  batch.shift_times(100);
  const FactStore store = build(list(std::move(batch)));
  CHECK(store.integer(column("ops.start"), 0) == 110);
  CHECK(store.integer(column("ops.start"), 1) == absent_integer);
  CHECK(store.integer(column("ops.dur"), 0) == 7);
  CHECK(store.integer(column("allocations.time"), 0) == 120);
}

TEST_CASE("a time that is none is absent and counted, whatever shifts it", "[engine][build]") {
  Batch batch;
  for (const std::int64_t start : {std::int64_t{7}, std::numeric_limits<std::int64_t>::max(), latest_instant - 1}) {
    const Row row = batch.add(table("kernels"));
    batch.set(row, column("kernels.start"), start);
    batch.set(row, column("kernels.dur"), latest_instant - 1);
  }
  Fragment fragment;
  fragment.time_shift = 2;
  fragment.batches.emplace_back(0, std::move(batch));
  std::vector<Fragment> fragments;
  fragments.push_back(std::move(fragment));
  const FactStore store = build_facts(std::move(fragments));
  CHECK(store.integer(column("kernels.start"), 0) == 9);
  CHECK(store.integer(column("kernels.start"), 1) == absent_integer);
  CHECK(store.integer(column("kernels.start"), 2) == absent_integer);
  CHECK(store.integer(column("kernels.dur"), 0) == latest_instant - 1);
  CHECK(store.impossible_times == 2);
}

TEST_CASE("statistics that cannot be are absent and counted", "[engine][build][hostile]") {
  constexpr ColumnId probabilities[] = {column("comparisons.p_beta"), column("comparisons.u_beta"),
                                        column("comparisons.p_mu"),   column("comparisons.u_mu"),
                                        column("comparisons.q"),      column("comparisons.q_mu")};
  constexpr ColumnId effects[] = {column("comparisons.effect"), column("comparisons.effect_mu")};
  constexpr ColumnId shares[] = {column("comparisons.beta_normal"), column("comparisons.beta_abnormal")};
  constexpr ColumnId counts[] = {column("comparisons.cycles_normal"), column("comparisons.cycles_abnormal")};
  Batch batch;
  const auto add = [&](double probability, double effect, double share, std::int64_t cycles) {
    const Row row = batch.add(table("comparisons"));
    for (const ColumnId id : probabilities) batch.set(row, id, probability);
    for (const ColumnId id : effects) batch.set(row, id, effect);
    for (const ColumnId id : shares) batch.set(row, id, share);
    for (const ColumnId id : counts) batch.set(row, id, cycles);
    batch.set(row, column("comparisons.z_beta"), -225.0);
  };
  add(0, -1, 0, 0);
  add(1, 1, 7.5, 3);
  add(-225, -1.5, -0.1, -1);
  add(1.5, 2, -225, std::numeric_limits<std::int64_t>::min() + 1);
  batch.add(table("comparisons"));  // says nothing
  const FactStore store = build(list(std::move(batch)));
  for (const std::uint32_t row : {0U, 1U, 2U, 3U, 4U}) {
    const bool possible = row < 2;
    for (const ColumnId id : probabilities) CHECK(std::isnan(store.real(id, row)) == !possible);
    for (const ColumnId id : effects) CHECK(std::isnan(store.real(id, row)) == !possible);
    for (const ColumnId id : shares) CHECK(std::isnan(store.real(id, row)) == !possible);
    for (const ColumnId id : counts) CHECK((store.integer(id, row) == absent_integer) == !possible);
  }
  CHECK(store.real(column("comparisons.z_beta"), 2) == -225);
  CHECK(store.impossible_statistics == 24);
}

TEST_CASE("lengths below zero are absent and counted, self times of tools are not", "[engine][build][hostile]") {
  Batch batch;
  const Row kernel = batch.add(table("kernel_stats"));
  batch.set(kernel, column("kernel_stats.min"), std::int64_t{-1000});
  batch.set(kernel, column("kernel_stats.max"), std::int64_t{0});
  const Row op = batch.add(table("op_stats"));
  batch.set(op, column("op_stats.host_self"), std::int64_t{-5});
  const Row step = batch.add(table("steps"));
  batch.set(step, column("steps.start"), std::int64_t{-5});
  const FactStore store = build(list(std::move(batch)));
  CHECK(store.integer(column("kernel_stats.min"), 0) == absent_integer);
  CHECK(store.integer(column("kernel_stats.max"), 0) == 0);
  CHECK(store.integer(column("op_stats.host_self"), 0) == -5);
  CHECK(store.integer(column("steps.start"), 0) == -5);
  CHECK(store.impossible_times == 1);
}
