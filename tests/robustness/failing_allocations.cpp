// SPDX-License-Identifier: Apache-2.0
// Fails every single allocation of a small diagnosis by the C interface, one after the other: each time the status says
// so, nothing leaks and nothing crashes. A program of its own, since it replaces operator new.
// RE2 is not written for allocations that fail: it loses the blocks of the expression that it was compiling. These are
// counted apart.
#include <dlfcn.h>
#include <execinfo.h>
#include <kdiag/kdiag.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<long> live{0};
std::atomic<long> until_failure{-1};  ///< allocations left before one fails; negative: none will

bool failed_in_re2 = false;

/// Whether a caller of this is code of RE2.
bool called_by_re2() noexcept {
  void* frames[32];
  const int count = backtrace(frames, 32);
  for (int i = 0; i < count; ++i)
    if (Dl_info info; dladdr(frames[i], &info) != 0 && std::strstr(info.dli_fname, "libre2") != nullptr) return true;
  return false;
}

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (until_failure.load() >= 0 && until_failure.fetch_sub(1) == 0) {
    failed_in_re2 = called_by_re2();
    return nullptr;
  }
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* block = alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                       : std::aligned_alloc(alignment, rounded);
  if (block != nullptr) ++live;
  return block;
}

std::atomic<bool> thrown{false};  ///< else who asked has a way without memory, as std::stable_sort does

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

namespace {

constexpr char rules_text[] = R"(kdiag: 1
define:
- {name: long_kernels, expr: kernels where dur > 5us}
rules:
- rule: test.long-kernels
  title: ${n} long kernels, the longest ${longest}
  for_each: run
  let:
    n: count(long_kernels)
    longest: argmax(kernels, dur, name)
  when: n > 0 and any(kernels, name =~ /^g.*m/)
  impact: sum(long_kernels, dur)
  evidence:
    kernels: top(kernels, 2, dur)
  recommend:
    - text: Make ${longest} shorter.
)";

constexpr char trace_text[] = "Kernel | Latency Tensor DRAM\ngemm | 8000 0.5 0.2\nrelu | 4000 0.0 0.6\nbad row\n";

/// What a diagnosis came to, and how far it got.
struct Outcome {
  kdiag_status status = KDIAG_OK;
  const char* stage = "";
};

Outcome diagnose_once() {
  kdiag_context* context = nullptr;
  kdiag_rules* rules = nullptr;
  kdiag_facts* facts = nullptr;
  kdiag_report* report = nullptr;
  kdiag_answer* answer = nullptr;
  kdiag_text* text = nullptr;
  kdiag_rule_options options{};
  options.size = sizeof options;
  options.without_builtin = 1;
  Outcome out;
  const auto step = [&](const char* stage, kdiag_status status) {
    out = {status, stage};
    return status == KDIAG_OK;
  };
  const auto rendered = [](const char* made) { return made == nullptr ? KDIAG_ERROR_MEMORY : KDIAG_OK; };
  if (step("context", kdiag_context_new(&context))) {
    kdiag_context_set_threads(context, 1);
    static_cast<void>(step("rules", kdiag_rules_load_text(context, "r.yaml", rules_text, std::strlen(rules_text),
                                                          &options, &rules)) &&
                      step("facts", kdiag_facts_load(context, "t", trace_text, std::strlen(trace_text), &facts)) &&
                      step("diagnose", kdiag_diagnose(context, facts, nullptr, rules, nullptr, &report)) &&
                      step("json", rendered(kdiag_report_json(report, nullptr))) &&
                      step("text", rendered(kdiag_report_text(report, nullptr))) &&
                      step("markdown", rendered(kdiag_report_markdown(report, nullptr))) &&
                      step("sarif", rendered(kdiag_report_sarif(report, nullptr))) &&
                      step("query", kdiag_query(context, facts, nullptr, rules, "top(kernels, 1, dur)", &answer)) &&
                      step("explain", kdiag_explain(context, facts, nullptr, rules, "test.long-kernels", &text)));
    if (out.status != KDIAG_OK && out.status != KDIAG_ERROR_MEMORY)
      std::fprintf(stderr, "%s\n", kdiag_last_error(context));
  }
  kdiag_text_free(text);
  kdiag_answer_free(answer);
  kdiag_report_free(report);
  kdiag_facts_free(facts);
  kdiag_rules_free(rules);
  kdiag_context_free(context);
  return out;
}

}  // namespace

int main() {
  int failures = 0;
  for (int warm_up = 0; warm_up < 2; ++warm_up)  // what is made once for a process
    if (const Outcome fine = diagnose_once(); fine.status != KDIAG_OK) {
      std::fprintf(stderr, "without a failure: %s: %s\n", fine.stage, kdiag_status_text(fine.status));
      return 1;
    }
  const long before = live;
  long points = 0, lost_by_re2 = 0;
  for (bool failed = true; failed && failures < 20; ++points) {
    until_failure = points;
    failed_in_re2 = false;
    thrown = false;
    const Outcome out = diagnose_once();
    failed = until_failure < 0;
    until_failure = -1;
    if (thrown && out.status != KDIAG_ERROR_MEMORY) {
      std::fprintf(stderr, "allocation %ld: %s: %s\n", points, out.stage, kdiag_status_text(out.status));
      ++failures;
    }
    if (live != before && failed_in_re2) {
      ++lost_by_re2;
      live = before;
    } else if (live != before) {
      std::fprintf(stderr, "allocation %ld: %s: %ld blocks leaked\n", points, out.stage, live - before);
      live = before;
      ++failures;
    }
  }
  std::printf("%ld allocations failed, one at a time; %d were not handled; in %ld RE2 lost blocks of its own\n",
              points - 1, failures, lost_by_re2);
  return failures == 0 ? 0 : 1;
}
