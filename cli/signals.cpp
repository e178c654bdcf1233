// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.hpp"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <ctime>

#include <kdiag/kdiag.hpp>

#include "cli/options.hpp"

namespace kdiag::cli {

std::atomic<bool> interrupted{false};
std::atomic<bool> progress_shown{false};

namespace {

static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "signal handlers use them");

std::atomic<int> orderly_ends{0};
std::atomic<bool> has_timer{false};
timer_t timer;
constexpr long grace_ns = 20'000'000;

/// Asks for SIGALRM, again and again: an orderly end may be over the next time.
void start_timer() {
  const timespec grace{0, grace_ns};
  const itimerspec again{grace, grace};
  if (has_timer) ::timer_settime(timer, 0, &again, nullptr);
}

void on_signal(int) {
  const int before = errno;
  interrupted.store(true);
  start_timer();
  errno = before;
}

void on_timer(int) {
  if (!interrupted || orderly_ends > 0) return;
  remove_temporary_files();
  if (progress_shown) (void)!::write(STDERR_FILENO, wipe_line, sizeof wipe_line - 1);
  ::_exit(exit_code::interrupted);
}

}  // namespace

void catch_signals() {
  struct sigaction timed {};
  timed.sa_handler = on_timer;
  timed.sa_flags = SA_RESTART;
  ::sigaction(SIGALRM, &timed, nullptr);
  sigevent alarm{};
  alarm.sigev_notify = SIGEV_SIGNAL;
  alarm.sigev_signo = SIGALRM;
  if (!has_timer) has_timer = ::timer_create(CLOCK_MONOTONIC, &alarm, &timer) == 0;

  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction before {};
  if (::sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN)  // nohup
    ::sigaction(SIGHUP, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit of its size is an error of writing
  std::signal(SIGPIPE, SIG_IGN);  // a reader that had enough ends the command silently; see write_output
}

OrderlyEnd::OrderlyEnd() { ++orderly_ends; }
OrderlyEnd::~OrderlyEnd() { --orderly_ends; }

}  // namespace kdiag::cli
