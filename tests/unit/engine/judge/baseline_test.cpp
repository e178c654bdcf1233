// SPDX-License-Identifier: Apache-2.0
// What baseline(), delta() and change() evaluate to.
#include <string>

#include <kdiag/kdiag.hpp>

#include "tests/catch.hpp"
#include "tests/support/evaluate.hpp"
#include "tests/support/stated_run.hpp"

using namespace kdiag;
using tests::errors_of;
using tests::first_error;
using tests::stated_run;

namespace {

/// Of a slow run against a good one: twice the gemm time, one new kernel, one that is gone.
class TwoRuns {
 public:
  std::string operator()(std::string_view expression, SubjectKind subject = SubjectKind::run) const {
    return tests::evaluate(*slow_, expression, subject, good_.get());
  }

 private:
  std::shared_ptr<const FactStore> slow_ = stated_run(
      "devices: [{id: 7, name: A100, sm_clock_avg: 210MHz}]\n"
      "kernels: [{name: gemm, class: gemm, start: 0us+20us*4, dur: 10us, device: 7}, {name: new, class: other, start: "
      "12us, dur: 2us, device: 7}]\n"
      "op_stats: [{name: 'aten::mm', calls: 4, host_self: 8us}, {name: 'aten::add', calls: 1, host_self: 1us}]");
  std::shared_ptr<const FactStore> good_ = stated_run(
      "devices: [{id: 3, name: A100, sm_clock_avg: 1155MHz}]\n"
      "kernels: [{name: gone, class: other, start: 0us, dur: 1us, device: 3}, {name: gemm, class: gemm, start: "
      "5us+20us*4, dur: 5us, device: 3}]\n"
      "op_stats: [{name: 'aten::mm', calls: 4, host_self: 4us}]");
};

}  // namespace

TEST_CASE("baseline() is the value of the matching subject", "[engine][baseline]") {
  const TwoRuns runs;
  CHECK(runs("run.wall") == "70 us");
  CHECK(runs("baseline(run.wall)") == "70 us");
  CHECK(runs("delta(sum(kernels, dur))") == "21 us");
  CHECK(runs("change(sum(kernels, dur))") == "100 %");
  CHECK(runs("baseline(device.sm_clock_avg)", SubjectKind::device) == "1155 MHz");
  CHECK(runs("change(device.sm_clock_avg)", SubjectKind::device) == "-81.8 %");
  CHECK(runs("baseline(device.name) == device.name", SubjectKind::device) == "true");
  CHECK(runs("baseline(busy(kernels) > 20us)", SubjectKind::device) == "true");
  CHECK(runs("delta(device.id)", SubjectKind::device) == "4");
}

TEST_CASE("baseline() of a row is that of the row with its key", "[engine][baseline]") {
  const TwoRuns runs;
  CHECK(runs("sum(kernel_stats where total > 1.5 * baseline(total), total)") == "40 to 42 us");
  CHECK(runs("count(kernel_stats where not defined(baseline(total)))") == "1");
  CHECK(runs("sum(kernel_stats where defined(baseline(total)), delta(total))") == "20 us");
  CHECK(runs("sum(op_stats, default(baseline(host_self), 0s))") == "4 us");
  CHECK(runs("sum(kernel_stats, baseline(total / run.wall))") == "at least 28.6 %");
  CHECK(runs("mode(op_stats where calls == 4, baseline(name))") == "aten::mm");
  CHECK(runs("sum(op_stats as o where o.host_self > baseline(o.host_self), calls)") == "4 to 5");
}

TEST_CASE("baseline() in a group is that of the group with its keys", "[engine][baseline]") {
  const TwoRuns runs;
  const std::string groups =
      "(kernels group by (class) select (t = sum(dur), before = baseline(sum(dur)), more = delta(count())))";
  CHECK(runs("sum(" + groups + " where class == \"gemm\", before)") == "20 us");
  CHECK(runs("sum(" + groups + " where class == \"other\", before)") == "1 us");
  CHECK(runs("sum(" + groups + ", more)") == "0");
  CHECK(runs("count(kernels group by (name) select (before = baseline(sum(dur))) where not defined(before))") == "1");
  CHECK(runs("sum(kernels group by (device) select (before = baseline(sum(dur))), before)") == "21 us");
}

TEST_CASE("each group of rows that is a subject has its counterpart", "[engine][baseline]") {
  const TwoRuns runs;
  CHECK(runs("baseline(kernel.total)", SubjectKind::kernel) == "20 us");
  CHECK(runs("baseline(sum(kernels, dur))", SubjectKind::kernel) == "20 us");
  CHECK(runs("change(op.host_self)", SubjectKind::op) == "100 %");
}

TEST_CASE("without a baseline or a counterpart the value is unknown and says so", "[engine][baseline]") {
  const auto one =
      stated_run("devices: [{id: 0}, {id: 1}]\nkernel_stats: [{name: k, device: 0}, {name: k, device: 1}]");
  const auto other = stated_run("kernel_stats: [{name: k, device: 4}]");
  const auto device = [&](std::string_view expression, const FactStore* baseline) {
    return tests::evaluate(*one, expression, SubjectKind::device, baseline);
  };
  CHECK(device("baseline(count(kernel_stats))", nullptr) == "unknown (baseline not given)");
  CHECK(device("baseline(count(kernel_stats))", other.get()) ==
        "unknown (GPU 0 has no counterpart in the baseline run)");
  CHECK(tests::evaluate(*one, "baseline(run.wall)", SubjectKind::run, other.get()).find("in the baseline run") !=
        std::string::npos);
  CHECK(tests::evaluate(*one, "baseline(baseline(count(kernel_stats)))", SubjectKind::run, other.get())
            .starts_with("unknown (baseline not given"));
}

TEST_CASE("what two runs cannot share is refused", "[engine][baseline]") {
  CHECK(first_error("baseline(kernels)") == "kernels: wrong arguments for baseline");
  CHECK(first_error("length(baseline(spans(kernels)))") == "spans(kernels): wrong arguments for baseline");
  CHECK(first_error("delta(device.name)") == "device.name: wrong arguments for delta");
  CHECK(first_error("baseline(min(kernels, start))") == "min(kernels, start): wrong arguments for baseline");
  CHECK(first_error("count(kernels where dur > baseline(dur))") == "dur: wrong arguments for baseline");
  CHECK(first_error("count(kernels group by (name) select (t = sum(dur)) where t > baseline(t))") ==
        "t: wrong arguments for baseline");
  CHECK(first_error("change(device.sm_clock_avg, 2)") == "change(device.sm_clock_avg, 2): wrong arguments for change");
  CHECK(errors_of("sum(kernel_stats where total > baseline(total), delta(total))") == "");
  CHECK(errors_of("baseline(sum(kernels, dur)) > 3KiB") == "K203");
}
