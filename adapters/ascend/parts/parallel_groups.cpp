// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/parallel_groups.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace kdiag::adapters::ascend {
namespace {

/// The group of a pipeline, as Megatron-LM and what follows it name it.
bool is_pipeline(std::string_view name) { return name == "pp" || name == "pipeline"; }

/// The group of all ranks: of PyTorch, of MindSpore.
bool is_world(std::string_view name) { return name == "default_group" || name == "hccl_world_group"; }

}  // namespace

ParallelPlace parallel_place(const JsonValue& groups) {
  ParallelPlace place;
  if (groups.kind == JsonValue::Kind::string) {
    const auto held = parse_json(groups.text);
    return held && held->kind == JsonValue::Kind::object ? parallel_place(*held) : place;
  }
  for (const JsonMember& member : groups.members) {
    const JsonValue& group = member.value;
    const std::string_view name = group["group_name"].text;
    const auto& ranks = group["global_ranks"].items;
    const auto own = group["group_rank"].integer();
    if (!own || *own < 0 || static_cast<std::size_t>(*own) >= ranks.size()) continue;
    if (const auto rank = ranks[static_cast<std::size_t>(*own)].integer(); rank && *rank >= 0 && !place.rank)
      place.rank = rank;
    if (is_world(name)) place.world_size = static_cast<std::int64_t>(ranks.size());
    if (is_pipeline(name) && ranks.size() > 1) place.stage = own;
  }
  return place;
}

void set_stage(Batch& batch, const ParallelPlace& place) {
  if (place.rank && place.stage) batch.set(batch.rank(*place.rank), column("ranks.stage"), *place.stage);
}

}  // namespace kdiag::adapters::ascend
