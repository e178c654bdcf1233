// SPDX-License-Identifier: Apache-2.0
#include "tests/robustness/growth_shapes.hpp"
#include "tests/robustness/growth_text.hpp"

namespace kdiag::growth {
namespace {

/// Adds the i-th of n things to a trace.
using Add = void (*)(Trace& trace, long i, long n);

std::string trace_of(Add add, std::size_t size) {
  Trace trace;
  const auto n = static_cast<long>(size);
  for (long i = 0; i < n; ++i) add(trace, i, n);
  return trace.take();
}

Shape shape(std::string name, std::size_t size, Add add) {
  return {.name = std::move(name),
          .prepare = [add](std::size_t n) { return diagnosis_of("trace.json", trace_of(add, n)); },
          .size = size};
}

double at(long i) { return static_cast<double>(i); }

/// A shape that may grow by more than others.
Shape except(Shape shape, double most_cost, std::string reason) {
  shape.most_cost = most_cost;
  shape.reason = std::move(reason);
  return shape;
}

std::string named(const char* prefix, long i) { return prefix + std::to_string(i); }

}  // namespace

std::vector<Shape> trace_shapes() {
  return {
      shape("kernel names", 4000, [](Trace& t, long i, long) { t.kernel(10 * at(i), 5, named("kernel_", i)); }),
      shape("kernels at one instant", 4000, [](Trace& t, long, long) { t.kernel(100, 5); }),
      shape("kernels of no length", 4000, [](Trace& t, long i, long) { t.kernel(at(i), 0); }),
      shape("kernels all zero", 4000, [](Trace& t, long, long) { t.kernel(0, 0); }),
      shape("one correlation id", 4000,
            [](Trace& t, long i, long) {
              t.call(10 * at(i), 2, 1);
              t.kernel(10 * at(i) + 5, 4, "k", 0, 7, 1);
            }),
      shape("kernels that overlap", 4000, [](Trace& t, long i, long n) { t.kernel(at(i), 2 * at(n)); }),
      shape("nested operators", 4000,
            [](Trace& t, long i, long n) {
              t.op(at(i), 2 * at(n - i), i + 1);
              t.kernel(2 * at(i), 1);
            }),
      shape("nested Python functions", 4000,
            [](Trace& t, long i, long n) {
              t.python(at(i), 2 * at(n - i), i + 1, i, named("f", i % 100) + ".py(1): f");
              t.call(at(n) + 0.001 * at(i), 0.0005, i + 1);
              t.kernel(2 * at(i), 1, "k", 0, 7, i + 1);
            }),
      shape("operators at one instant", 4000,
            [](Trace& t, long i, long) {
              t.op(100, 50, i + 1);
              t.call(100, 50, i + 1);
              t.kernel(100, 50, "k", 0, 7, i + 1);
            }),
      shape("operators with one id", 4000,
            [](Trace& t, long i, long) {
              t.op(5 * at(i), 4, 1);
              t.call(5 * at(i) + 1, 1, i + 1);
              t.kernel(5 * at(i) + 2, 2, "k", 0, 7, i + 1);
            }),
      shape("operator names", 4000,
            [](Trace& t, long i, long) {
              t.op(10 * at(i), 5, i + 1, named("aten::op", i));
              t.kernel(10 * at(i), 5);
            }),
      shape("streams", 2000, [](Trace& t, long i, long) { t.kernel(10 * at(i), 5, "k", 0, i); }),
      shape("devices", 250, [](Trace& t, long i, long) { t.kernel(10 * at(i), 5, "k", i); }),
      shape("devices that launch", 250,
            [](Trace& t, long i, long) {
              t.call(10 * at(i), 1, i + 1);
              t.kernel(10 * at(i) + 5, 5, "k", i, 7, i + 1);
              t.kernel(10 * at(i) + 200, 5, "k", i, 7, i + 1);
            }),
      except(shape("devices in steps", 125,
                   [](Trace& t, long i, long) {
                     if (i % 10 == 0) t.step(i / 10, 100 * at(i), 1000);
                     t.call(100 * at(i) + 1, 1, i + 1);
                     t.kernel(100 * at(i) + 5, 50, "k", i, 7, i + 1);
                   }),
             4.4, "each device is judged by all steps and calls of the thread that drives it"),
      shape("threads", 2000,
            [](Trace& t, long i, long) {
              t.op(10 * at(i), 5, i + 1, "aten::mm", i);
              t.call(10 * at(i), 5, i + 1, "cudaLaunchKernel", i);
              t.kernel(10 * at(i) + 6, 5, "k", 0, 7, i + 1);
            }),
      shape("steps", 2000,
            [](Trace& t, long i, long) {
              t.step(i, 10 * at(i), 10);
              t.call(10 * at(i), 1, i + 1);
              t.kernel(10 * at(i) + 2, 5, "k", 0, 7, i + 1);
            }),
      shape("steps that overlap", 2000,
            [](Trace& t, long i, long n) {
              t.step(i, at(i), 2 * at(n));
              t.kernel(2 * at(i), 1);
            }),
      // From some 20,000 slices on the page draws several as one, which costs more than drawing each.
      shape("steps that become shorter", 4000,
            [](Trace& t, long i, long n) {
              // Each is longer than thrice the median of those behind it, as far as that goes.
              const double before = 3 * (at(n) * at(i) - 0.5 * at(i) * at(i));
              t.step(i, before, 3 * at(n - i));
              t.call(before, 1, i + 1);
              t.kernel(before + 1, 1, "k", 0, 7, i + 1);
            }),
      shape("annotations", 4000,
            [](Trace& t, long i, long n) {
              t.range(at(i), 2 * at(n) - at(i), named("range", i));
              t.kernel(2 * at(i), 1);
            }),
      shape("calls that wait", 4000,
            [](Trace& t, long i, long n) {
              t.call(10 * at(i), 2, i + 1);
              t.call(10 * at(i) + 2, 5, n + i + 1, "cudaStreamSynchronize");
              t.kernel(10 * at(i) + 3, 4, "k", 0, 7, i + 1);
            }),
      shape("calls that wait at once", 4000,
            [](Trace& t, long i, long n) {
              t.call(0, 5 * at(n), i + 1, "cudaDeviceSynchronize", i % 50);
              t.kernel(5 * at(i), 4);
            }),
      shape("copies", 4000,
            [](Trace& t, long i, long) {
              t.call(10 * at(i), 9, i + 1, "cudaMemcpyAsync");
              t.copy(10 * at(i) + 1, 8, i + 1);
            }),
      shape("counters", 4000,
            [](Trace& t, long i, long) {
              t.raw(R"("ph":"C","name":"c)" + std::to_string(i) + R"(","pid":0,"ts":)" + std::to_string(i) +
                    R"(,"args":{"v":1})");
              if (i == 0) t.kernel(0, 1);
            }),
      shape("memory events", 4000,
            [](Trace& t, long i, long) {
              const std::string index = std::to_string(i);
              t.raw(R"("ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"s":"t","ts":)" + index +
                    R"(,"args":{"Device Type":1,"Device Id":0,"Addr":)" + index + R"(,"Bytes":)" +
                    (i % 2 == 0 ? "512" : "-512") + R"(,"Total Allocated":)" + index + "}");
              t.kernel(2 * at(i), 1);
            }),
      shape("flow events", 4000,
            [](Trace& t, long i, long) {
              const std::string time = std::to_string(3 * i);
              t.call(3 * at(i), 1, i + 1);
              t.kernel(3 * at(i) + 1, 1, "k", 0, 7, i + 1);
              t.raw(R"("ph":"s","id":1,"pid":1,"tid":1,"cat":"ac2g","name":"ac2g","ts":)" + time);
              t.raw(R"("ph":"f","id":1,"pid":0,"tid":7,"cat":"ac2g","name":"ac2g","bp":"e","ts":)" + time);
            }),
      shape("ranges on the device", 4000,
            [](Trace& t, long i, long n) {
              t.event("gpu_user_annotation", "r", 0, 7, at(i), 2 * at(n - i), "");
              t.kernel(2 * at(i), 1);
            }),
      shape("collectives", 4000,
            [](Trace& t, long i, long) {
              t.kernel(10 * at(i), 9, "ncclDevKernel_AllReduce_Sum_f32_RING_LL(x)", 0, 20);
              t.kernel(10 * at(i) + 1, 9, named("k", i % 50));
            }),
      shape("huge times", 4000, [](Trace& t, long i, long) { t.kernel(1e9 * at(i), 1e9); }),
      shape("ranges that begin and never end", 4000,
            [](Trace& t, long i, long) {
              t.raw(R"("ph":"B","name":"r","pid":1,"tid":1,"ts":)" + std::to_string(i));
              t.kernel(at(i), 1);
            }),
      shape("kernels in one graph launch", 4000,
            [](Trace& t, long i, long) {
              if (i == 0) t.call(0, 5, 1, "cudaGraphLaunch");
              t.kernel(10 + 10 * at(i), 8, named("k", i % 20), 0, 7, 1);
            }),
      shape("graph launches", 4000,
            [](Trace& t, long i, long) {
              t.call(10 * at(i), 5, i + 1, "cudaGraphLaunch");
              for (long k = 0; k < 3; ++k) t.kernel(10 * at(i) + 6 + at(k), 1, named("k", k), 0, 7, i + 1);
            }),
      shape("kinds of events that are not known", 4000,
            [](Trace& t, long i, long) {
              t.event(named("category", i), "x", 1, 1, at(i), 1, "");
              if (i == 0) t.kernel(0, 1);
            }),
  };
}

}  // namespace kdiag::growth
