// SPDX-License-Identifier: Apache-2.0
#include "tests/robustness/failing_allocator.hpp"

#include <dlfcn.h>
#include <execinfo.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<long> live{0}, made{0};
std::atomic<long> fails_at{-1};
std::atomic<bool> failed{false}, thrown{false}, inside_re2{false};

/// Whether a caller of this is code of RE2.
bool called_by_re2() noexcept {
  void* frames[32];
  const int count = backtrace(frames, 32);
  for (int i = 0; i < count; ++i)
    if (Dl_info info; dladdr(frames[i], &info) != 0 && std::strstr(info.dli_fname, "libre2") != nullptr) return true;
  return false;
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (made.fetch_add(1) == fails_at.load()) {
    failed = true;
    inside_re2 = called_by_re2();
    return nullptr;
  }
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* block = alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                       : std::aligned_alloc(alignment, rounded);
  if (block != nullptr) ++live;
  return block;
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* block = allocate(size, alignment)) return block;
  thrown = true;
  throw std::bad_alloc();
}

void release(void* block) noexcept {
  if (block == nullptr) return;
  --live;
  std::free(block);
}

constexpr std::size_t plain = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t size) { return allocate_or_throw(size, plain); }
void* operator new[](std::size_t size) { return allocate_or_throw(size, plain); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, plain); }
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept { return allocate(size, plain); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocate_or_throw(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* block) noexcept { release(block); }
void operator delete[](void* block) noexcept { release(block); }
void operator delete(void* block, std::size_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t) noexcept { release(block); }
void operator delete(void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete[](void* block, const std::nothrow_t&) noexcept { release(block); }
void operator delete(void* block, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::align_val_t) noexcept { release(block); }
void operator delete(void* block, std::size_t, std::align_val_t) noexcept { release(block); }
void operator delete[](void* block, std::size_t, std::align_val_t) noexcept { release(block); }

namespace failing {

long alive() { return live; }
void forget_lost(long before) { live = before; }

void fail_after(long allocations) {
  failed = thrown = inside_re2 = false;
  made = 0;
  fails_at = allocations;
}

Seen end() {
  fails_at = -1;
  return {made, failed, thrown, inside_re2};
}

}  // namespace failing
