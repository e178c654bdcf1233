// SPDX-License-Identifier: Apache-2.0
#include "engine/compare/waits.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "base/intervals.hpp"

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

/// Operators before those around them; such as lie around themselves are left out.
std::vector<std::uint32_t> inner_first(const FactStore& store) {
  const auto rows = static_cast<std::uint32_t>(store.rows(table("ops")));
  std::vector<std::uint32_t> inside(rows), order;
  order.reserve(rows);
  const auto parent = [&](std::uint32_t row) { return store.index(column("ops.parent"), row); };
  for (std::uint32_t row = 0; row < rows; ++row)
    if (parent(row) != absent_index) ++inside[parent(row)];
  for (std::uint32_t row = 0; row < rows; ++row)
    if (inside[row] == 0) order.push_back(row);
  for (std::size_t next = 0; next < order.size(); ++next)
    if (const std::uint32_t around = parent(order[next]); around != absent_index && --inside[around] == 0)
      order.push_back(around);
  return order;
}

/// Whether the run says inside of which operators calls were.
bool calls_have_operators(const FactStore& store) {
  const auto ops = store.indices(column("api.op"));
  return std::any_of(ops.begin(), ops.end(), [](std::uint32_t op) { return op != absent_index; });
}

}  // namespace

Waits::Waits(const FactStore& store, CancelFlag cancel) : store_(store) {
  ByOperator waited = add_calls(cancel);
  if (calls_have_operators(store)) add_operators(std::move(waited), cancel);
}

Waits::ByOperator Waits::add_calls(CancelFlag cancel) {
  ByOperator waited(store_.rows(table("ops")));
  const auto sync = store_.indices(column("api.is_sync"));
  const std::vector<bool> copies = blocking_copies(store_);
  for (std::uint32_t row = 0; row < store_.rows(table("api")); ++row) {
    stop_if(cancel);
    const std::int64_t dur = store_.integer(column("api.dur"), row);
    const std::uint32_t name = store_.index(column("api.name"), row);
    if (name == absent_index || dur == absent_integer || dur <= 0) continue;
    Part& call = calls_[name];
    call.all = add_times(call.all, dur);
    const bool blocks = sync.empty() || sync[row] == absent_index ? names_wait(store_.strings[name]) : sync[row] == 1;
    if (!blocks && !copies[row]) continue;
    call.waited = add_times(call.waited, dur);
    if (const std::uint32_t op = store_.index(column("api.op"), row); op != absent_index)
      waited[op] = add_times(waited[op], dur);
  }
  return waited;
}

void Waits::add_operators(ByOperator waited, CancelFlag cancel) {
  for (const std::uint32_t row : inner_first(store_)) {
    stop_if(cancel);
    const std::uint32_t parent = store_.index(column("ops.parent"), row);
    if (parent != absent_index) waited[parent] = add_times(waited[parent], waited[row]);
    const std::uint32_t name = store_.index(column("ops.name"), row);
    const std::int64_t dur = store_.integer(column("ops.dur"), row);
    if (name == absent_index || dur == absent_integer || dur <= 0) continue;
    Part& named = operators_[name];
    named.all = add_times(named.all, dur);
    named.waited = add_times(named.waited, waited[row]);
  }
}

double Waits::share(const Parts& parts, std::uint32_t name) const {
  const auto known = parts.find(name);
  if (known == parts.end() || known->second.all <= 0) return names_wait(store_.strings[name]) ? 1 : 0;
  return std::min(1.0, static_cast<double>(known->second.waited) / static_cast<double>(known->second.all));
}

}  // namespace kdiag
