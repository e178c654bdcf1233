// SPDX-License-Identifier: Apache-2.0
// growth [FACTOR] [NAME]: what inputs cost at n, 2n and 4n, in work and in memory, for each shape of input that can
// grow. Fails where one grows faster than the input does. FACTOR multiplies the sizes; NAME chooses the shapes that
// contain it.
//
// Work is retired instructions of this program outside the kernel, where the machine counts them; else its CPU time,
// the least of a few repetitions. Memory is the peak of what `operator new` gave. Both are those of one thread.
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "tests/robustness/counting_allocator.hpp"
#include "tests/robustness/growth_shapes.hpp"

using namespace kdiag::growth;

namespace {

/// Counts instructions where it can, else ns of CPU time.
class Counter {
 public:
  Counter() {
    perf_event_attr about{};
    about.size = sizeof about;
    about.type = PERF_TYPE_HARDWARE;
    about.config = PERF_COUNT_HW_INSTRUCTIONS;
    about.exclude_kernel = 1;
    about.exclude_hv = 1;
    file_ = static_cast<int>(syscall(SYS_perf_event_open, &about, 0, -1, -1, 0));
  }
  ~Counter() {
    if (file_ >= 0) close(file_);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  bool exact() const { return file_ >= 0; }
  double now() const {
    std::uint64_t count = 0;
    if (exact() && read(file_, &count, sizeof count) == sizeof count) return static_cast<double>(count);
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return 1e9 * static_cast<double>(used.ru_utime.tv_sec) + 1e3 * static_cast<double>(used.ru_utime.tv_usec);
  }

 private:
  int file_ = -1;
};

struct Cost {
  double work = 0, memory = 0;
};

/// CPU time of a short run is noise: it is repeated until it was long enough, and the least is taken.
Cost cost_of(const Shape& shape, std::size_t size, const Counter& counter) {
  constexpr double long_enough = 3e8;  // ns (judgement)
  constexpr int most_repetitions = 5;
  Cost cost;
  double spent = 0;
  for (int i = 0; i < (counter.exact() ? 1 : most_repetitions) && spent < long_enough; ++i) {
    const Work work = shape.prepare(size);
    const std::size_t before = counting::held();
    counting::reset_peak();
    const double start = counter.now();
    work();
    const double used = counter.now() - start;
    spent += used;
    cost.work = i == 0 ? used : std::min(cost.work, used);
    cost.memory = static_cast<double>(counting::peak() - before);
  }
  return cost;
}

/// What grows by less than this from 2n to 4n is start-up and noise, whatever its ratio (judgement).
constexpr double least_work_instructions = 2e7, least_work_ns = 1e7, least_memory = 256.0 * 1024;

bool grows_too_fast(double smaller, double larger, double most, double least) {
  return larger - smaller > least && larger > most * smaller;
}

void print_row(const Shape& shape, std::size_t size, const Cost& cost, const Cost* before) {
  std::printf("%-42s %9zu %12.1f %10.1f", shape.name.c_str(), size, cost.work / 1e6, cost.memory / 1024 / 1024);
  if (before != nullptr) std::printf(" %6.2f %6.2f", cost.work / before->work, cost.memory / before->memory);
  std::printf("\n");
  std::fflush(stdout);
}

/// Whether the shape grows as it may.
bool measure(const Shape& shape, double factor, const Counter& counter) {
  const auto first = std::max<std::size_t>(1, static_cast<std::size_t>(static_cast<double>(shape.size) * factor));
  std::vector<Cost> costs;
  try {
    shape.prepare(1)();  // what is made once for a process
    for (const std::size_t size : {first, 2 * first, 4 * first}) {
      costs.push_back(cost_of(shape, size, counter));
      print_row(shape, size, costs.back(), costs.size() > 1 ? &costs[costs.size() - 2] : nullptr);
    }
  } catch (const std::exception& error) {
    std::printf("%-42s FAILED: %s\n", shape.name.c_str(), error.what());
    return false;
  }
  const double least = counter.exact() ? least_work_instructions : least_work_ns;
  const auto works_too_much = [&] { return grows_too_fast(costs[1].work, costs[2].work, shape.most_cost, least); };
  // CPU time is disturbed by what else the machine does: what looks wrong is measured again.
  for (int again = 0; !counter.exact() && works_too_much() && again < 2; ++again)
    for (const std::size_t i : {1, 2})
      costs[i].work = std::min(costs[i].work, cost_of(shape, first << i, counter).work);
  const bool work = works_too_much();
  const bool memory = grows_too_fast(costs[1].memory, costs[2].memory, shape.most_memory, least_memory);
  if (work || memory)
    std::printf("%-42s FAILED: %s grows faster than its input (%.2f, %.2f)\n", shape.name.c_str(),
                work ? "work" : "memory", costs[2].work / costs[1].work, costs[2].memory / costs[1].memory);
  if (!shape.reason.empty()) std::printf("%-42s may grow so: %s\n", "", shape.reason.c_str());
  return !work && !memory;
}

}  // namespace

int main(int argc, char** argv) {
  const double factor = argc > 1 ? std::atof(argv[1]) : 1;
  const std::string_view wanted = argc > 2 ? argv[2] : "";
  if (!(factor > 0)) {
    std::fprintf(stderr, "usage: growth [FACTOR] [NAME]\n");
    return 2;
  }
  const Counter counter;
  std::printf("%-42s %9s %12s %10s %6s %6s\n", "shape", "n", counter.exact() ? "M instr." : "ms", "MiB", "work",
              "memory");
  int shapes = 0;
  std::vector<std::string> failed;
  for (const auto& list : {trace_shapes(), format_shapes(), rule_shapes()})
    for (const Shape& shape : list) {
      if (shape.name.find(wanted) == std::string::npos) continue;
      ++shapes;
      if (!measure(shape, factor, counter)) failed.push_back(shape.name);
    }
  std::printf("%d shapes, %zu grow too fast\n", shapes, failed.size());
  for (const std::string& name : failed) std::printf("  %s\n", name.c_str());
  return shapes > 0 && failed.empty() ? 0 : 1;
}
