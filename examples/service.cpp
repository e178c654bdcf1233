// SPDX-License-Identifier: Apache-2.0
// The heart of a service: several workers diagnose traces that arrive as bytes, with one set of rules and a limit of
// time and rows for each request.
//     service TRACE...
#include <atomic>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <kdiag/deadline.hpp>
#include <kdiag/kdiag.hpp>

namespace {

constexpr std::int64_t longest_ms = 30'000;
constexpr std::uint64_t most_rows = 50'000'000;

/// Answers one request: the JSON report, or what is wrong.
std::string handle(const std::string& name, const std::string& bytes, const kdiag::RuleSet& rules) {
  std::atomic<bool> stop = false;
  const kdiag::Deadline deadline(stop, longest_ms);
  kdiag::LoadOptions loading;
  loading.threads = 1;  // the workers are as many as there are cores
  loading.limits.rows = most_rows;
  loading.cancel = &stop;
  const auto facts = kdiag::load_trace(name, std::span<const char>(bytes), loading);
  if (!facts) return kdiag::render(facts.error());
  const kdiag::Report report = kdiag::diagnose(*facts, rules, {.threads = 1, .cancel = &stop});
  if (stop) return name + ": this took too long\n";
  return kdiag::to_json(report);
}

}  // namespace

int main(int argc, char** argv) {
  const auto rules = kdiag::builtin_rules();
  if (!rules || argc < 2) {
    std::cerr << (rules ? "usage: service TRACE...\n" : kdiag::render(rules.error()));
    return 2;
  }
  const std::vector<std::string> requests(argv + 1, argv + argc);
  std::vector<std::string> answers(requests.size());
  std::atomic<std::size_t> next{0};
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back([&] {
        for (std::size_t at = next++; at < requests.size(); at = next++) {
          std::ifstream file(requests[at], std::ios::binary);
          const std::string bytes{std::istreambuf_iterator<char>(file), {}};
          answers[at] = handle(requests[at], bytes, *rules);
        }
      });
  }
  for (const std::string& answer : answers) std::cout << answer;
}
