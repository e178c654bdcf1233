// SPDX-License-Identifier: Apache-2.0
#include "engine/language/vocabulary.hpp"

#include <map>
#include <utility>

#include <kdiag/blame.hpp>

namespace kdiag {
namespace {

using Words = std::vector<std::string_view>;

std::map<std::uint16_t, Words> all_words() {
  const Words memories{"pageable", "pinned", "device", "managed", "unknown"};
  const Words classes{"communication", "gemm", "conv",   "attention", "norm", "elementwise",
                      "reduce",        "copy", "memset", "optimizer", "other"};
  std::map<std::uint16_t, Words> out;
  const auto set = [&](std::string_view name, Words words) {
    const std::size_t dot = name.find('.');
    out.emplace(find_column(name.substr(0, dot), name.substr(dot + 1)).index, std::move(words));
  };
  set("runs.role", {"subject", "baseline"});
  set("runs.wall_basis", {"steps", "device", "phases", "host", "samples"});
  set("runs.cycle_basis", {"steps", "range", "repetition"});
  set("steps.kind", {"steady", "warmup", "partial"});
  set("phases.kind", {"kernel", "memcpy", "memset", "communication", "runtime", "dataloader", "cpu", "other"});
  set("kernels.class", classes);
  set("kernel_stats.class", classes);
  set("copies.kind", {"h2d", "d2h", "d2d", "h2h", "p2p", "um"});
  set("copies.src", memories);
  set("copies.dst", memories);
  set("annotations.kind", {"user", "device", "data_loading", "communication", "overhead", "window"});
  set("frames.how", {"line", "function", "range", "module"});
  set("idle.cause", {"host_sync", "data_loading", "runtime", "launch", "communication", "no_work"});
  Words blames;
  for (const BlameInfo& info : catalogue_blames) blames.push_back(info.name);
  set("idle.blame", std::move(blames));
  set("notes.severity", {"info", "warning", "data-loss", "error"});
  Words series;
  for (const SeriesInfo& info : catalogue_series) series.push_back(info.name);
  set("samples.series", std::move(series));
  return out;
}

}  // namespace

const std::vector<std::string_view>& words_of(ColumnId column) {
  static const std::map<std::uint16_t, Words> words = all_words();
  static const Words any;
  const auto found = words.find(column.index);
  return found == words.end() ? any : found->second;
}

}  // namespace kdiag
