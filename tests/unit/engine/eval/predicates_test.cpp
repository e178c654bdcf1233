// SPDX-License-Identifier: Apache-2.0
// Conditions on rows: what holds of which rows, for every kind of column and operator.
#include "engine/eval/run_context.hpp"
#include "engine/facts/fact_builder.hpp"
#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"

using namespace kdiag;
using tests::evaluate;

namespace {

struct KernelRow {
  const char* name;
  std::int64_t dur = absent_integer;  // ns
  std::int32_t grid_x = absent_small;
  double occupancy = absent_real;
};

FactStore facts_of(Batch batch) {
  std::vector<Fragment> fragments(1);
  fragments[0].adapter = "test";
  fragments[0].batches.emplace_back(0, std::move(batch));
  return build_facts(std::move(fragments));
}

/// Kernels of one device; what a row does not say is not recorded for it.
FactStore store_of(std::initializer_list<KernelRow> rows) {
  Batch batch;
  std::int64_t start = 0;
  for (const KernelRow& kernel : rows) {
    const Row row = batch.add(table("kernels"));
    batch.set(row, column("kernels.device"), batch.device(0));
    batch.set(row, column("kernels.start"), start += 1'000);
    if (kernel.name != nullptr) batch.set(row, column("kernels.name"), kernel.name);
    if (kernel.dur != absent_integer) batch.set(row, column("kernels.dur"), kernel.dur);
    if (kernel.grid_x != absent_small) batch.set(row, column("kernels.grid_x"), std::int64_t{kernel.grid_x});
    if (!std::isnan(kernel.occupancy)) batch.set(row, column("kernels.occupancy"), kernel.occupancy);
  }
  return facts_of(std::move(batch));
}

}  // namespace

TEST_CASE("every comparison of every kind of column, from both sides, on all rows and on some", "[engine][eval]") {
  const FactStore store = store_of({{"a", 10, 1, 0.25}, {"b", 20, 2, 0.5}, {"c", 30, 3, 0.75}, {"d", 40, 4, 1.0}});
  struct Operator {
    const char *text, *mirrored;
    int holds_of;  // of values below, equal to and above the second: 1 + 1 + 2
  };
  for (const Operator& op :
       {Operator{"<", ">", 1}, {"<=", ">=", 2}, {">", "<", 2}, {">=", "<=", 3}, {"==", "==", 1}, {"!=", "!=", 3}})
    for (const auto& [cell, value] :
         {std::pair{"dur", "20ns"}, {"grid_x", "2"}, {"grid_x", "2.0"}, {"occupancy", "50%"}}) {
      CAPTURE(op.text, cell);
      const std::string condition = std::string(cell) + " " + op.text + " " + value;
      const std::string mirrored = std::string(value) + " " + op.mirrored + " " + cell;
      CHECK(evaluate(store, "count(kernels where " + condition + ")") == std::to_string(op.holds_of));
      CHECK(evaluate(store, "count(kernels where " + mirrored + ")") == std::to_string(op.holds_of));
      const int among_last = op.holds_of - (std::string_view(op.text).find_first_of("<!") == 0 ? 1 : 0);
      CHECK(evaluate(store, "count((kernels where name != \"a\") where " + condition + ")") ==
            std::to_string(among_last));
    }
}

TEST_CASE("a list is searched by value, also for integers beyond 2^53", "[engine][eval]") {
  constexpr std::int64_t large = (std::int64_t{1} << 53) + 1;
  const FactStore store = [&] {
    Batch batch;
    for (const auto& [name, dur] : {std::pair{"a", large}, {"b", large - 1}, {"c", absent_integer}}) {
      const Row row = batch.add(table("kernels"));
      batch.set(row, column("kernels.name"), name);
      batch.set(row, column("kernels.correlation"), large - 1 - (name[0] - 'a'));
      if (dur != absent_integer) batch.set(row, column("kernels.dur"), dur);
    }
    return facts_of(std::move(batch));
  }();
  CHECK(evaluate(store, "count(kernels where dur in [9007199254740993ns])") == "1 to 2");
  CHECK(evaluate(store, "count(kernels where dur not in [9007199254740993ns])") == "1 to 2");
  CHECK(evaluate(store, "count(kernels where correlation in [9007199254740993, 0.5])") == "0");
  CHECK(evaluate(store, "count(kernels where correlation in [9007199254740992, 0.5])") == "1");
  CHECK(evaluate(store, "count(kernels where name in [\"a\", \"c\", \"z\"])") == "2");
  CHECK(evaluate(store, "count(kernels where name not in [\"a\", \"z\"])") == "2");
  const FactStore grids = store_of({{"a", 10, 1}, {"b", 20, 2}});
  CHECK(evaluate(grids, "count(kernels where grid_x in [1, device.sms])", SubjectKind::device) == "1 to 2");
  CHECK(evaluate(grids, "count(kernels where grid_x not in [1, device.sms])", SubjectKind::device) == "0 to 1");
}

TEST_CASE("a pattern asks each text once and answers for every row", "[engine][eval]") {
  const FactStore store = store_of({{"gemm_a", 1}, {"copy", 2}, {"gemm_a", 3}, {nullptr, 4}});
  CHECK(evaluate(store, "count(kernels where name =~ /^gemm/)") == "2 to 3");
  CHECK(evaluate(store, "count(kernels where name !~ /^gemm/)") == "1 to 2");
  CHECK(evaluate(store, "count(kernels where name =~ /^GEMM/i and dur > 2ns)") == "1 to 2");
}

TEST_CASE("rows that one part decides are not asked by the others, which miss nothing for them", "[engine][eval]") {
  const FactStore store = store_of({{"a", 10}, {"b", 20, 2}});
  CHECK(evaluate(store, "sum(kernels where name == \"b\" and grid_x == 2, dur)") == "20 ns");
  CHECK(evaluate(store, "sum(kernels where name == \"z\" and regs > 1, dur)") == "0 ns");  // regs: never recorded
  CHECK(evaluate(store, "sum(kernels where dur > 1ns or regs > 1, dur)") == "30 ns");
  CHECK(evaluate(store, "all(kernels, name == \"z\" and regs > 1 or dur > 0ns)") == "true");
  CHECK(evaluate(store, "any(kernels, name == \"a\" and grid_x == 2 and smem > 1B)") ==
        "unknown (kernels.grid_x not recorded for some rows; kernels.smem not recorded)");
  CHECK(evaluate(store, "any(kernels, name == \"b\" and grid_x == 3 and smem > 1B)") == "false");
}
