// SPDX-License-Identifier: Apache-2.0
// Which rows of a table belong to a subject.
#include <memory>
#include <string>

#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"
#include "tests/support/stated_run.hpp"

using namespace kdiag;

namespace {

/// How many rows of a table the first subject of a kind has.
std::string rows_of(const std::string& facts, const std::string& table, SubjectKind subject) {
  return tests::evaluate(*tests::stated_run(facts), "count(" + table + ")", subject);
}

const std::string two_devices =
    "devices: [{id: 0}, {id: 1}]\n"
    "kernels: [{name: a, start: 0us, dur: 1us, device: 0}, {name: b, start: 1us, dur: 1us, device: 0}, "
    "{name: c, start: 0us, dur: 1us, device: 1}, {name: nowhere, start: 0us, dur: 1us}]\n";

}  // namespace

TEST_CASE("a device has the rows that name it, the run has all", "[engine][narrowing]") {
  CHECK(rows_of(two_devices, "kernels", SubjectKind::device) == "2");
  CHECK(rows_of(two_devices, "kernels", SubjectKind::run) == "4");
  CHECK(rows_of(two_devices, "devices", SubjectKind::device) == "1");
}

TEST_CASE("rows without a device are those of the only device", "[engine][narrowing]") {
  CHECK(rows_of("devices: [{id: 0}]\n"
                "kernels: [{name: a, start: 0us, dur: 1us, device: 0}, {name: nowhere, start: 0us, dur: 1us}]",
                "kernels", SubjectKind::device) == "2");
}

TEST_CASE("`all.` of a device is the whole run", "[engine][narrowing]") {
  CHECK(rows_of(two_devices, "all.kernels", SubjectKind::device) == "4");
}

TEST_CASE("a rank has the rows of its devices and of its threads", "[engine][narrowing]") {
  const std::string facts =
      "ranks: [{id: 0}, {id: 1}]\n"
      "devices: [{id: 0, rank: 0}, {id: 0, rank: 1}]\n"
      "threads: [{process: 1, id: 1, rank: 0}, {process: 2, id: 2, rank: 1}]\n"
      "kernels: [{name: a, start: 0us, dur: 1us, device: '0:0'}, {name: b, start: 0us, dur: 1us, device: '1:0'}]\n"
      "ops: [{name: x, start: 0us, dur: 1us, thread: 1}, {name: y, start: 0us, dur: 1us, thread: 2}, "
      "{name: z, start: 2us, dur: 1us, thread: 2}]\n";
  CHECK(rows_of(facts, "kernels", SubjectKind::rank) == "1");
  CHECK(rows_of(facts, "ops", SubjectKind::rank) == "1");
  CHECK(rows_of(facts, "ranks", SubjectKind::rank) == "1");
}

TEST_CASE("without ranks the run is the only one", "[engine][narrowing]") {
  CHECK(rows_of(two_devices, "kernels", SubjectKind::rank) == "4");
  CHECK(tests::evaluate(*tests::stated_run(two_devices), "defined(rank.id)", SubjectKind::rank) == "false");
}

TEST_CASE("a device has the host rows of the threads that launch to it", "[engine][narrowing]") {
  const std::string facts =
      "devices: [{id: 0}, {id: 1}]\n"
      "threads: [{process: 1, id: 1}, {process: 1, id: 2}]\n"
      "api: [{name: cudaLaunchKernel, start: 0us, dur: 1us, thread: 1, correlation: 1}, "
      "{name: cudaLaunchKernel, start: 0us, dur: 1us, thread: 2, correlation: 2}]\n"
      "kernels: [{name: a, start: 2us, dur: 1us, device: 0, correlation: 1}, {name: b, start: 2us, dur: 1us, device: "
      "1, correlation: 2}]\n"
      "ops: [{name: x, start: 0us, dur: 1us, thread: 1}, {name: y, start: 0us, dur: 1us, thread: 2}, "
      "{name: z, start: 2us, dur: 1us, thread: 2}]\n";
  CHECK(rows_of(facts, "ops", SubjectKind::device) == "1");
  CHECK(rows_of(facts, "api", SubjectKind::device) == "1");
}

TEST_CASE("a device that did nothing beside one that worked has no host rows", "[engine][narrowing]") {
  const std::string ops = "threads: [{process: 1, id: 1}]\nops: [{name: x, start: 0us, dur: 1us, thread: 1}]\n";
  const std::string launched =
      "devices: [{id: 1}, {id: 0}]\napi: [{name: cudaLaunchKernel, start: 0us, dur: 1us, thread: 1, correlation: 1}]\n"
      "kernels: [{name: a, start: 2us, dur: 1us, device: 0, correlation: 1}]\n";
  CHECK(rows_of(launched + ops, "ops", SubjectKind::device) == "0");                         // of device 1, the first
  CHECK(rows_of("devices: [{id: 1}, {id: 0}]\n" + ops, "ops", SubjectKind::device) == "1");  // none is known to work
}

TEST_CASE("of ranges a device has its own and those of its rank's host", "[engine][narrowing]") {
  const std::string host_ranges =
      "ranks: [{id: 0}, {id: 1}]\n"
      "devices: [{id: 0, rank: 0}, {id: 0, rank: 1}]\n"
      "threads: [{process: 1, id: 1, rank: 0}, {process: 1, id: 2, rank: 0}, {process: 2, id: 3, rank: 1}]\n"
      "annotations: [{name: step, start: 0us, dur: 1us, thread: 1}, {name: load, start: 0us, dur: 1us, thread: 2}, "
      "{name: step, start: 0us, dur: 1us, thread: 3}";
  CHECK(rows_of(host_ranges + "]", "annotations", SubjectKind::device) == "2");
  // Ranges of devices bring the column that tells them from the host's.
  CHECK(rows_of(host_ranges +
                    ", {name: step, start: 0us, dur: 1us, device: '0:0'}, "
                    "{name: step, start: 0us, dur: 1us, device: '1:0'}, {name: anywhere, start: 0us, dur: 1us}]",
                "annotations", SubjectKind::device) == "4");
}

TEST_CASE("a thread has its own rows alone", "[engine][narrowing]") {
  CHECK(rows_of("threads: [{process: 1, id: 1}, {process: 1, id: 2}]\n"
                "ops: [{name: x, start: 0us, dur: 1us, thread: 1}, {name: y, start: 0us, dur: 1us, thread: 2}]",
                "ops", SubjectKind::thread) == "1");
}

TEST_CASE("a device has what a comparison says of it or of no device", "[engine][narrowing]") {
  const std::string facts =
      "devices: [{id: 6}, {id: 7}]\n"
      "comparisons: [{metric: duration, function: f, device: 'GPU 6'}, {metric: duration, function: f, device: 'GPU "
      "7'}, "
      "{metric: duration, function: f, device: Host}]\n";
  CHECK(rows_of(facts, "comparisons", SubjectKind::device) == "2");
}
