/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the machine, for LD_PRELOAD: calls of the C library on files that the environment names fail or act.
 *   KDIAG_FAULT_FILE  a part of the path of the file, as /proc/self/fd shows it ("pipe:" for a pipe); without it
 *                     nothing happens but to calls that have no file (thread, clock)
 *   KDIAG_FAULT_CALL  open, read, write, close, rename, mmap, readdir, isatty, thread or clock, each with its relatives
 *   KDIAG_FAULT_AT    which of these calls, from 1; 0: every second one, so that what tries again gets on; -1: all
 *   KDIAG_FAULT       the error of the call (EIO, EINTR, ...), `short`: one byte is read or written, SIGINT, SIGTERM or
 *                     SIGHUP: the call works and the signal comes, `stuck`: it never comes back, `jump`: the clock of
 *                     the day leaps hours
 *   KDIAG_FAULT_SEEN  a file that is made once the fault has happened
 *   KDIAG_FAULT_LIMIT after how many seconds the process is killed; without it, never */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* C has no conversion from an object pointer to a function pointer: POSIX has. */
#define NEXT(result, name, arguments) \
  static result(*next) arguments;     \
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, name)

static long calls;

static const struct {
  const char* name;
  int number;
} errors[] = {{"EIO", EIO},       {"EINTR", EINTR},   {"ENOSPC", ENOSPC}, {"EMFILE", EMFILE}, {"ENOMEM", ENOMEM},
              {"EAGAIN", EAGAIN}, {"EACCES", EACCES}, {"EROFS", EROFS},   {"EDQUOT", EDQUOT}},
  signals[] = {{"SIGINT", SIGINT}, {"SIGTERM", SIGTERM}, {"SIGHUP", SIGHUP}};

static const char* setting(const char* name) {
  const char* const value = getenv(name);
  return value == NULL ? "" : value;
}

__attribute__((constructor)) static void limit_time(void) {
  struct sigevent kill_us = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL};
  const struct itimerspec limit = {.it_value = {.tv_sec = atoi(setting("KDIAG_FAULT_LIMIT"))}};
  timer_t timer;
  if (limit.it_value.tv_sec > 0 && timer_create(CLOCK_MONOTONIC, &kill_us, &timer) == 0)
    timer_settime(timer, 0, &limit, NULL);
}

