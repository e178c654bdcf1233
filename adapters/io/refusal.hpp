// SPDX-License-Identifier: Apache-2.0
// Files that no adapter can read, recognised by their first bytes, with what to do about each.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include <kdiag/diagnostic.hpp>

namespace kdiag::adapters {

/// How many bytes `refusal` wants to see: tar has its magic at byte 257.
inline constexpr std::size_t refusal_bytes = 512;

/// Why an input that starts like this cannot be read: K614 Git LFS pointer, K615 Nsight Systems report, K616 an
/// archive or container, K617 UTF-16 text, K773 Nsight Compute report, K774 a program or a recording of perf. Nothing
/// when it may be a trace.
std::optional<Diagnostic> refusal(std::string_view start);

}  // namespace kdiag::adapters
