// SPDX-License-Identifier: Apache-2.0
// A small timeline written by hand, as a store before derivation: tests of derived facts start from it.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/facts/fact_builder.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::tests {

/// Times are in ns. Rows are linked as the caller says; nothing is inferred.
class Trace {
 public:
  Batch batch;

  Row thread(std::int64_t id) { return batch.thread(1, id); }

  Row call(Row thread, std::string_view name, std::int64_t start, std::int64_t dur) {
    const Row row = event(table("api"), column("api.name"), name, column("api.start"), start, column("api.dur"), dur);
    batch.set(row, column("api.thread"), thread);
    batch.set(row, column("api.is_launch"),
              name.find("Launch") != std::string_view::npos || name.find("MemcpyAsync") != std::string_view::npos);
    batch.set(row, column("api.is_sync"), name.find("Synchronize") != std::string_view::npos);
    return row;
  }

  Row op(Row thread, std::string_view name, std::int64_t start, std::int64_t dur, Row parent = {}) {
    const Row row = event(table("ops"), column("ops.name"), name, column("ops.start"), start, column("ops.dur"), dur);
    batch.set(row, column("ops.thread"), thread);
    if (parent.index != absent_index) batch.set(row, column("ops.parent"), parent);
    return row;
  }

  void python(Row thread, Row frame, std::int64_t start, std::int64_t dur) {
    const Row row = batch.add(table("python_calls"));
    batch.set(row, column("python_calls.start"), start);
    batch.set(row, column("python_calls.dur"), dur);
    batch.set(row, column("python_calls.thread"), thread);
    batch.set(row, column("python_calls.frame"), frame);
  }

  Row range(Row thread, std::string_view name, std::string_view kind, std::int64_t start, std::int64_t dur) {
    const Row row = event(table("annotations"), column("annotations.name"), name, column("annotations.start"), start,
                          column("annotations.dur"), dur);
    batch.set(row, column("annotations.thread"), thread);
    batch.set(row, column("annotations.kind"), kind);
    return row;
  }

  Row kernel(std::int64_t device, std::string_view name, std::int64_t start, std::int64_t dur, Row launch = {}) {
    const Row row = event(table("kernels"), column("kernels.name"), name, column("kernels.start"), start,
                          column("kernels.dur"), dur);
    batch.set(row, column("kernels.device"), batch.device(device));
    if (launch.index != absent_index) batch.set(row, column("kernels.launch"), launch);
    return row;
  }

  Row copy(std::int64_t device, std::string_view kind, std::int64_t start, std::int64_t dur, Row launch = {}) {
    const Row row =
        event(table("copies"), column("copies.kind"), kind, column("copies.start"), start, column("copies.dur"), dur);
    batch.set(row, column("copies.device"), batch.device(device));
    if (launch.index != absent_index) batch.set(row, column("copies.launch"), launch);
    return row;
  }

  Row memset(std::int64_t device, std::int64_t start, std::int64_t dur) {
    const Row row = batch.add(table("memsets"));
    batch.set(row, column("memsets.start"), start);
    batch.set(row, column("memsets.dur"), dur);
    batch.set(row, column("memsets.device"), batch.device(device));
    return row;
  }

  Row step(std::int64_t index, std::int64_t start, std::int64_t dur) {
    const Row row = batch.add(table("steps"));
    batch.set(row, column("steps.index"), index);
    batch.set(row, column("steps.start"), start);
    batch.set(row, column("steps.dur"), dur);
    return row;
  }

  void sample(std::int64_t device, std::string_view series, std::int64_t time, double value) {
    const Row row = batch.add(table("samples"));
    batch.set(row, column("samples.series"), series);
    batch.set(row, column("samples.time"), time);
    batch.set(row, column("samples.value"), value);
    batch.set(row, column("samples.device"), batch.device(device));
  }

  FactStore store() {
    Fragment fragment;
    fragment.adapter = "test";
    fragment.batches.emplace_back(0, std::move(batch));
    std::vector<Fragment> fragments;
    fragments.push_back(std::move(fragment));
    return build_facts(std::move(fragments));
  }

 private:
  Row event(TableId table, ColumnId name_column, std::string_view name, ColumnId start_column, std::int64_t start,
            ColumnId dur_column, std::int64_t dur) {
    const Row row = batch.add(table);
    batch.set(row, name_column, name);
    batch.set(row, start_column, start);
    batch.set(row, dur_column, dur);
    return row;
  }
};

}  // namespace kdiag::tests
