// SPDX-License-Identifier: Apache-2.0
// One process: a host thread that launches, a device with streams, and the file that records both.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>

#include "tests/corpus/recorder.hpp"

namespace kdiag::corpus {

inline constexpr int compute_stream = 7;
inline constexpr int copy_stream = 20;
inline constexpr int communication_stream = 24;

inline constexpr std::string_view elementwise_kernel =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)";

/// What the host's work costs, in ns, and how fast the device is.
struct Costs {
  std::int64_t op = 9'000;            ///< of the framework, around a launch
  std::int64_t launch = 4'500;        ///< of the launch call
  std::int64_t sync_latency = 6'000;  ///< from the end of the device's work to the return of a blocking call
  double slowness = 1.0;              ///< factor on the kernels
  double link = 24.0;                 ///< bytes per ns of copies from pinned memory: PCIe 4.0 x16
  double peer_link = 220.0;           ///< bytes per ns of copies to another device: NVLink 3
};

/// The device does what CUDA promises: work of a stream in order of its launch, no earlier than 3 us behind it; the
/// host is no more than 1,000 launches ahead. Durations vary within 4 %, by the seed.
class Machine {
 public:
  Machine(const Costs& costs, const Recording& recording, std::uint64_t seed)
      : costs_(costs),
        recorder_(make_recorder(recording)),
        random_(seed * 1'000 + static_cast<std::uint64_t>(recording.rank)) {}

  std::int64_t now() const { return now_; }
  /// The host does something that is not recorded.
  void pause(std::int64_t duration) { now_ += duration; }
  /// The host is in a range of the program for so long.
  void range(std::string_view name, std::int64_t duration);
  /// A range of the program from an instant until now.
  void range_since(std::string_view name, std::int64_t begin) { recorder_->annotation(name, {begin, now_ - begin}); }
  /// A step of the program from an instant until now.
  void step_since(int index, std::int64_t begin) { recorder_->step(index, {begin, now_ - begin}); }
  /// The thread that launches is in a call of the system for so long.
  void system_call(std::string_view name, std::int64_t duration);
  /// An operator that only computes on the host.
  void operation(std::string_view name, std::int64_t duration);
  /// The same within the one that autograd runs it for.
  void backward_operation(std::string_view outer, std::string_view name, std::int64_t duration);
  /// An operator that makes a call of the runtime which neither launches nor waits.
  void call(std::string_view op, std::string_view name, std::int64_t duration);
  /// Allocates and releases; both wait for the device.
  void allocate(std::int64_t duration);
  void memory(std::int64_t bytes, std::int64_t allocated, std::int64_t reserved) {
    recorder_->memory(now_, bytes, allocated, reserved);
  }
  /// The host is in a Python function for so long.
  void python(std::string_view function, std::int64_t duration);
  /// The profiler keeps the host busy for so long.
  void overhead(std::int64_t duration);

  void kernel(std::string_view op, std::string_view name, std::int64_t duration, Grid grid = {});
  /// The next launch call takes that much longer.
  void delay_launch(std::int64_t duration) { launch_delay_ = duration; }
  /// What is launched from now on waits on the device, behind the work before it, for something that is not recorded.
  void hold(int stream, std::int64_t duration);
  /// Kernels and copies until end_graph are replayed by one launch.
  void begin_graph();
  void end_graph() { in_graph_ = false; }
  /// Whether the profiler records what graphs run from now on.
  void record_nodes(bool recorded) { nodes_recorded_ = recorded; }
  /// Launches until end_capture are recorded into a graph by the host, and nothing runs.
  void begin_capture();
  /// Makes a graph of what was captured, which the host does alone.
  void end_capture();

  void wait_for_device(std::string_view call);
  void copy_in(std::string_view op, std::int64_t bytes, bool pageable, int stream);
  /// Copies to pinned memory of the host and waits for it, as .cpu() does.
  void copy_out(std::int64_t bytes);
  /// Within the device, in order with the kernels: a clone.
  void copy_within(std::int64_t bytes);
  /// To another device; what computes waits for it.
  void copy_to_peer(std::int64_t bytes);
  /// Reads one value, as aten::item does.
  void read_back();

  /// When this device is ready for a collective that the host launches now, and then when it runs. One that is fetched
  /// ahead does not wait for what computes.
  std::int64_t launch_collective(Exchange kind = Exchange::all_reduce, bool ahead = false);
  void run_collective(std::int64_t ready, std::int64_t end, const Collective& collective);
  /// The same on the host (gloo): a thread of the library exchanges, and the one that computes waits.
  std::int64_t begin_host_collective();
  void end_host_collective(std::int64_t begin, std::int64_t end);
  /// What comes on `stream` reads the results of `other`.
  void depend(int stream, int other);

  std::string finish() { return recorder_->finish(); }

 private:
  std::int64_t jitter(std::int64_t duration);
  Span launch_call(std::string_view call_name, std::string_view op_name, std::int64_t external);
  void bare_call(std::string_view name, std::int64_t duration);
  Span enqueue(int stream, const Span& call, std::int64_t duration);
  std::int64_t device_done() const;

  Costs costs_;
  std::unique_ptr<Recorder> recorder_;
  std::mt19937_64 random_;
  std::int64_t now_ = 0;  ///< of the host thread
  std::map<int, std::int64_t> stream_end_{{compute_stream, 0}, {copy_stream, 0}, {communication_stream, 0}};
  std::deque<std::int64_t> queue_;  ///< starts of what was launched
  Span graph_call_;
  bool in_graph_ = false;
  bool nodes_recorded_ = true;
  bool capturing_ = false;
  std::int64_t captured_ = 0;  ///< launches
  std::int64_t graph_correlation_ = 0;
  std::int64_t collective_correlation_ = 0;
  std::int64_t correlation_ = 0;
  std::int64_t launch_delay_ = 0;
  std::int64_t next_op_ = 1;
  int sequence_ = 0;
};

}  // namespace kdiag::corpus
