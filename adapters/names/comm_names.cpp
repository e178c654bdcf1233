// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/comm_names.hpp"

#include <algorithm>
#include <cstddef>

#include "base/names/communication_names.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

struct Spelling {
  std::string_view part;
  std::string_view name;
};

// First match wins: "reduce" is part of most others.
constexpr Spelling collectives[] = {
    {"allreduce", "all_reduce"},
    {"reducescatter", "reduce_scatter"},
    {"allgather", "all_gather"},
    {"alltoall", "all_to_all"},
    {"broadcast", "broadcast"},
    {"bcast", "broadcast"},
    {"sendrecv", "send_recv"},
    {"barrier", "barrier"},
    {"gather", "gather"},
    {"scatter", "scatter"},
    {"reduce", "reduce"},
    {"send", "send"},
    {"recv", "recv"},
    {"receive", "recv"},
};

}  // namespace

bool is_communication_range(std::string_view name) {
  constexpr std::string_view libraries[] = {
      "nccl:", "rccl:", "cncl:", "hccl:", "gloo:", "mpi:", "ucc:", "xccl:", "oneccl:", "ccl:"};
  return std::any_of(std::begin(libraries), std::end(libraries),
                     [name](std::string_view library) { return name.starts_with(library); });
}

std::optional<std::string> collective_name(std::string_view stated) {
  std::string plain = lower(stated);
  if (plain == "wait" || plain == "init" || plain == "end" || contains(plain, "coalescing") ||
      contains(plain, "pointer") || plain.empty())
    return std::nullopt;
  std::string letters = plain;
  letters.erase(std::remove(letters.begin(), letters.end(), '_'), letters.end());
  for (const Spelling& spelling : collectives)
    if (contains(letters, spelling.part)) return std::string(spelling.name);
  if (is_communication_kernel(stated)) return std::nullopt;  // RCCL's one kernel for all: `ncclDevKernel_Generic_4`
  return plain;
}

std::string collective_algorithm(std::string_view kernel) {
  constexpr std::string_view algorithms[] = {"RING", "TREE", "COLLNET", "DIRECT", "CHAIN",
                                             "NVLS", "PAT",  "LL",      "LL128",  "SIMPLE"};
  std::string found;
  kernel = kernel.substr(0, kernel.find('('));
  while (!kernel.empty()) {
    const std::size_t cut = kernel.find('_');
    const std::string_view word = kernel.substr(0, cut);
    if (std::find(std::begin(algorithms), std::end(algorithms), word) != std::end(algorithms)) {
      if (!found.empty()) found += ' ';
      found += word;
    }
    kernel.remove_prefix(cut == std::string_view::npos ? kernel.size() : cut + 1);
  }
  return found;
}

std::optional<std::int64_t> element_bytes(std::string_view dtype) {
  struct Size {
    std::string_view name;
    std::int64_t bytes;
  };
  constexpr Size sizes[] = {
      {"float", 4},
      {"double", 8},
      {"half", 2},
      {"bfloat16", 2},
      {"byte", 1},
      {"char", 1},
      {"short", 2},
      {"int", 4},
      {"long", 8},
      {"bool", 1},
      {"uint8", 1},
      {"int8", 1},
      {"int16", 2},
      {"uint16", 2},
      {"int32", 4},
      {"uint32", 4},
      {"int64", 8},
      {"uint64", 8},
      {"float16", 2},
      {"float32", 4},
      {"float64", 8},
      {"fp16", 2},
      {"fp32", 4},
      {"fp64", 8},
      {"bf16", 2},
      {"bfp16", 2},
      {"complexhalf", 4},
      {"complexfloat", 8},
      {"complexdouble", 16},
      {"float8_e4m3fn", 1},
      {"float8_e5m2", 1},
      {"float8_e4m3fnuz", 1},
      {"float8_e5m2fnuz", 1},
  };
  std::string plain = lower(dtype);
  if (plain.starts_with("nccl")) plain.erase(0, 4);
  for (const Size& size : sizes)
    if (size.name == plain) return size.bytes;
  return std::nullopt;
}

}  // namespace kdiag::adapters
