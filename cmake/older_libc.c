// SPDX-License-Identifier: Apache-2.0
// What is asked of a later C library than glibc 2.28, in words that one knows. It is part of a shared library that is
// linked with KDIAG_C_LIBRARY_SYSROOT, hidden in it.
#include <errno.h>
#include <pthread.h>
#include <time.h>

#define HIDDEN __attribute__((visibility("hidden")))

// The C++ library counts references without atomic instructions where this says that there is one thread only: never
// here.
HIDDEN char __libc_single_threaded = 0;

// Functions that glibc 2.29 made again, without the handling of errors of System V, under the names and versions that
// all have.
#ifdef __x86_64__
#define OLDEST "GLIBC_2.2.5"
#else
#define OLDEST "GLIBC_2.17"
#endif
#define OLDER(function) __asm__(".symver older_" #function "," #function "@" OLDEST)
OLDER(exp);
OLDER(log);
OLDER(log2);
OLDER(pow);
double older_exp(double);
double older_log(double);
double older_log2(double);
double older_pow(double, double);
HIDDEN double exp(double x) { return older_exp(x); }
HIDDEN double log(double x) { return older_log(x); }
HIDDEN double log2(double x) { return older_log2(x); }
HIDDEN double pow(double x, double y) { return older_pow(x, y); }

// Waits until a time of any clock (glibc 2.30), by that of the day, which may be set meanwhile: who waits looks at its
// own clock again.
HIDDEN int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                                  const struct timespec* until) {
  enum { SECOND = 1000000000 };
  struct timespec now, day;
  if (clock_gettime(clock, &now) != 0 || clock_gettime(CLOCK_REALTIME, &day) != 0) return EINVAL;
  day.tv_sec += until->tv_sec - now.tv_sec;
  day.tv_nsec += until->tv_nsec - now.tv_nsec;
  if (day.tv_nsec < 0) {
    day.tv_nsec += SECOND;
    --day.tv_sec;
  } else if (day.tv_nsec >= SECOND) {
    day.tv_nsec -= SECOND;
    ++day.tv_sec;
  }
  return pthread_cond_timedwait(condition, mutex, &day);
}
