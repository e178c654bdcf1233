// SPDX-License-Identifier: Apache-2.0
// Writes events in the form of the PyTorch profiler (Kineto).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace kdiag::corpus {

/// Times in ns since the start of the recording.
struct Span {
  std::int64_t start = 0;
  std::int64_t dur = 0;
  std::int64_t end() const { return start + dur; }
};

/// The clock that a process writes instead of the true time.
struct Clock {
  std::int64_t offset = 0;  ///< ns
  double drift = 0;         ///< gained per ns
  std::int64_t operator()(std::int64_t time) const;
};

/// The shape of a kernel.
struct Grid {
  int blocks = 1'024;
  int threads = 128;
  int occupancy = 50;  ///< per cent, of a grid that fills the device
};

struct Recording {
  int rank = 0;
  int ranks = 1;
  Clock clock;
  bool device = true;         ///< kernels, copies and collectives are recorded
  bool graph_kernels = true;  ///< those of graph launches, too
};

class KinetoWriter {
 public:
  explicit KinetoWriter(const Recording& recording);

  /// An operator on the host; `external` numbers it.
  void op(std::string_view name, Span span, std::int64_t external);
  void annotation(std::string_view name, Span span);
  /// A call of the runtime inside operator `external`; correlation 0: it put nothing on the device.
  void call(std::string_view name, Span span, std::int64_t external, std::int64_t correlation);
  void kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid);
  void graph_kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid);
  void collective(Span span, int stream, std::int64_t correlation, std::int64_t elements, int sequence);
  void copy(std::string_view kind, Span span, int stream, std::int64_t correlation, std::int64_t bytes);
  /// The allocator took memory of the device; `allocated` is what is in use now, `reserved` what the allocator holds.
  void memory(std::int64_t time, std::int64_t bytes, std::int64_t allocated, std::int64_t reserved);
  /// A call of a Python function, `file(line): function`.
  void python(std::string_view function, Span span);
  /// The profiler's own work.
  void overhead(std::string_view name, Span span);

  /// The document; nothing may be added afterwards.
  std::string finish();

 private:
  void complete(std::string_view category, std::string_view name, std::int64_t process, std::int64_t thread, Span span,
                const std::string& arguments);
  std::string text_;
  Recording recording_;
};

}  // namespace kdiag::corpus
