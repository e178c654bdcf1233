// SPDX-License-Identifier: Apache-2.0
// How long a host waits that asks kdiag to stop: cancel_latency WORK FILE [TRIALS]. Does the work once for its time,
// then again and again, cancelled at another moment each time, spread evenly. Prints the longest delays. WORK and FILE:
// judge, compare or baseline (a trace with itself), query (a table of all kernels as text, JSON and CSV) or export and
// a trace; rules, format or tests and a rule file; builder and a number of kernels.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <kdiag/compare.hpp>
#include <kdiag/facts_builder.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>
#include <kdiag/tools.hpp>

namespace {

using Clock = std::chrono::steady_clock;
using CancelFlag = const std::atomic<bool>*;

double milliseconds(Clock::duration time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// Something that can be stopped; it says where it is.
struct Work {
  std::function<void(CancelFlag cancel, std::atomic<const char*>& stage)> run;
  std::function<void()> prepare = [] {};  ///< before each time, uncounted
};

/// What went wrong, when nobody asked to stop.
template <class T>
bool fine(const kdiag::Result<T>& result, CancelFlag cancel) {
  if (!result && cancel == nullptr) std::cerr << kdiag::render(result.error());
  return result.has_value();
}

kdiag::Result<kdiag::Facts> load(const std::string& path, CancelFlag cancel) {
  kdiag::LoadOptions options;
  options.cancel = cancel;
  return kdiag::load_trace(path, options);
}

Work judge(const std::string& path) {
  kdiag::RuleOptions options;
  options.incubating = true;
  return {[path, rules = *kdiag::builtin_rules(options)](CancelFlag cancel, std::atomic<const char*>& stage) {
    stage = "loading";
    const auto facts = load(path, cancel);
    stage = "judging";
    if (fine(facts, cancel)) kdiag::diagnose(*facts, rules, {.cancel = cancel});
  }};
}

Work compare_with_itself(const std::string& path) {
  const auto facts = load(path, nullptr);
  if (!fine(facts, nullptr)) return {};
  return {[facts = *facts, rules = *kdiag::builtin_rules()](CancelFlag cancel, std::atomic<const char*>& /*stage*/) {
    kdiag::CompareOptions options;
    options.cancel = cancel;
    fine(kdiag::compare({facts, facts}, rules, options), cancel);
  }};
}

Work judge_with_itself(const std::string& path) {
  const auto facts = load(path, nullptr);
  if (!fine(facts, nullptr)) return {};
  return {[facts = *facts, rules = *kdiag::builtin_rules()](CancelFlag cancel, std::atomic<const char*>& /*stage*/) {
    kdiag::diagnose(facts, rules, {.cancel = cancel, .baseline = facts});
  }};
}

/// As many kernels, each with the call that launched it and an operator.
void fill(kdiag::FactRows& rows, std::int64_t kernels) {
  kdiag::Batch& batch = rows.batch();
  const kdiag::Row device = batch.device(0);
  const kdiag::Row stream = rows.stream(device, 7);
  const kdiag::Row thread = batch.thread(1, 1);
  for (std::int64_t i = 0; i < kernels; ++i) {
    const std::int64_t start = 1000 * i;
    const kdiag::Row op = rows.add("ops");
    rows.set(op, "name", "aten::op" + std::to_string(i % 100));
    rows.set(op, "start", start);
    rows.set(op, "dur", std::int64_t{600});
    rows.set(op, "thread", thread);
    const kdiag::Row call = rows.add("api");
    rows.set(call, "name", "cudaLaunchKernel");
    rows.set(call, "start", start + 100);
    rows.set(call, "dur", std::int64_t{50});
    rows.set(call, "thread", thread);
    const kdiag::Row kernel = rows.add("kernels");
    rows.set(kernel, "name", "gemm" + std::to_string(i % 1000));
    rows.set(kernel, "start", start + 500);
    rows.set(kernel, "dur", std::int64_t{700});
    rows.set(kernel, "device", device);
    rows.set(kernel, "stream", stream);
    rows.set(kernel, "launch", call);
  }
}

Work build(const std::string& kernels) {
  const auto builder = std::make_shared<std::optional<kdiag::FactsBuilder>>();
  return {[builder](CancelFlag cancel, std::atomic<const char*>& /*stage*/) {
            kdiag::LoadOptions options;
            options.cancel = cancel;
            fine(std::move(**builder).build(options), cancel);
          },
          [builder, kernels = std::atoll(kernels.c_str())] {
            builder->emplace("bench");
            fill((*builder)->rows(), kernels);
          }};
}

Work ask(const std::string& path) {
  const auto facts = load(path, nullptr);
  if (!fine(facts, nullptr)) return {};
  return {[facts = *facts, rules = *kdiag::builtin_rules()](CancelFlag cancel, std::atomic<const char*>& /*stage*/) {
    kdiag::QueryOptions options;
    options.cancel = cancel;
    fine(kdiag::query(facts, rules, "kernels", options), cancel);
  }};
}

Work write(const std::string& path) {
  return {[path](CancelFlag cancel, std::atomic<const char*>& /*stage*/) {
    kdiag::LoadOptions options;
    options.cancel = cancel;
    const std::string paths[] = {path};
    fine(kdiag::export_facts(
             paths, [](std::string_view) { return true; }, options),
         cancel);
  }};
}

Work load_rules(const std::string& path) {
  return {[path](CancelFlag cancel, std::atomic<const char*>& /*stage*/) {
    kdiag::RuleOptions options;
    options.cancel = cancel;
    fine(kdiag::load_rules(path, options), cancel);
  }};
}

Work format(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {[text = std::string(std::istreambuf_iterator<char>(file), {})](CancelFlag cancel,
                                                                         std::atomic<const char*>& /*stage*/) {
    fine(kdiag::format_rules("rules", text, cancel), cancel);
  }};
}

Work test(const std::string& path) {
  return {[path](CancelFlag cancel, std::atomic<const char*>& /*stage*/) {
    kdiag::RuleTestOptions options;
    options.cancel = cancel;
    const std::string paths[] = {path};
    fine(kdiag::test_rules(paths, options), cancel);
  }};
}

Work work_of(std::string_view name, const std::string& path) {
  if (name == "judge") return judge(path);
  if (name == "compare") return compare_with_itself(path);
  if (name == "baseline") return judge_with_itself(path);
  if (name == "builder") return build(path);
  if (name == "query") return ask(path);
  if (name == "export") return write(path);
  if (name == "rules") return load_rules(path);
  if (name == "format") return format(path);
  if (name == "tests") return test(path);
  return {};
}

/// What was under way when the host asked.
struct Trial {
  double delay_ms = 0, asked_ms = 0;
  const char* stage = "";
};

Trial cancel_after(const Work& work, Clock::duration delay) {
  std::atomic<bool> cancel{false};
  std::atomic<const char*> stage{"working"};
  Clock::time_point asked;
  const char* at = nullptr;
  work.prepare();
  const Clock::time_point begun = Clock::now();
  std::jthread host([&] {
    std::this_thread::sleep_until(begun + delay);
    at = stage;
    asked = Clock::now();
    cancel = true;
  });
  work.run(&cancel, stage);
  const Clock::time_point ended = Clock::now();
  host.join();
  return {std::max(0.0, milliseconds(ended - asked)), milliseconds(asked - begun), at};
}

}  // namespace

int main(int argc, char** argv) {
  const Work work = argc < 3 ? Work() : work_of(argv[1], argv[2]);
  if (!work.run) {
    std::cerr << "usage: cancel_latency judge|compare|baseline|query|export|rules|format|tests|builder FILE [TRIALS]\n";
    return 2;
  }
  const int trials = argc > 3 ? std::atoi(argv[3]) : 100;
  std::atomic<const char*> stage{"working"};
  work.prepare();
  const Clock::time_point begun = Clock::now();
  work.run(nullptr, stage);
  const Clock::duration whole = Clock::now() - begun;

  std::vector<Trial> all;
  for (int i = 0; i < trials; ++i) all.push_back(cancel_after(work, whole * (2 * i + 1) / (2 * trials)));
  std::sort(all.begin(), all.end(), [](const Trial& a, const Trial& b) { return a.delay_ms > b.delay_ms; });
  std::cout << "uncancelled: " << milliseconds(whole) << " ms; median delay " << all[all.size() / 2].delay_ms
            << " ms\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(5, all.size()); ++i)
    std::cout << all[i].delay_ms << " ms after asking at " << all[i].asked_ms << " ms, while " << all[i].stage << '\n';
}
