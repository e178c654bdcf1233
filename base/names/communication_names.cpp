// SPDX-License-Identifier: Apache-2.0
#include "base/names/communication_names.hpp"

#include <algorithm>
#include <iterator>

#include "base/text.hpp"

namespace kdiag {

bool is_communication_kernel(std::string_view name) {
  constexpr std::string_view prefixes[] = {"nccl",   "rccl", "cncl",      "hccl",      "hcom",
                                           "oneccl", "mccl", "void nccl", "void cncl", "void oneccl"};
  if (std::any_of(std::begin(prefixes), std::end(prefixes),
                  [name](std::string_view prefix) { return name.starts_with(prefix); }))
    return true;
  constexpr std::string_view parts[] = {
      "ncclKernel",          "ncclDevKernel",          "oneccl_",          "cross_device_reduce", "nvshmem",
      "deep_ep::",
      "::internode::",  // expert parallelism, in whatever namespace a program has it
      "::intranode::",       "::internode_ll::",       "::intranode_ll::", "multimem_all_reduce", "two_shot_all_reduce",
      "one_shot_all_reduce", "allreduce_fusion_kernel"};
  return contains_any(name.substr(0, 256), parts);
}

}  // namespace kdiag
