// SPDX-License-Identifier: Apache-2.0
// What the name of a memory copy says: direction and kinds of memory.
#pragma once

#include <string>
#include <string_view>

namespace kdiag::adapters {

/// Values of `copies.kind`, `copies.src` and `copies.dst`; empty where the name says nothing.
struct CopyName {
  std::string_view kind;
  std::string_view src;
  std::string_view dst;
};

/// Reads `Memcpy HtoD (Pageable -> Device)`, `Memcpy DtoD`, `HtoD`, `Memcpy M2D`, `hipMemcpyHostToDevice`,
/// `MEMORY_COPY_HOST_TO_DEVICE`. The device's
/// side of a copy is "device" even when only the direction is known; the host's side is then empty, since pinned and
/// pageable memory behave differently.
CopyName parse_copy_name(std::string_view name);

/// A copy's kind as totals name it: "h2d", "um (managed -> device)"; `otherwise` where the kind is not known.
std::string copy_label(const CopyName& copy, std::string_view otherwise);

/// Whether a name can be that of a copy: for rows that hold other work too, as parse_copy_name looks for directions
/// only.
bool names_copy(std::string_view name);

}  // namespace kdiag::adapters
