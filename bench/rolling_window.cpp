// SPDX-License-Identifier: Apache-2.0
// What a window of telemetry costs that rolls on: CPU time of a tick, which adds a sample of each series of each GPU,
// drops what is too old and makes facts of the rest, and of a judgement; the memory of the process at ten moments.
//     rolling_window [TICKS] [WINDOW]      seconds; 100,000 and 3600 are the figures of docs/embedding.md
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/facts_builder.hpp>
#include <kdiag/kdiag.hpp>

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t gpus = 8;
constexpr std::string_view series[] = {"sm_clock", "mem_clock", "power",       "temperature",
                                       "gpu_util", "mem_util",  "memory_used", "throttle_reasons"};
constexpr double values[] = {1.98e9, 2.6e9, 540, 62, 0.98, 0.4, 6e10, 0};

double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double resident_mib() {
  std::ifstream file("/proc/self/statm");
  double size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4 / 1024;
}

/// The samples of a tick, as columns.
struct Tick {
  std::vector<double> values;
  std::vector<std::uint32_t> series, devices;

  explicit Tick(kdiag::FactRows& rows) {
    for (std::int64_t gpu = 0; gpu < gpus; ++gpu)
      for (std::uint32_t s = 0; s < std::size(::series); ++s) {
        values.push_back(::values[s]);
        series.push_back(s);
        devices.push_back(rows.device(gpu, {}).index);
      }
  }
  void add(kdiag::FactRows& rows, std::int64_t time) {
    values[0] = 1.98e9 - static_cast<double>(time / second % 7) * 1.5e7;
    rows.add_columns("samples", values.size(),
                     {{"time", time},
                      {"value", values},
                      {"device", devices},
                      {.name = "series", .values = series, .texts = ::series}});
  }
};

void print(std::string_view what, std::vector<double> times) {
  std::sort(times.begin(), times.end());
  std::printf("%-10s %8.2f ms CPU at least, %8.2f in the middle, %8.2f at most, of %zu\n", std::string(what).c_str(),
              times.front(), times[times.size() / 2], times.back(), times.size());
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t ticks = argc > 1 ? std::atoll(argv[1]) : 100'000;
  const std::int64_t window = argc > 2 ? std::atoll(argv[2]) : 3600;
  const auto rules = kdiag::builtin_rules();
  if (!rules || ticks <= 0 || window <= 0) return 2;
  kdiag::FactsBuilder builder("window", {.clock = kdiag::ClockDomain::unix_ns, .telemetry = true});
  Tick tick(builder.rows());
  std::vector<double> adding, snapshots, judgements;
  constexpr int measured = 50;  // snapshots; of the other ticks it is not told apart
  for (std::int64_t now = 0; now < window + ticks; ++now) {
    const double begin = cpu_ms();
    tick.add(builder.rows(), now * second);
    builder.drop_before((now - window + 1) * second);
    if (now >= window) adding.push_back(cpu_ms() - begin);
    if (now >= window && (now - window) % std::max<std::int64_t>(1, ticks / measured) == 0) {
      const double before = cpu_ms();
      const auto facts = builder.snapshot({.threads = 1});
      if (!facts) return 1;
      snapshots.push_back(cpu_ms() - before);
      const double judging = cpu_ms();
      kdiag::diagnose(*facts, *rules, {.threads = 1});
      judgements.push_back(cpu_ms() - judging);
    }
    if (now >= window && (now - window) % std::max<std::int64_t>(1, ticks / 10) == 0)
      std::printf("tick %7lld: %6.1f MiB, %zu rows\n", static_cast<long long>(now - window), resident_mib(),
                  builder.rows().batch().rows(kdiag::table("samples")));
  }
  print("add, drop", adding);
  print("snapshot", snapshots);
  print("judge", judgements);
}
