// SPDX-License-Identifier: Apache-2.0
// What a device or a host as a whole became slower by, and whether a device ran the same program.
#include "engine/compare/changes/same_program.hpp"
#include "engine/compare/changes/together.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

/// A launch, operator or call of both runs that takes `times` as long as before.
Change slower(ChangeRowKind kind, std::string name, double calls, double before, double times) {
  return {.kind = kind,
          .name = std::move(name),
          .basis = ChangeBasis::name,
          .present = ChangePresent::both,
          .calls = calls,
          .calls_before = calls,
          .each = before * times,
          .each_before = before};
}

Change only_now(ChangeRowKind kind, std::string name, double calls) {
  return {.kind = kind, .name = std::move(name), .present = ChangePresent::now, .calls = calls, .calls_before = 0.0};
}

/// The change of a device whose launches changed so.
std::optional<Change> device(const std::vector<Change>& launches) {
  const FactStore store;
  const RunMatch match(store, store);
  const PlacedRows rows(store);
  return device_change({store, store, match, rows, rows}, launches, {});
}

Change launch(std::string name, double calls, double before, double times) {
  return slower(ChangeRowKind::launch, std::move(name), calls, before, times);
}

std::optional<Change> host(const std::vector<Change>& operators, const std::vector<Change>& calls) {
  return host_change(operators, calls, {});
}

}  // namespace

TEST_CASE("Launches that all slowed down alike are a slower device", "[engine][changes]") {
  const auto change = device({launch("gemm", 10, 100, 1.3), launch("norm", 40, 10, 1.25), launch("copy", 5, 20, 1.35)});
  REQUIRE(change);
  CHECK(*change->alike);
  CHECK(*change->together == Approx(1));
  CHECK(*change->slower_names == Approx(1));
  CHECK(*change->longer == Approx((1300.0 + 500 + 135) / 1500 - 1));
}

TEST_CASE("One launch that slowed down is no slower device, however long it takes", "[engine][changes]") {
  const auto change = device({launch("gemm", 10, 1000, 2), launch("norm", 40, 10, 1), launch("copy", 5, 20, 1)});
  REQUIRE(change);
  CHECK_FALSE(*change->alike);
  CHECK(*change->slower_names == Approx(1.0 / 3));
}

TEST_CASE("Few slow names that have the time are a slower device, if the largest has not all of it",
          "[engine][changes]") {
  const std::vector<Change> quick = {launch("a", 1, 10, 1), launch("b", 1, 10, 1), launch("c", 1, 10, 1)};
  std::vector<Change> two = quick, one = quick;
  two.push_back(launch("gemm", 1, 500, 1.5));
  two.push_back(launch("attention", 1, 300, 1.5));
  one.push_back(launch("gemm", 1, 800, 1.5));
  CHECK(*device(two)->alike);
  CHECK_FALSE(*device(one)->alike);
}

TEST_CASE("A device without launches of both runs has no change", "[engine][changes]") {
  CHECK_FALSE(device({}));
  CHECK_FALSE(device({only_now(ChangeRowKind::launch, "gemm", 4)}));
  CHECK_FALSE(device({slower(ChangeRowKind::op, "gemm", 4, 10, 2)}));
}

TEST_CASE("A host is as slow as the middle one of its operators", "[engine][changes]") {
  const auto op = [](std::string name, double times) {
    return slower(ChangeRowKind::op, std::move(name), 5, 100, times);
  };
  // Those that wait for the device say nothing of the host.
  const auto change = host({op("aten::mm", 3), op("aten::add", 2), op("aten::view", 1), op("aten::item", 50),
                            op("aten::copy_", 50), op("aten::to", 50)},
                           {slower(ChangeRowKind::call, "cudaLaunchKernel", 9, 5, 7)});
  REQUIRE(change);
  CHECK(change->name == "operators");
  CHECK(*change->longer == Approx(1));
  CHECK(*change->together == Approx(2.0 / 3));  // longer by more than half as much
}

TEST_CASE("Where few operators are known the launch calls tell", "[engine][changes]") {
  const auto change = host({slower(ChangeRowKind::op, "aten::mm", 5, 100, 9)},
                           {slower(ChangeRowKind::call, "cudaLaunchKernel", 9, 5, 3),
                            slower(ChangeRowKind::call, "cudaStreamSynchronize", 9, 5, 90)});
  REQUIRE(change);
  CHECK(change->name == "launch calls");
  CHECK(*change->longer == Approx(2));
  CHECK_FALSE(host({}, {}));
}

TEST_CASE("A third of the calls, or operators as often as before, make it the same program", "[engine][changes]") {
  const auto kernel = [](std::string name, double calls) {
    return slower(ChangeRowKind::kernel, std::move(name), calls, 10, 1);
  };
  const Change other = only_now(ChangeRowKind::kernel, "fused", 100);
  CHECK(is_same_program({}, {}));  // nothing tells otherwise
  CHECK(is_same_program({kernel("gemm", 60), other}, {}));
  CHECK_FALSE(is_same_program({kernel("gemm", 40), other}, {}));
  const Change as_often = slower(ChangeRowKind::op, "aten::mm", 20, 10, 1);
  Change twice = as_often;
  twice.calls_before = 10;
  CHECK(is_same_program({kernel("gemm", 40), other, as_often}, {}));
  CHECK_FALSE(is_same_program({kernel("gemm", 40), other, twice}, {}));
  CHECK_FALSE(is_same_program({kernel("gemm", 4), other, as_often}, {}));  // next to no kernel in common
}
