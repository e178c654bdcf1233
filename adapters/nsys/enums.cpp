// SPDX-License-Identifier: Apache-2.0
#include "adapters/nsys/enums.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

namespace kdiag::adapters::nsys {
namespace {

// Names by number, as ENUM_CUDA_MEMCPY_OPER and ENUM_CUDA_MEM_KIND have them behind "..._KIND_".
constexpr std::string_view direction_names[] = {"UNKNOWN", "HTOD", "DTOH", "HTOA", "ATOH",     "ATOA",     "ATOD",
                                                "DTOA",    "DTOD", "HTOH", "PTOP", "UVM_HTOD", "UVM_DTOH", "UVM_DTOD"};
constexpr std::string_view memory_names[] = {"PAGEABLE", "PINNED",        "DEVICE",         "ARRAY",
                                             "MANAGED",  "DEVICE_STATIC", "MANAGED_STATIC", "UNKNOWN"};

struct Direction {
  std::string_view name;
  CopyName copy;
};
constexpr Direction directions[] = {
    {"HTOD", {"h2d", "", "device"}},
    {"HTOA", {"h2d", "", "device"}},
    {"DTOH", {"d2h", "device", ""}},
    {"ATOH", {"d2h", "device", ""}},
    {"DTOD", {"d2d", "device", "device"}},
    {"ATOA", {"d2d", "device", "device"}},
    {"ATOD", {"d2d", "device", "device"}},
    {"DTOA", {"d2d", "device", "device"}},
    {"HTOH", {"h2h", "", ""}},
    {"PTOP", {"p2p", "device", "device"}},
    {"UVM_HTOD", {"um", "managed", "device"}},
    {"UVM_DTOH", {"um", "device", "managed"}},
    {"UVM_DTOD", {"um", "device", "device"}},
};

struct Memory {
  std::string_view name, kind;
};
constexpr Memory memories[] = {{"PAGEABLE", "pageable"},     {"PINNED", "pinned"}, {"DEVICE", "device"},
                               {"DEVICE_STATIC", "device"},  {"ARRAY", "device"},  {"MANAGED", "managed"},
                               {"MANAGED_STATIC", "managed"}};

/// "HTOD" of "CUDA_MEMCPY_KIND_HTOD"; the name by number where the export names nothing.
std::string_view name_of(TextTable& table, std::int64_t number, std::span<const std::string_view> names) {
  constexpr std::string_view mark = "_KIND_";
  const std::string_view stated = table(number);
  if (const std::size_t at = stated.find(mark); at != std::string_view::npos) return stated.substr(at + mark.size());
  if (number < 0 || number >= static_cast<std::int64_t>(names.size())) return {};
  return names[static_cast<std::size_t>(number)];
}

}  // namespace

CopyKinds::CopyKinds(const Database& database, FactSink& sink)
    : directions_(database, sink, "ENUM_CUDA_MEMCPY_OPER", "id", "name"),
      memories_(database, sink, "ENUM_CUDA_MEM_KIND", "id", "name") {}

CopyName CopyKinds::operator()(std::optional<std::int64_t> kind, std::optional<std::int64_t> source,
                               std::optional<std::int64_t> target) {
  CopyName copy;
  if (kind) {
    const std::string_view name = name_of(directions_, *kind, direction_names);
    for (const Direction& direction : directions)
      if (direction.name == name) copy = direction.copy;
  }
  if (copy.kind == "um") return copy;
  const auto set_memory = [this](std::string_view& memory, std::optional<std::int64_t> number) {
    if (!number) return;
    const std::string_view name = name_of(memories_, *number, memory_names);
    const auto* found = std::find_if(std::begin(memories), std::end(memories),
                                     [name](const Memory& known) { return known.name == name; });
    if (found != std::end(memories)) memory = found->kind;
    else if (memory.empty()) memory = "unknown";
  };
  set_memory(copy.src, source);
  set_memory(copy.dst, target);
  return copy;
}

}  // namespace kdiag::adapters::nsys
