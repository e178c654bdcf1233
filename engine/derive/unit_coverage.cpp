// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/unit_coverage.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/derive/rows/row_groups.hpp"
#include "engine/facts/known_column.hpp"
#include "engine/facts/spans.hpp"

namespace kdiag {
namespace {

struct Grids {
  std::span<const std::int32_t> x, y, z;

  /// Blocks of a kernel, at most as many as the device has units; nothing when the grid was not recorded.
  std::optional<std::int64_t> blocks(std::size_t row, std::int64_t units) const {
    if (x.empty() || y.empty() || z.empty() || std::min({x[row], y[row], z[row]}) <= 0) return std::nullopt;
    const std::int64_t plane = std::min(units, std::int64_t{x[row]} * y[row]);
    return std::min(units, plane * z[row]);
  }
};

/// A kernel that begins or ends.
struct Change {
  std::int64_t time = 0;
  std::uint32_t kernel = 0;  ///< place in the list of the device's kernels
  bool begins = false;
};

struct Kernel {
  std::uint32_t row = 0;
  Interval span;
  std::optional<std::int64_t> blocks;
  bool computes = false;
};

/// What was lost, and what is not known, from the first instant of a device to another one.
struct Totals {
  double lost = 0;  ///< ns for each of the kernels that compute
  std::int64_t unknown = 0;
};

/// The lost time of each kernel; nothing where it is not known.
std::vector<std::optional<std::int64_t>> lost_times(const std::vector<Kernel>& kernels, std::int64_t units) {
  std::vector<Change> changes;
  changes.reserve(2 * kernels.size());
  for (std::uint32_t k = 0; k < kernels.size(); ++k) {
    changes.push_back({kernels[k].span.start, k, true});
    changes.push_back({kernels[k].span.end, k, false});
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return std::tuple(a.time, a.kernel, !a.begins) < std::tuple(b.time, b.kernel, !b.begins);
  });
  std::vector<Totals> at_begin(kernels.size());
  std::vector<std::optional<std::int64_t>> lost(kernels.size());
  Totals now;
  std::int64_t covered = 0;
  std::int64_t computing = 0;
  std::int64_t unknown = 0;
  std::int64_t since = 0;
  for (const Change& change : changes) {
    const std::int64_t length = change.time - since;
    if (unknown > 0) now.unknown += length;
    else if (computing > 0 && covered < units)
      now.lost += static_cast<double>(length) * static_cast<double>(units - covered) /
                  (static_cast<double>(units) * static_cast<double>(computing));
    since = change.time;
    const Kernel& kernel = kernels[change.kernel];
    const std::int64_t step = change.begins ? 1 : -1;
    covered += step * kernel.blocks.value_or(0);
    computing += kernel.computes ? step : 0;
    unknown += kernel.blocks ? 0 : step;
    if (change.begins) at_begin[change.kernel] = now;
    else if (kernel.computes && kernel.blocks && now.unknown == at_begin[change.kernel].unknown)
      lost[change.kernel] = std::llround(now.lost - at_begin[change.kernel].lost);
  }
  return lost;
}

}  // namespace

void derive_unit_coverage(FactStore& store) {
  const auto dur = store.integers(column("kernels.dur"));
  if (store.has(column("kernels.uncovered")) || dur.empty() || !store.has(column("kernels.grid_x")) ||
      !store.has(column("devices.sms")))
    return;
  const SpanColumns spans{store.integers(column("kernels.start")), dur};
  const Grids grids{store.smalls(column("kernels.grid_x")), store.smalls(column("kernels.grid_y")),
                    store.smalls(column("kernels.grid_z"))};
  const auto classes = store.indices(column("kernels.class"));
  const std::uint32_t communication = store.strings.find("communication");
  const std::size_t devices = store.rows(table("devices"));
  const RowGroups rows(store.indices(column("kernels.device")), dur.size(), devices);
  std::vector<std::int64_t> uncovered(dur.size(), absent_integer);
  for (std::uint32_t device = 0; device < devices; ++device) {
    const std::int64_t units = store.small(column("devices.sms"), device);
    if (units <= 0) continue;
    std::vector<Kernel> timed;
    for (const std::uint32_t row : rows.of(device)) {
      const bool computes = classes.empty() || communication == absent_index || classes[row] != communication;
      const auto blocks = grids.blocks(row, units);
      if (const auto span = spans.empty() ? std::nullopt : spans[row]) {
        timed.push_back({row, *span, blocks, computes});
      } else if (computes && blocks && dur[row] >= 0) {
        const double share = static_cast<double>(units - *blocks) / static_cast<double>(units);
        uncovered[row] = std::llround(static_cast<double>(dur[row]) * share);
      }
    }
    const auto lost = lost_times(timed, units);
    for (std::size_t k = 0; k < timed.size(); ++k)
      if (lost[k]) uncovered[timed[k].row] = *lost[k];
  }
  replace_known(store, column("kernels.uncovered"), std::move(uncovered));
}

}  // namespace kdiag
