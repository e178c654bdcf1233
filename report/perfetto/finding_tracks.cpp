// SPDX-License-Identifier: Apache-2.0
#include "report/perfetto/finding_tracks.hpp"

#include <vector>

#include "report/phrases/finding_arguments.hpp"
#include "report/timeline_lanes.hpp"

namespace kdiag::report {
namespace {

using Window = std::optional<std::pair<std::int64_t, std::int64_t>>;

void write_finding(std::uint64_t parent, const RunView& view, const Finding& finding, std::int64_t place,
                   const Window& judged, std::int64_t otherwise_at, PacketWriter& writer) {
  const PacketArguments arguments{.texts = finding_arguments(view, finding)};
  const std::string name = finding_lane(finding);
  std::vector<TimelineSlice> slices;
  for (const auto& [start, end] : shown_intervals(finding, judged)) slices.push_back({start, end, 0});
  std::uint64_t track = 0;
  if (slices.empty())
    writer.instant(writer.track(parent, name, place), otherwise_at, kdiag_lane, {0, finding.title}, arguments);
  arrange_lanes(
      std::move(slices), Nesting::none, [&] { track = writer.track(parent, name, place); },
      [&](const TimelineSlice& one) {
        writer.begin(track, one.start, kdiag_lane, {0, finding.title}, arguments);
      },
      [&](const TimelineSlice& one) { writer.end(track, one.end); });
}

}  // namespace

void write_findings(std::uint64_t parent, const RunView& view, const Window& judged, std::int64_t otherwise_at,
                    PacketWriter& writer) {
  std::int64_t place = 0;
  for (const Finding* finding : with_symptoms(view.findings))
    write_finding(parent, view, *finding, place++, judged, otherwise_at, writer);
}

}  // namespace kdiag::report
