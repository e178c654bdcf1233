// SPDX-License-Identifier: Apache-2.0
#include "tests/robustness/counting_allocator.hpp"

#include <malloc.h>

#include <atomic>
#include <cerrno>

namespace {
std::atomic<std::size_t> now{0}, most{0};
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

bool counting::enabled() { return false; }

#else

bool counting::enabled() { return true; }

// glibc's own, by the names that it exports for this.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace {

void* counted(void* block) {
  if (block == nullptr) return nullptr;
  const std::size_t size = malloc_usable_size(block);
  const std::size_t held = now.fetch_add(size, std::memory_order_relaxed) + size;
  std::size_t before = most.load(std::memory_order_relaxed);
  while (held > before && !most.compare_exchange_weak(before, held, std::memory_order_relaxed)) {
  }
  return block;
}

void uncounted(void* block) {
  if (block != nullptr) now.fetch_sub(malloc_usable_size(block), std::memory_order_relaxed);
}

}  // namespace

extern "C" {
void* malloc(std::size_t size) { return counted(__libc_malloc(size)); }
void* calloc(std::size_t count, std::size_t size) { return counted(__libc_calloc(count, size)); }
void* realloc(void* block, std::size_t size) {
  const std::size_t before = block == nullptr ? 0 : malloc_usable_size(block);
  void* moved = __libc_realloc(block, size);
  if (moved == nullptr && size != 0) return nullptr;
  now.fetch_sub(before, std::memory_order_relaxed);
  return counted(moved);
}
void* memalign(std::size_t alignment, std::size_t size) { return counted(__libc_memalign(alignment, size)); }
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** block, std::size_t alignment, std::size_t size) {
  *block = memalign(alignment, size);
  return *block == nullptr ? ENOMEM : 0;
}
void free(void* block) {
  uncounted(block);
  __libc_free(block);
}
}

#endif

namespace counting {

std::size_t held() { return now.load(std::memory_order_relaxed); }
std::size_t peak() { return most.load(std::memory_order_relaxed); }
void reset_peak() { most.store(now.load(std::memory_order_relaxed), std::memory_order_relaxed); }

}  // namespace counting
