// SPDX-License-Identifier: Apache-2.0
// The findings of a run as tracks of a Perfetto trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "report/perfetto/packets.hpp"
#include "report/phrases/run_view.hpp"

namespace kdiag::report {

/// The category of what a diagnosis adds: who reads the trace leaves it out of the facts.
inline constexpr std::string_view kdiag_lane = "kdiag";

/// A track for each finding, with its intervals as slices and its advice as their arguments. Where it has none it is
/// shown over the window that was judged, and where that is not known as an instant at `otherwise_at`.
void write_findings(std::uint64_t parent, const RunView& view,
                    const std::optional<std::pair<std::int64_t, std::int64_t>>& judged, std::int64_t otherwise_at,
                    PacketWriter& writer);

}  // namespace kdiag::report
