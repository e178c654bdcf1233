// SPDX-License-Identifier: Apache-2.0
#include "report/finding_events.hpp"

#include <cstdio>
#include <string_view>
#include <vector>

#include "base/escape.hpp"
#include "report/phrases/finding_arguments.hpp"
#include "report/run_rows.hpp"

namespace kdiag::report {
namespace {

/// Microseconds with all digits of the nanoseconds.
std::string event_time(std::int64_t ns) {
  const std::int64_t rest = ((ns % 1000) + 1000) % 1000;
  char text[40];
  std::snprintf(text, sizeof text, "%lld.%03d", static_cast<long long>((ns - rest) / 1000), static_cast<int>(rest));
  return text;
}

class Events {
 public:
  explicit Events(std::int64_t base_ns) : base_ns_(base_ns) {}

  void add_process() { add(R"("ph":"M","name":"process_name","pid":"kdiag","tid":0,"args":{"name":"kdiag"})"); }

  void add_row(int row, const std::string& name) {
    const std::string place = R"("pid":"kdiag","tid":)" + std::to_string(row);
    add(R"("ph":"M","name":"thread_name",)" + place + R"(,"args":{"name":)" + quoted(name) + "}");
    add(R"("ph":"M","name":"thread_sort_index",)" + place + R"(,"args":{"sort_index":)" + std::to_string(row) + "}");
  }

  void add_slice(int row, const std::pair<std::int64_t, std::int64_t>& when, const std::string& title,
                 const std::vector<std::pair<std::string_view, std::string>>& arguments) {
    std::string args;
    for (const auto& [name, text] : arguments) args += (args.empty() ? "" : ",") + quoted(name) + ":" + quoted(text);
    add(R"("ph":"X","cat":"kdiag","name":)" + quoted(title) + R"(,"pid":"kdiag","tid":)" + std::to_string(row) +
        R"(,"ts":)" + event_time(when.first - base_ns_) + R"(,"dur":)" + event_time(when.second - when.first) +
        R"(,"args":{)" + args + "}");
  }

  std::string take() { return std::move(out_); }

 private:
  static std::string quoted(std::string_view text) {
    std::string out;
    append_json_string(out, text);
    return out;
  }

  void add(const std::string& members) { out_ += (out_.empty() ? "\n{" : ",\n{") + members + "}"; }

  std::int64_t base_ns_;
  std::string out_;
};

}  // namespace

std::string finding_events(const Report& report, const std::optional<Facts>& facts, std::int64_t base_ns) {
  Events events(base_ns);
  int row = 0;
  std::size_t run = 0;  // of the facts: the subjects of the report are in their order
  for (const RunView& view : views_of(report)) {
    if (view.run->role != RunRole::subject) continue;
    const bool known = facts && run < run_count(*facts);
    const auto judged = known ? RunRows(*facts, run).judged_window() : std::nullopt;
    ++run;
    for (const Finding* finding : with_symptoms(view.findings)) {
      const auto intervals = shown_intervals(*finding, judged);
      if (intervals.empty()) continue;
      if (row == 0) events.add_process();
      events.add_row(++row, finding_lane(*finding));
      const auto arguments = finding_arguments(view, *finding);
      for (const auto& interval : intervals) events.add_slice(row, interval, finding->title, arguments);
    }
  }
  return events.take();
}

}  // namespace kdiag::report
