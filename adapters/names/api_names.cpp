// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/api_names.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

/// `name` without a trailing `_v` and at least four digits.
std::string_view without_interface_number(std::string_view name) {
  std::size_t digits = 0;
  while (digits < name.size() && name[name.size() - 1 - digits] >= '0' && name[name.size() - 1 - digits] <= '9')
    ++digits;
  const std::string_view stem = name.substr(0, name.size() - digits);
  return digits >= 4 && stem.ends_with("_v") ? stem.substr(0, stem.size() - 2) : name;
}

bool is_copy_call(std::string_view base) { return contains(base, "Memcpy") || contains(base, "MemPrefetch"); }

}  // namespace

std::string_view base_call_name(std::string_view name) {
  for (bool changed = true; changed;) {
    const std::size_t before = name.size();
    if (name.ends_with("_ptsz") || name.ends_with("_ptds")) name.remove_suffix(5);
    name = without_interface_number(name);
    changed = name.size() != before;
  }
  return name;
}

bool is_runtime_call(std::string_view base) {
  const auto is_word = [](char c) { return is_upper(c) || is_lower(c) || is_digit(c) || c == '_'; };
  if (!std::all_of(base.begin(), base.end(), is_word)) return false;
  constexpr std::string_view libraries[] = {"cuda", "cu", "hip"};
  return std::any_of(std::begin(libraries), std::end(libraries), [base](std::string_view library) {
    const std::size_t at = library.size();
    return base.starts_with(library) && base.size() > at + 1 && is_upper(base[at]) && is_lower(base[at + 1]);
  });
}

bool is_launch_call(std::string_view base) {
  if (contains(base, "HostFunc")) return false;  // cudaLaunchHostFunc runs on the host
  constexpr std::string_view parts[] = {"Launch",
                                        "InvokeKernel",
                                        "Memset",
                                        "EnqueueUSM",
                                        "job_prep_and_submit_for_execution",
                                        "hsa_amd_memory_async_copy"};
  return is_copy_call(base) || std::any_of(std::begin(parts), std::end(parts),
                                           [base](std::string_view part) { return contains(base, part); });
}

bool launches_by_work_items(std::string_view base) {
  return base == "hipExtModuleLaunchKernel" || base == "hipHccModuleLaunchKernel";
}

bool is_blocking_call(std::string_view base) {
  // CUDA, HIP, CNRT and ACL names after their runtime documents; Level Zero and Unified Runtime after their API
  // documents.
  constexpr std::string_view parts[] = {
      "DeviceSynchronize",   "StreamSynchronize", "EventSynchronize", "CtxSynchronize", "ContextSynchronize",
      "aclrtSynchronize",    "QueueSync",         "SyncDevice",       "NotifierWait",   "WaitNotifier",
      "HostSynchronize",     "EventsWait",        "urEventWait",      "urQueueFinish",  "piQueueFinish",
      "BlockHostUntilReady", "hsa_signal_wait"};
  if (contains(base, "QueueWaitNotifier")) return false;  // the queue waits, not the host
  if (std::any_of(std::begin(parts), std::end(parts), [base](std::string_view part) { return contains(base, part); }))
    return true;
  return contains(base, "Memcpy") && !contains(base, "Async") && !contains(base, "Enqueue") &&
         !contains(base, "Append");
}

}  // namespace kdiag::adapters
