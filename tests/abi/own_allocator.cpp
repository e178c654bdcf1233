// SPDX-License-Identifier: Apache-2.0
// A host with operators new and delete of its own, which a shared libkdiag must use, and its libraries of C++ with it:
// each block has a mark before it, so that one that was taken here and freed elsewhere, or the other way round, ends
// the process. Usage: own_allocator TRACE RULES
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

#include <kdiag/kdiag.h>

namespace {

struct alignas(std::max_align_t) Mark {
  std::size_t mark, size;
};
constexpr std::size_t ours = 0x6B64696167U;
std::atomic<long> blocks{0}, bytes{0}, alive{0};

void* take(std::size_t size) {
  auto* mark = static_cast<Mark*>(std::malloc(sizeof(Mark) + size));
  if (mark == nullptr) throw std::bad_alloc();
  *mark = {ours, size};
  ++blocks;
  ++alive;
  bytes += static_cast<long>(size);
  return mark + 1;
}

void give_back(void* block) {
  if (block == nullptr) return;
  Mark* mark = static_cast<Mark*>(block) - 1;
  if (mark->mark != ours) std::abort();
  mark->mark = 0;
  --alive;
  std::free(mark);
}

}  // namespace

void* operator new(std::size_t size) { return take(size); }
void operator delete(void* block) noexcept { give_back(block); }
void operator delete(void* block, std::size_t) noexcept { give_back(block); }

namespace {

int judge(const char* trace, const char* rules_file) {
  kdiag_context* context = nullptr;
  kdiag_rules* rules = nullptr;
  kdiag_facts* facts = nullptr;
  kdiag_report* report = nullptr;
  if (kdiag_context_new(&context) != KDIAG_OK) return 1;
  const bool fine = kdiag_rules_load_paths(context, &rules_file, 1, nullptr, &rules) == KDIAG_OK &&
                    kdiag_facts_load_path(context, trace, nullptr, &facts) == KDIAG_OK &&
                    kdiag_diagnose(context, facts, nullptr, rules, nullptr, &report) == KDIAG_OK;
  if (!fine) std::fputs(kdiag_last_error(context), stderr);
  kdiag_report_free(report);
  kdiag_facts_free(facts);
  kdiag_rules_free(rules);
  kdiag_context_free(context);
  return fine ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || judge(argv[1], argv[2]) != 0) return 1;  // what is made once for a process is made now
  const long before = alive;
  if (judge(argv[1], argv[2]) != 0) return 1;
  std::printf("%ld blocks, %ld bytes; %ld are left of the second diagnosis\n", blocks.load(), bytes.load(),
              alive - before);
  return blocks > 10'000 && alive == before ? 0 : 1;
}
