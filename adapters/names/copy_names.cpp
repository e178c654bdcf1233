// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/copy_names.hpp"

#include <cstddef>

namespace kdiag::adapters {
namespace {

struct Direction {
  std::string_view part;
  std::string_view kind;
};
// CUPTI, roctracer, rocprofiler-sdk, CNPTI, Level Zero (M: host memory) and CANN spellings.
constexpr Direction directions[] = {
    {"HtoD", "h2d"},
    {"HostToDevice", "h2d"},
    {"H2D", "h2d"},
    {"M2D", "h2d"},
    {"HOST_TO_DEVICE", "h2d"},
    {"DEVICE_TO_HOST", "d2h"},
    {"DEVICE_TO_DEVICE", "d2d"},
    {"HOST_TO_HOST", "h2h"},
    {"host to device", "h2d"},
    {"device to host", "d2h"},
    {"device to device", "d2d"},
    {"host to host", "h2h"},
    {"HtoA", "h2d"},
    {"DtoH", "d2h"},
    {"DeviceToHost", "d2h"},
    {"D2H", "d2h"},
    {"D2M", "d2h"},
    {"AtoH", "d2h"},
    {"PtoP", "p2p"},
    {"P2P", "p2p"},
    {"DtoD", "d2d"},
    {"DeviceToDevice", "d2d"},
    {"D2D", "d2d"},
    {"AtoA", "d2d"},
    {"AtoD", "d2d"},
    {"DtoA", "d2d"},
    {"HtoH", "h2h"},
    {"HostToHost", "h2h"},
    {"H2H", "h2h"},
    {"M2M", "h2h"},
    {"Managed", "um"},
};

struct Memory {
  std::string_view part;
  std::string_view kind;
};
// "Host" of roctracer may be either kind of host memory.
constexpr Memory memories[] = {{"Pageable", "pageable"}, {"Pinned", "pinned"}, {"Managed", "managed"},
                               {"Device", "device"},     {"Array", "device"},  {"Host", "unknown"},
                               {"Unknown", "unknown"}};

std::string_view memory_kind(std::string_view text) {
  for (const Memory& memory : memories)
    if (text.find(memory.part) != std::string_view::npos) return memory.kind;
  return {};
}

std::string_view direction_of(std::string_view text) {
  for (const Direction& direction : directions)
    if (text.find(direction.part) != std::string_view::npos) return direction.kind;
  return {};
}

}  // namespace

std::string copy_label(const CopyName& copy, std::string_view otherwise) {
  if (copy.kind.empty()) return std::string(otherwise);
  if (copy.src.empty() || copy.dst.empty()) return std::string(copy.kind);
  return std::string(copy.kind) + " (" + std::string(copy.src) + " -> " + std::string(copy.dst) + ")";
}

CopyName parse_copy_name(std::string_view name) {
  CopyName copy;
  const std::size_t open = name.find('(');
  copy.kind = direction_of(name.substr(0, open));
  if (open != std::string_view::npos) {
    if (const std::size_t arrow = name.find("->", open); arrow != std::string_view::npos) {
      copy.src = memory_kind(name.substr(open, arrow - open));
      copy.dst = memory_kind(name.substr(arrow));
    } else if (copy.kind.empty()) {
      copy.kind = direction_of(name.substr(open));  // "Memcpy (HtoD)" of accelerators that PyTorch does not know
    }
  }
  if (copy.src.empty() && (copy.kind == "d2h" || copy.kind == "d2d" || copy.kind == "p2p")) copy.src = "device";
  if (copy.dst.empty() && (copy.kind == "h2d" || copy.kind == "d2d" || copy.kind == "p2p")) copy.dst = "device";
  return copy;
}

bool names_copy(std::string_view name) {
  for (const std::string_view word : {"cpy", "CPY", "copy", "Copy", "COPY"})
    if (name.find(word) != std::string_view::npos) return true;
  return false;
}

}  // namespace kdiag::adapters
