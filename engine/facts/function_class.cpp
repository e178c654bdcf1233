// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/function_class.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "base/text.hpp"

namespace kdiag {
namespace {

constexpr std::string_view communication_words[] = {"nccl",
                                                    "rccl",
                                                    "hccl",
                                                    "hcom",
                                                    "cncl",
                                                    "oneccl",
                                                    "nvshmem",
                                                    "deep_ep::",
                                                    "::internode::",  // expert parallelism, in whatever namespace
                                                    "::intranode::",
                                                    "::internode_ll::",
                                                    "::intranode_ll::",
                                                    "allreduce",
                                                    "allgather",
                                                    "alltoall",
                                                    "reducescatter",
                                                    "all_reduce",
                                                    "all_gather",
                                                    "all_to_all",
                                                    "all_toall",
                                                    "allto_all",
                                                    "reduce_scatter",
                                                    "cross_device_reduce"};
constexpr std::string_view copy_words[] = {"memcpy", "memset"};
constexpr std::string_view copy_beginnings[] = {"copyhost", "copydevice", "copybuffer"};

}  // namespace

FunctionClass class_of_function(std::string_view function) {
  const std::string name = lower(function);
  const auto has = [&](std::string_view word) { return contains(name, word); };
  const auto begins = [&](std::string_view word) { return name.starts_with(word); };
  if (std::any_of(std::begin(communication_words), std::end(communication_words), has))
    return FunctionClass::communication;
  if (std::any_of(std::begin(copy_words), std::end(copy_words), has)) return FunctionClass::copy;
  if (std::any_of(std::begin(copy_beginnings), std::end(copy_beginnings), begins)) return FunctionClass::copy;
  return FunctionClass::compute;
}

}  // namespace kdiag
