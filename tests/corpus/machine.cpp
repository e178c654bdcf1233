// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/machine.hpp"

#include <algorithm>
#include <utility>

namespace kdiag::corpus {
namespace {

constexpr std::int64_t launch_latency = 3'000;     // from the call to the first cycle of the kernel
constexpr std::int64_t stream_gap = 900;           // between two kernels of a stream
constexpr std::size_t launch_queue = 1'000;        // CUDA's limit is 1,024
constexpr std::int64_t instantiated_node = 2'000;  // ns of the host
constexpr double pageable_bytes_per_ns = 5.5;
constexpr double copied_bytes_per_ns = 600;  // within an A100: it reads and writes at 1.2 of 1.55 TB/s

}  // namespace

std::int64_t Machine::jitter(std::int64_t duration) {
  const double part = std::uniform_real_distribution<double>(0.96, 1.04)(random_);
  return static_cast<std::int64_t>(static_cast<double>(duration) * part);
}

std::int64_t Machine::device_done() const {
  std::int64_t done = 0;
  for (const auto& [stream, end] : stream_end_) done = std::max(done, end);
  return done;
}

void Machine::range(std::string_view name, std::int64_t duration) {
  const Span span{now_, jitter(duration)};
  recorder_->annotation(name, span);
  now_ = span.end();
}

void Machine::system_call(std::string_view name, std::int64_t duration) {
  const Span span{now_, jitter(duration)};
  recorder_->os_call(name, span);
  now_ = span.end();
}

void Machine::backward_operation(std::string_view outer, std::string_view name, std::int64_t duration) {
  const std::int64_t external = next_op_++;
  const Span span{now_ + 6'000, jitter(duration)};
  recorder_->op(outer, {now_, span.end() + 2'000 - now_}, external);
  recorder_->op(name, span, next_op_++);
  now_ = span.end() + 2'000;
}

void Machine::python(std::string_view function, std::int64_t duration) {
  const Span span{now_, jitter(duration)};
  recorder_->python(function, span);
  now_ = span.end();
}

void Machine::overhead(std::int64_t duration) {
  const Span span{now_, jitter(duration)};
  recorder_->overhead("Activity Buffer Request", span);
  now_ = span.end();
}

void Machine::operation(std::string_view name, std::int64_t duration) {
  const Span span{now_, jitter(duration)};
  recorder_->op(name, span, next_op_++);
  now_ = span.end();
}

void Machine::call(std::string_view op, std::string_view name, std::int64_t duration) {
  const std::int64_t external = next_op_++;
  const Span span{now_ + 2'000, jitter(duration)};
  recorder_->call(name, span, external, 0);
  recorder_->op(op, {now_, span.end() + 1'000 - now_}, external);
  now_ = span.end() + 1'000;
}

void Machine::allocate(std::int64_t duration) {
  for (const char* name : {"cudaMalloc", "cudaFree"}) {
    const std::int64_t external = next_op_++;
    // Freeing waits for the device, and so does an allocation that has to free first.
    const std::int64_t idle_from = std::max(now_ + 2'000, device_done());
    const Span span{now_ + 2'000, idle_from - now_ - 2'000 + jitter(duration / 2)};
    recorder_->call(name, span, external, 0);
    recorder_->op("aten::empty", {now_, span.end() + 1'000 - now_}, external);
    now_ = span.end() + 1'000;
  }
}

/// An operator that makes one call which puts work on the device; the host is behind the operator afterwards.
Span Machine::launch_call(std::string_view call_name, std::string_view op_name, std::int64_t external) {
  const std::int64_t begin = now_;
  const std::int64_t call_start = begin + jitter(costs_.op) * 2 / 3;
  std::int64_t call_end = call_start + jitter(costs_.launch) + std::exchange(launch_delay_, 0);
  if (queue_.size() >= launch_queue && !capturing_) {
    call_end = std::max(call_end, queue_.front());
    queue_.pop_front();
  }
  const Span call{call_start, call_end - call_start};
  now_ = call.end() + jitter(costs_.op) / 3;
  recorder_->op(op_name, {begin, now_ - begin}, external);
  recorder_->call(call_name, call, external, ++correlation_);
  return call;
}

/// Work of a stream that a call launched, at the earliest moment.
Span Machine::enqueue(int stream, const Span& call, std::int64_t duration) {
  const std::int64_t start = std::max(call.end() + launch_latency, stream_end_[stream] + stream_gap);
  stream_end_[stream] = start + duration;
  queue_.push_back(start);
  return {start, duration};
}

void Machine::kernel(std::string_view op, std::string_view name, std::int64_t duration, Grid grid) {
  const auto slow = jitter(static_cast<std::int64_t>(static_cast<double>(duration) * costs_.slowness));
  if (in_graph_) {
    // Replayed: no call of its own, right behind the one before it.
    const Span span = enqueue(compute_stream, graph_call_, slow);
    if (nodes_recorded_) recorder_->graph_kernel(name, span, compute_stream, graph_correlation_, grid);
    return;
  }
  const Span call = launch_call("cudaLaunchKernel", op, next_op_++);
  if (capturing_) {
    ++captured_;
    return;
  }
  recorder_->kernel(name, enqueue(compute_stream, call, slow), compute_stream, correlation_, grid);
}

void Machine::hold(int stream, std::int64_t duration) {
  stream_end_[stream] = std::max(stream_end_[stream], now_) + jitter(duration);
}

void Machine::begin_graph() {
  graph_call_ = launch_call("cudaGraphLaunch", "aten::graph_replay", next_op_++);
  graph_correlation_ = correlation_;
  in_graph_ = true;
}

/// A call of the runtime outside of any operator, as programs make them.
void Machine::bare_call(std::string_view name, std::int64_t duration) {
  const Span span{now_, jitter(duration)};
  recorder_->call(name, span, 0, 0);
  now_ = span.end();
}

void Machine::begin_capture() {
  bare_call("cudaStreamBeginCapture", 12'000);
  capturing_ = true;
}

void Machine::end_capture() {
  bare_call("cudaStreamEndCapture", 20'000);
  bare_call("cudaGraphInstantiate", 80'000 + std::exchange(captured_, 0) * instantiated_node);
  capturing_ = false;
}

void Machine::wait_for_device(std::string_view call) {
  const std::int64_t done = std::max(now_, device_done());
  const Span span{now_, done + jitter(costs_.sync_latency) - now_};
  recorder_->call(call, span, next_op_ - 1, 0);
  now_ = span.end();
}

void Machine::copy_in(std::string_view op, std::int64_t bytes, bool pageable, int stream) {
  const double rate = pageable ? pageable_bytes_per_ns : costs_.link;
  const auto duration = 1'200 + static_cast<std::int64_t>(static_cast<double>(bytes) / rate);
  if (in_graph_) {
    const Span span = enqueue(stream, graph_call_, jitter(duration));
    if (nodes_recorded_) recorder_->copy("HtoD (Pinned -> Device)", span, stream, graph_correlation_, bytes);
    depend(compute_stream, stream);
    return;
  }
  const Span call = launch_call("cudaMemcpyAsync", op, next_op_++);
  const Span span = enqueue(stream, call, jitter(duration));
  recorder_->copy(pageable ? "HtoD (Pageable -> Device)" : "HtoD (Pinned -> Device)", span, stream, correlation_,
                  bytes);
  // What computes reads it; the driver stages what is pageable, and the host with it.
  depend(compute_stream, stream);
  if (pageable) now_ = std::max(now_, span.end());
}

void Machine::copy_out(std::int64_t bytes) {
  const Span call = launch_call("cudaMemcpyAsync", "aten::copy_", next_op_++);
  const auto duration = 1'200 + static_cast<std::int64_t>(static_cast<double>(bytes) / costs_.link);
  recorder_->copy("DtoH (Device -> Pinned)", enqueue(compute_stream, call, jitter(duration)), compute_stream,
                  correlation_, bytes);
  wait_for_device("cudaStreamSynchronize");
}

void Machine::copy_within(std::int64_t bytes) {
  const Span call = launch_call("cudaMemcpyAsync", "aten::clone", next_op_++);
  const auto duration = 1'200 + static_cast<std::int64_t>(static_cast<double>(bytes) / copied_bytes_per_ns);
  recorder_->copy("DtoD (Device -> Device)", enqueue(compute_stream, call, jitter(duration)), compute_stream,
                  correlation_, bytes);
}

void Machine::copy_to_peer(std::int64_t bytes) {
  const Span call = launch_call("cudaMemcpyAsync", "aten::copy_", next_op_++);
  const auto duration = 2'000 + static_cast<std::int64_t>(static_cast<double>(bytes) / costs_.peer_link);
  recorder_->copy("PtoP (Device -> Device)", enqueue(copy_stream, call, jitter(duration)), copy_stream, correlation_,
                  bytes);
  depend(compute_stream, copy_stream);
}

void Machine::read_back() {
  const std::int64_t outer = next_op_++;
  const std::int64_t inner = next_op_++;
  const std::int64_t begin = now_;
  const Span call{begin + 4'000, 5'000};
  recorder_->call("cudaMemcpyAsync", call, inner, ++correlation_);
  recorder_->copy("DtoH (Device -> Pageable)", enqueue(compute_stream, call, 1'400), compute_stream, correlation_, 4);
  now_ = call.end() + 500;
  wait_for_device("cudaStreamSynchronize");
  now_ += 1'000;
  recorder_->op("aten::_local_scalar_dense", {begin + 2'000, now_ - begin - 2'500}, inner);
  recorder_->op("aten::item", {begin, now_ - begin}, outer);
}

std::int64_t Machine::launch_collective(Exchange kind, bool ahead) {
  constexpr std::string_view names[] = {"c10d::allreduce_", "c10d::_allgather_base_", "c10d::alltoall_base_"};
  const Span call = launch_call("cudaLaunchKernelExC", names[static_cast<int>(kind)], next_op_++);
  collective_correlation_ = correlation_;
  const std::int64_t ready = std::max(call.end() + launch_latency, stream_end_[communication_stream] + stream_gap);
  return ahead ? ready : std::max(ready, stream_end_[compute_stream] + stream_gap);
}

void Machine::run_collective(std::int64_t ready, std::int64_t end, const Collective& collective) {
  recorder_->collective({ready, end - ready}, communication_stream, collective_correlation_, collective, ++sequence_);
  stream_end_[communication_stream] = end;
}

std::int64_t Machine::begin_host_collective() {
  operation("c10d::allreduce_", 60'000);
  return now_;
}

void Machine::end_host_collective(std::int64_t begin, std::int64_t end) {
  recorder_->background("gloo:all_reduce", {begin, end - begin});
  now_ = std::max(now_, end);
}

void Machine::depend(int stream, int other) { stream_end_[stream] = std::max(stream_end_[stream], stream_end_[other]); }

}  // namespace kdiag::corpus
