// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/call_rows.hpp"

#include "adapters/names/api_names.hpp"

namespace kdiag::adapters {

Row add_call(Batch& batch, std::string_view base, std::int64_t start, std::int64_t dur) {
  return add_call(batch, base, start, dur, is_launch_call(base));
}

Row add_call(Batch& batch, std::string_view base, std::int64_t start, std::int64_t dur, bool launch) {
  const Row row = batch.add(table("api"));
  batch.set(row, column("api.start"), start);
  batch.set(row, column("api.dur"), dur);
  if (base.empty()) return row;
  batch.set(row, column("api.name"), base);
  batch.set(row, column("api.is_launch"), launch);
  batch.set(row, column("api.is_sync"), is_blocking_call(base));
  return row;
}

}  // namespace kdiag::adapters
