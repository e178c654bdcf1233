// SPDX-License-Identifier: Apache-2.0
// paired_runs PAIRS COMMAND... -- YARDSTICK...
//
// Runs two commands by turns, so that both meet the same state of the machine, and prints the medians of their times,
// of the pairs' ratios, and their peak memory. The first pair warms the page cache and is dropped. Output is dropped.
// Commands that end with another status than 0 are refused.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

struct Run {
  double seconds = 0;
  double mebibytes = 0;
};

Run run(char** command) {
  const auto begin = std::chrono::steady_clock::now();
  // vfork: a fork would leave this process's own memory in the child's peak.
  const pid_t child = ::vfork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_WRONLY);
    ::dup2(null, STDOUT_FILENO);
    ::execvp(command[0], command);
    ::_exit(127);
  }
  int status = 0;
  rusage usage{};
  const bool ended = child >= 0 && ::wait4(child, &status, 0, &usage) >= 0 && WIFEXITED(status);
  // What fails early is fast: its time would be none of the work.
  if (!ended || WEXITSTATUS(status) != 0) {
    const int code = ended ? WEXITSTATUS(status) : 127;
    if (code == 127) std::fprintf(stderr, "paired_runs: cannot run %s\n", command[0]);
    else std::fprintf(stderr, "paired_runs: %s ended with %d\n", command[0], code);
    std::exit(1);
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  return {took.count(), static_cast<double>(usage.ru_maxrss) / 1024};
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 0;
  char** divider = std::find_if(argv, argv + argc, [](const char* word) { return std::strcmp(word, "--") == 0; });
  if (pairs < 1 || divider - argv < 3 || argv + argc - divider < 2) {
    std::fputs("usage: paired_runs PAIRS COMMAND... -- YARDSTICK...\n", stderr);
    return 2;
  }
  *divider = nullptr;
  std::vector<double> command_seconds, yardstick_seconds, ratios;
  Run command, yardstick;
  for (int i = 0; i <= pairs; ++i) {
    command = run(argv + 2);
    yardstick = run(divider + 1);
    if (i == 0) continue;
    command_seconds.push_back(command.seconds);
    yardstick_seconds.push_back(yardstick.seconds);
    ratios.push_back(command.seconds / yardstick.seconds);
  }
  std::printf("%8.1f ms %7.1f MiB | yardstick %8.1f ms %7.1f MiB | ratio %.2f (%.2f .. %.2f of %d pairs)\n",
              median(command_seconds) * 1e3, command.mebibytes, median(yardstick_seconds) * 1e3, yardstick.mebibytes,
              median(ratios), *std::min_element(ratios.begin(), ratios.end()),
              *std::max_element(ratios.begin(), ratios.end()), pairs);
  return 0;
}
