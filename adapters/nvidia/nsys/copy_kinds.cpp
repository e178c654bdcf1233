// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nsys/copy_kinds.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>

#include "base/text.hpp"

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

// How reports call the directions, since 2023 and before.
struct Label {
  std::string_view text, name;
};
constexpr Label direction_labels[] = {
    {"Host-to-Device", "HTOD"},   {"HtoD", "HTOD"}, {"Device-to-Host", "DTOH"},  {"DtoH", "DTOH"},
    {"Device-to-Device", "DTOD"}, {"DtoD", "DTOD"}, {"Host-to-Host", "HTOH"},    {"HtoH", "HTOH"},
    {"Peer-to-Peer", "PTOP"},     {"PtoP", "PTOP"}, {"Host-to-Array", "HTOA"},   {"HtoA", "HTOA"},
    {"Array-to-Host", "ATOH"},    {"AtoH", "ATOH"}, {"Array-to-Array", "ATOA"},  {"AtoA", "ATOA"},
    {"Array-to-Device", "ATOD"},  {"AtoD", "ATOD"}, {"Device-to-Array", "DTOA"}, {"DtoA", "DTOA"},
};

CopyName copy_of_direction(std::string_view name) {
  for (const Direction& direction : directions)
    if (direction.name == name) return direction.copy;
  return {};
}

/// Says which memory one side of a copy is. Migrations of managed memory state "unknown" on both sides.
void set_memory(const CopyName& copy, std::string_view& side, std::string_view name) {
  if (copy.kind == "um") return;
  const auto* found = std::find_if(std::begin(memories), std::end(memories),
                                   [name](const Memory& known) { return known.name == name; });
  if (found != std::end(memories)) side = found->kind;
  else if (side.empty()) side = "unknown";
}

/// "DEVICE_STATIC" of "Device Static".
std::string constant_name(std::string_view label) {
  std::string name = upper(label);
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// "HTOD" of "CUDA_MEMCPY_KIND_HTOD"; the name by number where the export names nothing.
std::string_view name_of(TextTable& table, std::int64_t number, std::span<const std::string_view> names) {
  constexpr std::string_view mark = "_KIND_";
  const std::string_view stated = table(number);
  if (const std::size_t at = stated.find(mark); at != std::string_view::npos) return stated.substr(at + mark.size());
  if (number < 0 || number >= static_cast<std::int64_t>(names.size())) return {};
  return names[static_cast<std::size_t>(number)];
}

}  // namespace

CopyKinds::CopyKinds(const Database& database)
    : directions_(database, "ENUM_CUDA_MEMCPY_OPER", "id", "name"),
      memories_(database, "ENUM_CUDA_MEM_KIND", "id", "name") {}

CopyName CopyKinds::operator()(std::optional<std::int64_t> kind, std::optional<std::int64_t> source,
                               std::optional<std::int64_t> target) {
  CopyName copy;
  if (kind) copy = copy_of_direction(name_of(directions_, *kind, direction_names));
  if (source) set_memory(copy, copy.src, name_of(memories_, *source, memory_names));
  if (target) set_memory(copy, copy.dst, name_of(memories_, *target, memory_names));
  return copy;
}

CopyName copy_of_labels(std::string_view operation, std::string_view source, std::string_view target) {
  CopyName copy;
  for (const Label& label : direction_labels)
    if (operation.find(label.text) != std::string_view::npos) {
      const bool unified = operation.find("Unified") != std::string_view::npos;
      copy = copy_of_direction((unified ? "UVM_" : "") + std::string(label.name));
      break;
    }
  if (!source.empty()) set_memory(copy, copy.src, constant_name(source));
  if (!target.empty()) set_memory(copy, copy.dst, constant_name(target));
  return copy;
}

bool is_copy_label(std::string_view operation) {
  return operation.starts_with("[CUDA") && operation.find("memcpy") != std::string_view::npos;
}
bool is_memset_label(std::string_view operation) {
  return operation.starts_with("[CUDA") && operation.find("memset") != std::string_view::npos;
}

}  // namespace kdiag::adapters::nsys
