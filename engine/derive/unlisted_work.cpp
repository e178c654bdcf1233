// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/unlisted_work.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "base/text.hpp"

namespace kdiag {
namespace {

constexpr std::int64_t beyond_listed = 2;

std::int64_t sum_of(const FactStore& store, ColumnId column_id) {
  std::int64_t sum = 0;
  for (const std::int64_t value : store.integers(column_id))
    if (value != absent_integer) sum = add_times(sum, value);
  return sum;
}

bool launches_graphs(std::string_view call) { return contains(call, "GraphLaunch"); }
bool waits_for_device(std::string_view call) { return contains(call, "Synchronize"); }

}  // namespace

void derive_unlisted_work(FactStore& store) {
  if (store.rows(table("kernels")) > 0 || store.rows(table("runs")) != 1) return;
  bool graphs = false;
  std::int64_t waited = 0;
  for (std::uint32_t row = 0; row < store.rows(table("api_stats")); ++row) {
    const std::string_view call = store.text(column("api_stats.name"), row);
    const std::int64_t total = store.integer(column("api_stats.total"), row);
    graphs = graphs || launches_graphs(call);
    if (waits_for_device(call) && total != absent_integer) waited = std::max(waited, total);  // threads wait at once
  }
  const std::int64_t listed =
      add_times(sum_of(store, column("kernel_stats.total")), sum_of(store, column("copy_stats.total")));
  if (!graphs || waited / beyond_listed <= listed) return;
  store.replace(column("runs.unlisted_device_time"), std::vector<std::int64_t>{waited - beyond_listed * listed},
                "derived");
}

}  // namespace kdiag
