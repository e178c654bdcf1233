// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/waits.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

#include "engine/intervals.hpp"

namespace kdiag {
namespace {

/// As host.sync-stall has them, of tables without events: CUDA, HIP, CNRT, ACL and Level Zero by what their names
/// share.
bool names_wait(std::string_view name) {
  constexpr std::string_view parts[] = {"Synchronize",  "QueueSync",           "SyncDevice",
                                        "NotifierWait", "BlockHostUntilReady", "hsa_signal_wait"};
  constexpr std::string_view operators[] = {"aten::item", "aten::_local_scalar_dense", "aten::is_nonzero",
                                            "aten::nonzero"};
  return std::find(std::begin(operators), std::end(operators), name) != std::end(operators) ||
         std::any_of(std::begin(parts), std::end(parts),
                     [name](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

/// Calls that start a copy which blocks.
std::vector<bool> blocking_copies(const FactStore& store) {
  std::vector<bool> blocks(store.rows(table("api")));
  const auto sync = store.indices(column("copies.sync")), launch = store.indices(column("copies.launch"));
  for (std::size_t row = 0; row < std::min(sync.size(), launch.size()); ++row)
    if (sync[row] == 1 && launch[row] != absent_index) blocks[launch[row]] = true;
  return blocks;
}

constexpr int deepest = 1000;  // operators inside of operators; more is no nesting of a program

}  // namespace

Waits::Waits(const FactStore& store) : store_(store) {
  const auto op_name = store.indices(column("ops.name"));
  const auto op_time = store.integers(column("ops.dur"));
  for (std::size_t row = 0; row < std::min(op_name.size(), op_time.size()); ++row)
    if (op_name[row] != absent_index && op_time[row] > 0) operators_[op_name[row]].all += op_time[row];
  const auto sync = store.indices(column("api.is_sync"));
  const std::vector<bool> copies = blocking_copies(store);
  for (std::uint32_t row = 0; row < store.rows(table("api")); ++row) {
    const std::int64_t dur = store.integer(column("api.dur"), row);
    const std::uint32_t name = store.index(column("api.name"), row);
    if (name == absent_index || dur == absent_integer || dur <= 0) continue;
    calls_[name].all += dur;
    const bool blocks = sync.empty() || sync[row] == absent_index ? names_wait(store.strings[name]) : sync[row] == 1;
    if (blocks || copies[row]) add(row);
  }
}

void Waits::add(std::uint32_t call) {
  const std::int64_t dur = store_.integer(column("api.dur"), call);
  calls_[store_.index(column("api.name"), call)].waited += dur;
  std::uint32_t op = store_.index(column("api.op"), call);
  for (int depth = 0; op != absent_index && depth < deepest; ++depth) {
    const std::uint32_t name = store_.index(column("ops.name"), op);
    if (name != absent_index) operators_[name].waited += dur;
    op = store_.index(column("ops.parent"), op);
  }
}

double Waits::share(const Parts& parts, std::uint32_t name) const {
  const auto known = parts.find(name);
  if (known == parts.end() || known->second.all <= 0) return names_wait(store_.strings[name]) ? 1 : 0;
  return std::min(1.0, static_cast<double>(known->second.waited) / static_cast<double>(known->second.all));
}

}  // namespace kdiag
