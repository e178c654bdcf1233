// SPDX-License-Identifier: Apache-2.0
#include "mapping/read_mapped.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/note_ids.hpp>

#include "mapping/mapped_rows.hpp"
#include "mapping/records.hpp"
#include "mapping/row_values.hpp"

namespace kdiag::mapping {
namespace {

constexpr std::size_t rows_per_batch = 65536;

class Reader {
 public:
  Reader(const LoadedMap& map, Input& input, FactSink& sink)
      : map_(map), sink_(sink), clock_(map), records_(map, input, sink, bad_), writer_(map, bad_) {
    for (const MappedRows& rows : map.rows) values_.emplace_back(map, rows, clock_, bad_);
  }

  Status read() {
    while (records_.next()) {
      record();
      if (writer_.rows() >= rows_per_batch && !writer_.needs_one_batch()) submit();
    }
    bad_.report(sink_);
    Status status = records_.finish();
    if (status && !sink_.cancelled()) submit();
    return status;
  }

 private:
  void record() {
    sink_.count_events(1);
    bool known = false;
    for (RowValues& values : values_) {
      if (!values.applies(records_)) continue;
      known = true;
      if (values.read(records_)) writer_.add(values, records_.line());
    }
    if (!known) bad_.add(note_id::unknown_kind, kind(), records_.line());
  }

  /// What tells kinds of records apart, of this one: "type = 'memset'". Nothing where entries look at several cells.
  std::string kind() const {
    std::size_t cell = MappedValue::no_cell;
    for (const MappedRows& rows : map_.rows)
      for (const MappedCondition& condition : rows.where) {
        if (cell != MappedValue::no_cell && cell != condition.cell) return {};
        cell = condition.cell;
      }
    if (cell == MappedValue::no_cell) return {};
    constexpr std::size_t most_shown = 40;
    return map_.cells[cell] + " = '" + std::string(records_.cell(cell).substr(0, most_shown)) + "'";
  }

  void submit() {
    if (sequence_ == 0) {
      RunInfo run;
      run.producer = map_.producer;
      run.clock = clock_.domain();
      run.telemetry = std::all_of(map_.rows.begin(), map_.rows.end(), [](const MappedRows& rows) {
        return rows.table == table("samples") || rows.table == table("devices");
      });
      sink_.run(std::move(run));
    }
    sink_.submit(sequence_++, writer_.take());
  }

  const LoadedMap& map_;
  FactSink& sink_;
  adapters::BadRecords bad_;
  MappedClock clock_;
  Records records_;
  MappedRowWriter writer_;
  std::vector<RowValues> values_;  ///< by entry
  std::uint64_t sequence_ = 0;
};

}  // namespace

Status read_mapped(const LoadedMap& map, Input& input, FactSink& sink) { return Reader(map, input, sink).read(); }

}  // namespace kdiag::mapping
