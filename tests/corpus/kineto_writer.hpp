// SPDX-License-Identifier: Apache-2.0
// Writes events in the form of the PyTorch profiler (Kineto).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/corpus/recorder.hpp"

namespace kdiag::corpus {

/// Calls of the system have no records in this form.
class KinetoWriter final : public Recorder {
 public:
  explicit KinetoWriter(const Recording& recording);

  void op(std::string_view name, Span span, std::int64_t external) override;
  void annotation(std::string_view name, Span span) override;
  void background(std::string_view name, Span span) override;
  void step(int index, Span span) override;
  void call(std::string_view name, Span span, std::int64_t external, std::int64_t correlation) override;
  void os_call(std::string_view, Span) override {}
  void kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) override;
  void graph_kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) override;
  void collective(Span span, int stream, std::int64_t correlation, const Collective& collective, int sequence) override;
  void copy(std::string_view kind, Span span, int stream, std::int64_t correlation, std::int64_t bytes) override;
  void memory(std::int64_t time, std::int64_t bytes, std::int64_t allocated, std::int64_t reserved) override;
  void python(std::string_view function, Span span) override;
  void overhead(std::string_view name, Span span) override;
  std::string finish() override;

 private:
  void complete(std::string_view category, std::string_view name, std::int64_t process, std::int64_t thread, Span span,
                const std::string& arguments);
  std::string text_;
  Recording recording_;
};

}  // namespace kdiag::corpus
