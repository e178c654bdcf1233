// SPDX-License-Identifier: Apache-2.0
// Batches that a host fills wrongly: an error that says where, never a crash.
#include <kdiag/facts_builder.hpp>
#include <kdiag/host_adapter.hpp>
#include <kdiag/kdiag.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

using Fill = std::function<void(Batch&)>;

constexpr TableId kernels = table("kernels");
constexpr ColumnId dur = column("kernels.dur"), name = column("kernels.name"), device = column("kernels.device");

/// Hands over what `fill` makes of a batch with two kernels.
class Filler final : public HostAdapter {
 public:
  explicit Filler(Fill fill) : fill_(std::move(fill)) {}
  std::string_view id() const override { return "filler"; }
  int sniff(const Head&) const noexcept override { return 100; }
  Status read(Input&, FactSink& sink) const override {
    Batch batch;
    for (int i = 0; i < 2; ++i) batch.set(batch.add(kernels), dur, std::int64_t{5});
    fill_(batch);
    sink.submit(0, std::move(batch));
    return ok_status();
  }

 private:
  Fill fill_;
};

std::string error_of(const Fill& fill) {
  const Filler adapter(fill);
  LoadOptions options;
  options.adapters = {&adapter};
  const auto facts = load_trace("bytes", std::span<const char>("bytes", 5), options);
  return facts ? "no error" : render(facts.error());
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("a batch with ids of nothing is an error that says where", "[api][host][batch]") {
  const struct {
    const char* said;
    Fill fill;
  } cases[] = {
      {"'kernels.dur' was set in row 7, and 'kernels' has 2",
       [](Batch& b) {
         b.set(Row{kernels, 7}, dur, std::int64_t{1});
       }},
      {"'kernels.dur' was set in row 4294967294, and 'kernels' has 2",
       [](Batch& b) {
         b.set(Row{kernels, absent_index - 1}, dur, std::int64_t{1});
       }},
      {"'kernels.dur' was set in an absent row, and 'kernels' has 2",
       [](Batch& b) {
         b.set(Row{kernels, absent_index}, dur, std::int64_t{1});
       }},
      {"'kernels.dur' was set in a row of no table\n", [](Batch& b) { b.set(Row{}, dur, std::int64_t{1}); }},
      {"'kernels.dur' was set in row 0 of 'copies'",
       [](Batch& b) { b.set(b.add(table("copies")), dur, std::int64_t{1}); }},
      {"there is no column of the id 65535, set in row 0 of 'kernels'",
       [](Batch& b) {
         b.set(Row{kernels, 0}, ColumnId{}, 1.0);
       }},
      {"'kernels.dur' was set in row 0, and it holds whole numbers",
       [](Batch& b) {
         b.set(Row{kernels, 0}, dur, 1.0);
       }},
      {"'kernels.name' was set in row 0, and it holds texts",
       [](Batch& b) {
         b.set(Row{kernels, 0}, name, true);
       }},
      {"'kernels.name' was set in row 0 by a text that the batch has not: it has 0",
       [](Batch& b) {
         b.set(Row{kernels, 0}, name, Text{12});
       }},
      {"'kernels.device' was set in row 0 to a row of 'kernels', and it refers to 'devices'",
       [](Batch& b) {
         b.set(Row{kernels, 0}, device, Row{kernels, 1});
       }},
      {"'kernels.device' was set in row 0 to row 3, and 'devices' has 1",
       [](Batch& b) {
         b.device(0);
         b.set(Row{kernels, 0}, device, Row{table("devices"), 3});
       }},
      {"'kernels.device' was set in row 0 to a row of table 99, and it refers to 'devices'",
       [](Batch& b) {
         b.set(Row{kernels, 0}, device, Row{TableId{99}, 3});
       }},
      {"there is no table of the id 65535", [](Batch& b) { b.add(TableId{}); }},
      {"there is no table of the id 4711", [](Batch& b) { b.declare(TableId{4711}); }},
      {"rows of 'devices' are found by their key, not added", [](Batch& b) { b.add(table("devices")); }},
      {"a row of 'streams' was asked for by a row of no table", [](Batch& b) { b.stream({}, 7); }},
      {"a row of 'streams' was asked for by row 1 of 'kernels'",
       [](Batch& b) {
         b.stream(Row{kernels, 1}, 7);
       }},
      {"a row of 'devices' was asked for by row 5 of 'ranks'",
       [](Batch& b) {
         b.device(0, Row{table("ranks"), 5});
       }},
      {"a row of 'threads' was asked for by row 5 of 'ranks'",
       [](Batch& b) {
         b.thread(1, 2, Row{table("ranks"), 5});
       }},
      {"a row of 'frames' was asked for by row 5 of 'frames'",
       [](Batch& b) {
         b.frame("a.py", 1, "f", "line", Row{table("frames"), 5});
       }},
  };
  for (const auto& [said, fill] : cases) {
    const std::string error = error_of(fill);
    INFO(error);
    CHECK(contains(error, "error[K762]: the adapter 'filler' of the host failed: "));
    CHECK(contains(error, said));
  }
}

TEST_CASE("the first mistake of a batch is the one that is told", "[api][host][batch]") {
  CHECK(contains(error_of([](Batch& b) {
                   b.set(Row{kernels, 7}, dur, std::int64_t{1});
                   b.add(TableId{});
                 }),
                 "in row 7"));
}

TEST_CASE("an adapter that fails without a reason is an error all the same", "[api][host][batch]") {
  class Silent final : public HostAdapter {
   public:
    std::string_view id() const override { return "silent"; }
    int sniff(const Head&) const noexcept override { return 100; }
    Status read(Input&, FactSink&) const override { return Diagnostics{}; }
  };
  const Silent adapter;
  LoadOptions options;
  options.adapters = {&adapter};
  const auto facts = load_trace("bytes", std::span<const char>("bytes", 5), options);
  REQUIRE_FALSE(facts);
  CHECK(contains(render(facts.error()), "the adapter 'silent' of the host failed: it gave no reason"));
}

TEST_CASE("values that stand for absent ones are no mistakes", "[api][host][batch]") {
  CHECK(error_of([](Batch& b) {
          b.set(Row{kernels, 0}, device, Row{});
          b.set(Row{kernels, 0}, name, Text{});
          b.set(Row{kernels, 0}, column("kernels.occupancy"), std::int64_t{1});
          b.set(Row{kernels, 0}, column("kernels.grid_x"), std::int64_t{1} << 40U);
        }) == "no error");
}

TEST_CASE("a batch that was moved from is an empty one", "[api][host][batch]") {
  Batch first;
  first.add(kernels);
  const Batch second = std::move(first);
  CHECK(second.rows(kernels) == 1);
  // NOLINTBEGIN(bugprone-use-after-move): what this is about
  CHECK(first.rows(kernels) == 0);
  first.shift_times(5);
  first.set(first.add(kernels), name, "gemm");
  CHECK(first.rows(kernels) == 1);
  // NOLINTEND(bugprone-use-after-move)
  CHECK(second.rows(TableId{}) == 0);
}

TEST_CASE("a builder tells what was wrong in its batch", "[api][host][batch]") {
  FactsBuilder builder("mine");
  builder.rows().set(builder.rows().add("kernels"), "dur", std::int64_t{5});
  builder.rows().batch().set(Row{kernels, 1}, dur, std::int64_t{5});
  const auto facts = std::move(builder).build();
  REQUIRE_FALSE(facts);
  CHECK(contains(render(facts.error()), "error[K221]: 'kernels.dur' was set in row 1, and 'kernels' has 1"));
}
