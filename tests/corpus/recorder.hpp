// SPDX-License-Identifier: Apache-2.0
// What a profiler writes down of one process: what a machine tells it, as far as it records such things.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace kdiag::corpus {

/// Times in ns since the start of the process.
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

struct Board {
  std::string_view name = "NVIDIA A100-SXM4-80GB";
  int multiprocessors = 108;
  int compute_major = 8;
  std::int64_t memory = 85'031'714'816;
};

inline constexpr Board h100{"NVIDIA H100 80GB HBM3", 132, 9, 85'017'624'576};

/// What ranks exchange.
enum class Exchange { all_reduce, all_gather, all_to_all };

struct Collective {
  Exchange kind = Exchange::all_reduce;
  std::int64_t elements = 0;
  int blocks = 24;
};

enum class Tool {
  pytorch,  ///< torch.profiler: operators, calls of the runtime, the device
  nsys      ///< Nsight Systems: calls of the runtime and of the system, marks of the program, the device
};

struct Recording {
  Tool tool = Tool::pytorch;
  int rank = 0;
  int ranks = 1;
  Clock clock = {};
  Board board = {};
  bool lists_board = true;                                       ///< else the host has none
  bool on_host = false;                                          ///< tensors lie in memory of the host
  std::int64_t from = std::numeric_limits<std::int64_t>::min();  ///< what begins earlier is not recorded
  bool calls = true;                  ///< calls of the runtime are recorded; else operators alone
  bool device = true;                 ///< kernels, copies and collectives are recorded
  bool graph_kernels = true;          ///< those of graph launches, too
  bool numbers_collectives = true;    ///< with their sizes, as the profiler does since 2024
  std::string_view backend = "nccl";  ///< of the ranks
};

/// Writes what one profiler records. Where it has no record for something, that is dropped.
class Recorder {
 public:
  virtual ~Recorder() = default;

  /// An operator of the framework; `external` numbers it.
  virtual void op(std::string_view name, Span span, std::int64_t external) = 0;
  /// A range that the framework marks.
  virtual void annotation(std::string_view name, Span span) = 0;
  /// The same on a thread of the library that serves the ranks.
  virtual void background(std::string_view name, Span span) = 0;
  /// A step that the program marks.
  virtual void step(int index, Span span) = 0;
  /// A call of the runtime inside operator `external`; correlation 0: it put nothing on the device.
  virtual void call(std::string_view name, Span span, std::int64_t external, std::int64_t correlation) = 0;
  /// A call of the system on the thread that launches.
  virtual void os_call(std::string_view name, Span span) = 0;
  virtual void kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) = 0;
  virtual void graph_kernel(std::string_view name, Span span, int stream, std::int64_t correlation, Grid grid) = 0;
  virtual void collective(Span span, int stream, std::int64_t correlation, const Collective& collective,
                          int sequence) = 0;
  virtual void copy(std::string_view kind, Span span, int stream, std::int64_t correlation, std::int64_t bytes) = 0;
  /// The allocator took memory; `allocated` is what is in use now, `reserved` what the allocator holds.
  virtual void memory(std::int64_t time, std::int64_t bytes, std::int64_t allocated, std::int64_t reserved) = 0;
  /// A call of a Python function, `file(line): function`.
  virtual void python(std::string_view function, Span span) = 0;
  /// The profiler's own work.
  virtual void overhead(std::string_view name, Span span) = 0;

  /// The document; nothing may be added afterwards.
  virtual std::string finish() = 0;
};

std::unique_ptr<Recorder> make_recorder(const Recording& recording);

}  // namespace kdiag::corpus
