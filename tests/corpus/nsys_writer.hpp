// SPDX-License-Identifier: Apache-2.0
// Writes events in the form of Nsight Systems (`nsys profile --trace=cuda,nvtx,osrt`, exported to SQLite).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "tests/corpus/recorder.hpp"

namespace kdiag::corpus {

/// Operators, ranges of the framework, Python functions and the allocator have no records in this form.
class NsysWriter final : public Recorder {
 public:
  explicit NsysWriter(const Recording& recording) : recording_(recording) {}

  void op(std::string_view, Span, std::int64_t) override {}
  void annotation(std::string_view, Span) override {}
  void background(std::string_view, Span) override {}
  void step(int index, Span span) override;
  void call(std::string_view name, Span span, std::int64_t external, std::int64_t correlation) override;
  void os_call(std::string_view name, Span span) override;
  void kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) override;
  void graph_kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) override;
  void collective(Span span, int stream, std::int64_t correlation, const Collective& collective, int sequence) override;
  void copy(std::string_view kind, Span span, int stream, std::int64_t correlation, std::int64_t bytes) override;
  void memory(std::int64_t, std::int64_t, std::int64_t, std::int64_t) override {}
  void python(std::string_view, Span) override {}
  void overhead(std::string_view name, Span span) override;
  std::string finish() override;

 private:
  std::string since_start(Span span);
  std::int64_t text(std::string_view value);
  void row(std::string_view table, const std::string& values);

  Recording recording_;
  std::map<std::string, std::string, std::less<>> rows_;  ///< of each table, as values of SQL
  std::map<std::string, std::int64_t, std::less<>> texts_;
  std::int64_t end_ = 0;
};

}  // namespace kdiag::corpus
