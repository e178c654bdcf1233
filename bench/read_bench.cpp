// SPDX-License-Identifier: Apache-2.0
// Reading events: the yardstick, and read_events with the same columns.
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "adapters/io/input.hpp"
#include "adapters/json/json.hpp"
#include "bench/columns.hpp"
#include "bench/reference_reader.hpp"
#include "bench/trace_file.hpp"
#include "tests/support/fake_sink.hpp"

namespace kdiag::bench {
namespace {

using namespace kdiag::adapters;

constexpr std::int64_t us = 1000;

std::int64_t integer(Token token) { return to_integer(token).value_or(Row::absent); }
std::int64_t time_ns(Token token) { return to_ns(token, us).value_or(Row::absent); }

void read_member(const Member& member, Row& row, Interner& strings) {
  const std::string_view key = member.key;
  if (key == "ph") row.ph = strings(member.value.text);
  else if (key == "cat") row.cat = strings(member.value.text);
  else if (key == "name") row.name = strings(member.value.text);
  else if (key == "ts") row.ts = time_ns(member.value);
  else if (key == "dur") row.dur = time_ns(member.value);
  else if (key == "pid") row.pid = integer(member.value);
  else if (key == "tid") row.tid = integer(member.value);
}

void read_argument(const Member& member, Row& row) {
  const std::string_view key = member.key;
  if (key == "device") row.device = integer(member.value);
  else if (key == "stream") row.stream = integer(member.value);
  else if (key == "correlation") row.correlation = integer(member.value);
}

/// As many columns as threads are at work at once, each with strings of its own.
class ColumnsPool {
 public:
  std::unique_ptr<Columns> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Columns>();
    std::unique_ptr<Columns> columns = std::move(free_.back());
    free_.pop_back();
    return columns;
  }
  void give_back(std::unique_ptr<Columns> columns) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(columns));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Columns>> free_;
};

std::uint64_t read_trace(const std::string& path, unsigned threads) {
  auto input = open_input(path);
  if (!input) return 0;
  tests::FakeSink sink(threads);
  ColumnsPool pool;
  const auto document = read_events(**input, sink, {}, [&pool](EventCursor& event, std::uint64_t) {
    std::unique_ptr<Columns> columns = pool.take();
    while (event.next()) {
      Row row;
      for (const Member& member : event.members()) read_member(member, row, columns->strings);
      for (const Member& member : event.args()) read_argument(member, row);
      columns->add(row);
    }
    pool.give_back(std::move(columns));
  });
  return document ? document->events : 0;
}

void count_bytes(benchmark::State& state, const std::string& path) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * file_size(path));
}

void reference(benchmark::State& state) {
  const std::string& path = trace_file(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(read_reference(path).ts.size());
  count_bytes(state, path);
}

void events(benchmark::State& state) {
  const std::string& path = trace_file(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(read_trace(path, static_cast<unsigned>(state.range(1))));
  count_bytes(state, path);
}

BENCHMARK(reference)->Arg(100'000)->Arg(1'000'000)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(events)->ArgsProduct({{100'000, 1'000'000}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace kdiag::bench
