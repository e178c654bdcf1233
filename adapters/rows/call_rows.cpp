// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/call_rows.hpp"

#include "adapters/names/api_names.hpp"

namespace kdiag::adapters {

NamedCall named_call(Batch& batch, std::string_view base) {
  if (base.empty()) return {};
  return {batch.text(base), is_launch_call(base), is_blocking_call(base)};
}

Row add_call(Batch& batch, const NamedCall& call, std::int64_t start, std::int64_t dur) {
  const Row row = batch.add(table("api"));
  batch.set(row, column("api.start"), start);
  batch.set(row, column("api.dur"), dur);
  if (call.name.index == absent_index) return row;
  batch.set(row, column("api.name"), call.name);
  batch.set(row, column("api.is_launch"), call.launch);
  batch.set(row, column("api.is_sync"), call.blocking);
  return row;
}

Row add_call(Batch& batch, std::string_view base, std::int64_t start, std::int64_t dur) {
  return add_call(batch, named_call(batch, base), start, dur);
}

Row add_call(Batch& batch, std::string_view base, std::int64_t start, std::int64_t dur, bool launch) {
  if (base.empty()) return add_call(batch, NamedCall(), start, dur);
  return add_call(batch, {batch.text(base), launch, is_blocking_call(base)}, start, dur);
}

}  // namespace kdiag::adapters
