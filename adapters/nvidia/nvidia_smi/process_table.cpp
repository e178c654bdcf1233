// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvidia_smi/process_table.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/nvidia/nvidia_smi/monitor_table.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t least_share = 5;  // percent: a desktop takes less and slows nobody (judgement)

}  // namespace

void ProcessTable::start_table(std::string_view header) {
  const std::vector<std::string_view> names = monitor_words(header);
  const auto place = [&](std::string_view name) -> std::optional<std::size_t> {
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - names.begin()));
  };
  gpu_ = place("gpu");
  pid_ = place("pid");
  sm_ = place("sm");
  columns_ = names.size();
}

std::optional<std::int64_t> ProcessTable::add(std::string_view line) {
  const std::vector<std::string_view> cells = monitor_words(line);
  if (cells.size() < columns_ || !gpu_ || !pid_) return std::nullopt;  // the last one, the command, may hold blanks
  const auto gpu = to_integer(Token{cells[*gpu_]});
  if (!gpu || *gpu < 0) return std::nullopt;
  Busy& busy = busy_[*gpu];
  const std::string_view pid = cells[*pid_];
  if (busy.seen.contains(pid)) busy.end_tick();
  busy.seen.emplace(pid);
  if (sm_ && to_integer(Token{cells[*sm_]}).value_or(0) >= least_share) busy.running.emplace(pid);
  return gpu;
}

void ProcessTable::Busy::end_tick() {
  const auto both =
      std::count_if(running.begin(), running.end(), [this](const std::string& pid) { return before.contains(pid); });
  most = std::max(most, static_cast<std::size_t>(both));
  before = std::move(running);
  running.clear();
  seen.clear();
}

void ProcessTable::finish(FactSink& sink) {
  for (auto& [gpu, busy] : busy_) {
    busy.end_tick();
    if (busy.most > 1)
      sink.note(note_id::shared_device, "GPU " + std::to_string(gpu) + ": " + std::to_string(busy.most) + " at a time");
  }
}

}  // namespace kdiag::adapters
