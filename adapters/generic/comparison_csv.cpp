// SPDX-License-Identifier: Apache-2.0
// LatencyPrism's comparison of two runs as CSV: one row per function, metric and device, with shares of the cycle in
// percent (β), means of the metric (μ) and the statistics of both. The unit of a metric is not stated. The Markdown
// report of the same comparison (comparison_markdown.cpp) has fewer digits, but the cycles too.
#include <string_view>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/generic/latencyprism/compared_runs.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/text/csv.hpp"

namespace kdiag::adapters {
namespace {

int sniff(const Head& head) {
  return head.json == 0 && ComparisonHeader::parse(header_fields(first_line(head.bytes))) ? 90 : 0;
}

Status read(Input& input, FactSink& sink) {
  CsvReader csv(input, sink);
  ComparedRuns runs(csv.sink());
  while (csv.next()) {
    if (runs.header() == nullptr) {
      csv.note_cut(true);
      if (auto header = ComparisonHeader::parse(csv.fields())) runs.set_header(std::move(*header));
      continue;
    }
    sink.count_events(1);
    const bool complete = csv.fields().size() == runs.header()->columns().size();
    if (csv.note_cut(!complete)) continue;
    if (complete) runs.add_row(csv.fields());
    else csv.sink().note(note_id::malformed_value, "number of columns");
  }
  runs.submit(1);
  return csv.status();
}

constexpr std::string_view provides[] = {"comparisons", "devices.id", "devices.sm_clock_avg", "devices.sm_clock_normal",
                                         "devices.mem_clock_avg"};

}  // namespace

extern const Adapter comparison_csv;
const Adapter comparison_csv{
    .id = "comparison-csv",
    .title = "LatencyPrism's comparison of two runs by function (CSV)",
    .example = "Function Name,Metric Name,Device,Suspicion Score,β_normal(%),β_abnormal(%)",
    .record = "LatencyPrism, *_strict_comparison.csv",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