static void say_seen(void) {
  const char* const path = setting("KDIAG_FAULT_SEEN");
  if (*path != '\0') syscall(SYS_close, syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
}

/* Whether a call is the one that the fault is for. */
static int is_due(const char* call, const char* path) {
  if (strcmp(setting("KDIAG_FAULT_CALL"), call) != 0) return 0;
  if (path != NULL) {
    const char* const file = setting("KDIAG_FAULT_FILE");
    if (*file == '\0' || strstr(path, file) == NULL) return 0;
  }
  const long at = atol(setting("KDIAG_FAULT_AT"));
  const long now = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  return at < 0 || (at == 0 ? now % 2 == 1 : now == at);
}

enum fault { NONE, SHORT, FAILS };

/* What is to happen to a call; of FAILS errno says how. */
static enum fault fault_of(const char* call, const char* path) {
  const int before = errno;
  if (!is_due(call, path)) {
    errno = before;
    return NONE;
  }
  const char* const fault = setting("KDIAG_FAULT");
  say_seen();
  errno = before;
  if (strcmp(fault, "short") == 0) return SHORT;
  while (strcmp(fault, "stuck") == 0) pause();
  for (size_t i = 0; i < sizeof signals / sizeof *signals; ++i)
    if (strcmp(signals[i].name, fault) == 0) {
      kill(getpid(), signals[i].number);
      return NONE;
    }
  for (size_t i = 0; i < sizeof errors / sizeof *errors; ++i)
    if (strcmp(errors[i].name, fault) == 0) {
      errno = errors[i].number;
      return FAILS;
    }
  return NONE;
}

static enum fault fault_at(const char* call, int descriptor) {
  char link[64], path[PATH_MAX];
  const int before = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t size = readlink(link, path, sizeof path - 1);
  path[size < 0 ? 0 : size] = '\0';
  errno = before;
  return fault_of(call, path);
}

/* --- Opening --------------------------------------------------------------------------------------------------------
 */

static mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}
#define OPEN(name)                                                         \
  int name(const char* path, int flags, ...) {                             \
    NEXT(int, #name, (const char*, int, ...));                             \
    va_list arguments;                                                     \
    va_start(arguments, flags);                                            \
    const mode_t mode = mode_of(flags, arguments);                         \
    va_end(arguments);                                                     \
    return fault_of("open", path) == FAILS ? -1 : next(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)
/* What the C library's headers make of these calls where the program is compiled with checks (_FORTIFY_SOURCE). */
#define OPEN_CHECKED(name)                                           \
  int name(const char* path, int flags) {                            \
    NEXT(int, #name, (const char*, int));                            \
    return fault_of("open", path) == FAILS ? -1 : next(path, flags); \
  }
OPEN_CHECKED(__open_2)
OPEN_CHECKED(__open64_2)
#define OPENAT(name)                                                               \
  int name(int folder, const char* path, int flags, ...) {                         \
    NEXT(int, #name, (int, const char*, int, ...));                                \
    va_list arguments;                                                             \
    va_start(arguments, flags);                                                    \
    const mode_t mode = mode_of(flags, arguments);                                 \
    va_end(arguments);                                                             \
    return fault_of("open", path) == FAILS ? -1 : next(folder, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)
#define FOPEN(name)                                                   \
  FILE* name(const char* path, const char* mode) {                    \
    NEXT(FILE*, #name, (const char*, const char*));                   \
    return fault_of("open", path) == FAILS ? NULL : next(path, mode); \
  }
FOPEN(fopen)
FOPEN(fopen64)
DIR* opendir(const char* path) {
  NEXT(DIR*, "opendir", (const char*));
  return fault_of("open", path) == FAILS ? NULL : next(path);
}
#define MKSTEMP(name)                                         \
  int name(char* path) {                                      \
    NEXT(int, #name, (char*));                                \
    return fault_of("open", path) == FAILS ? -1 : next(path); \
  }
MKSTEMP(mkstemp)
MKSTEMP(mkstemp64)

/* --- Reading and writing --------------------------------------------------------------------------------------------
 */

#define TRANSFER(name, call, buffer_type)                                   \
  ssize_t name(int descriptor, buffer_type buffer, size_t size) {           \
    NEXT(ssize_t, #name, (int, buffer_type, size_t));                       \
    const enum fault fault = fault_at(call, descriptor);                    \
    if (fault == FAILS) return -1;                                          \
    return next(descriptor, buffer, fault == SHORT && size > 1 ? 1 : size); \
  }
TRANSFER(read, "read", void*)
TRANSFER(write, "write", const void*)
#define TRANSFER_AT(name, call, buffer_type, offset_type)                             \
  ssize_t name(int descriptor, buffer_type buffer, size_t size, offset_type offset) { \
    NEXT(ssize_t, #name, (int, buffer_type, size_t, offset_type));                    \
    const enum fault fault = fault_at(call, descriptor);                              \
    if (fault == FAILS) return -1;                                                    \
    return next(descriptor, buffer, fault == SHORT && size > 1 ? 1 : size, offset);   \
  }
TRANSFER_AT(pread, "read", void*, off_t)
TRANSFER_AT(pread64, "read", void*, off64_t)
#define READ_CHECKED(name)                                                        \
  ssize_t name(int descriptor, void* buffer, size_t size, size_t room) {          \
    NEXT(ssize_t, #name, (int, void*, size_t, size_t));                           \
    const enum fault fault = fault_at("read", descriptor);                        \
    if (fault == FAILS) return -1;                                                \
    return next(descriptor, buffer, fault == SHORT && size > 1 ? 1 : size, room); \
  }
READ_CHECKED(__read_chk)
#define READ_CHECKED_AT(name, offset_type)                                                   \
  ssize_t name(int descriptor, void* buffer, size_t size, offset_type offset, size_t room) { \
    NEXT(ssize_t, #name, (int, void*, size_t, offset_type, size_t));                         \
    const enum fault fault = fault_at("read", descriptor);                                   \
    if (fault == FAILS) return -1;                                                           \
    return next(descriptor, buffer, fault == SHORT && size > 1 ? 1 : size, offset, room);    \
  }
READ_CHECKED_AT(__pread_chk, off_t)
READ_CHECKED_AT(__pread64_chk, off64_t)
TRANSFER_AT(pwrite, "write", const void*, off_t)
TRANSFER_AT(pwrite64, "write", const void*, off64_t)
#define TRANSFER_PIECES(name, call)                                           \
  ssize_t name(int descriptor, const struct iovec* pieces, int count) {       \
    NEXT(ssize_t, #name, (int, const struct iovec*, int));                    \
    const enum fault fault = fault_at(call, descriptor);                      \
    if (fault == FAILS) return -1;                                            \
    return next(descriptor, pieces, fault == SHORT && count > 1 ? 1 : count); \
  }
TRANSFER_PIECES(readv, "read")
TRANSFER_PIECES(writev, "write")

int close(int descriptor) {
  NEXT(int, "close", (int));
  const enum fault fault = fault_at("close", descriptor);
  const int error = errno;
  const int result = next(descriptor); /* what is written may be lost, the descriptor is given back */
  if (fault != FAILS) return result;
  errno = error;
  return -1;
}
int rename(const char* from, const char* to) {
  NEXT(int, "rename", (const char*, const char*));
  return fault_of("rename", to) == FAILS ? -1 : next(from, to);
}
#define READDIR(name, entry)                                                  \
  struct entry* name(DIR* folder) {                                           \
    NEXT(struct entry*, #name, (DIR*));                                       \
    return fault_at("readdir", dirfd(folder)) == FAILS ? NULL : next(folder); \
  }
int isatty(int descriptor) {
  NEXT(int, "isatty", (int));
  return fault_at("isatty", descriptor) == FAILS ? 0 : next(descriptor);
}
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

/* --- Without a file -------------------------------------------------------------------------------------------------
 */

#define MMAP(name, offset_type)                                                                  \
  void* name(void* at, size_t size, int rights, int flags, int descriptor, offset_type offset) { \
    NEXT(void*, #name, (void*, size_t, int, int, int, offset_type));                             \
    if (descriptor >= 0 && fault_at("mmap", descriptor) == FAILS) return MAP_FAILED;             \
    return next(at, size, rights, flags, descriptor, offset);                                    \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  NEXT(int, "pthread_create", (pthread_t*, const pthread_attr_t*, void* (*)(void*), void*));
  return fault_of("thread", NULL) == FAILS ? errno : next(thread, attributes, body, argument);
}

/* `jump`: the clock of the day goes forward and back by hours. Signals come while somebody asks how long it took. */
int clock_gettime(clockid_t clock, struct timespec* now) {
  NEXT(int, "clock_gettime", (clockid_t, struct timespec*));
  const int result = next(clock, now);
  if (strcmp(setting("KDIAG_FAULT_CALL"), "clock") != 0) return result;
  if (strcmp(setting("KDIAG_FAULT"), "jump") != 0) fault_of("clock", NULL);
  else if (clock == CLOCK_REALTIME)
    now->tv_sec += __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) % 2 == 0 ? 36000 : -36000;
  return result;
}
