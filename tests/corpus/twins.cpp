// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/faults.hpp"

namespace kdiag::corpus {
namespace {

/// A recording of some steps of many, to which the host has come a thousand launches ahead of the device.
void fill_queue(Workload& w) {
  w.steps = 30;
  w.recorded_from = 60'000'000;  // the queue is full after 20
}

void late_in_turn(Workload& w) {
  w.ranks = 4;
  w.all_reduce = 300'000;
  w.numbers_collectives = false;
  w.late_host = 50'000'000;
  w.late_in_turn = true;
}

const std::vector<Fault>& table() {
  static const std::vector<Fault> all = {
      // Of what each step pays: the first step loads the code of each kernel and allocates, and none after it does.
      {"a recording that holds the first step",
       [](Workload& w) {
         w.steps = 12;
         w.loading = 400'000;
       },
       {},
       {"launch.first-launch"},
       {"memory.churn", "launch.tiny-kernels", "step.bimodal", "step.phase-change", "host.sync-stall"}},

      // Of calls, ranges and collections that take long: the device has enough to do meanwhile.
      {"a call that takes long in every step while the device works",
       [](Workload& w) {
         w.step_call = "cudaStreamCreateWithFlags";
         w.step_extra = 4'000'000;
       },
       {},
       {},
       {"launch.slow-calls", "host.bound"}},
      {"garbage collected in every step while the device works",
       [](Workload& w) {
         w.step_range = "gc.collect";
         w.step_extra = 4'000'000;
       },
       {},
       {},
       {"host.bound"}},

      // Of copies: labels are small, and what is pinned is copied beside the kernels.
      {"a small input from pageable memory",
       [](Workload& w) {
         w.pageable = true;
         w.input_bytes = 64 << 10;
       },
       {},
       {},
       {"copy.pageable", "copy.exposed", "host.sync-copy"}},
      {"a large input that is copied beside the kernels",
       [](Workload& w) { w.input_bytes = 48 << 20; },
       {},
       {},
       {"copy.exposed", "copy.pageable", "copy.slow"}},

      // Of captures: one that costs next to nothing, and one behind which the device works.
      {"a server that captures one graph in the recording",
       [](Serving& s) { s.captured_sizes = 1; },
       {},
       {},
       {"launch.graph-capture", "trace.hidden-graph-kernels", "launch.queue-delay"}},
      {"a loop that captures a graph while the device works",
       [](Workload& w) {
         w.graph = true;
         w.gemm = 40'000;
         w.captured_layers = 24;
       },
       {},
       {},
       {"launch.graph-capture", "trace.hidden-graph-kernels", "launch.queue-delay"}},

      // Of graphs recorded in part: one that was running when the recording began, and one whose kernels wait for
      // copies within it.
      {"a recording that begins within a graph",
       [](Serving& s) { s.recorded_from = 2'000'000; },
       {},
       {},
       {"trace.hidden-graph-kernels"}},
      {"graphs that copy weights from the host",
       [](Serving& s) { s.offloaded = 8 << 20; },
       {},
       {"copy.exposed", "copy.repeated", "gpu.low-utilization"},
       {"trace.hidden-graph-kernels"}},

      // Of small grids: the rest of the device gathers the weights of the next layer.
      {"a device that products and communication share",
       [](Workload& w) {
         divide_device(w);
         w.ranks = 4;
         w.gathered = 0.95;
         w.collective_blocks = 20;
       },
       {},
       {},
       {"kernel.small-grid"}},

      // Of operators that compute on the host: they wait for a queue that is full, and the device is not recorded.
      {"operators that wait for a full queue, of which the launches are recorded",
       [](Workload& w) {
         fill_queue(w);
         w.records_device = false;
       },
       {},
       {"trace.no-device-work"},
       {"cpu.operators", "launch.slow-calls"}},
      {"operators that wait for a full queue, of which nothing else is recorded",
       [](Workload& w) {
         fill_queue(w);
         w.records_device = false;
         w.records_calls = false;
       },
       {},
       {"trace.no-device-work"},
       {"cpu.operators"}},
      {"a training that is meant for a host and takes its time for the input",
       [](Workload& w) {
         w.host_slowness = 40;
         w.lists_board = false;
         w.loader_wait = 10'000'000;
       },
       {},
       {"cpu.operators"},
       {"input.starved-host", "trace.no-device-work", "host.unrecorded-gap"}},

      // Of system calls: the device has enough to do meanwhile, and only other threads sit in them for long.
      {"a host that waits in the system while the device works",
       [](Workload& w) {
         w.tool = Tool::nsys;
         w.step_system_call = "poll";
         w.step_extra = 4'000'000;
       },
       {},
       {},
       {"host.bound", "input.starved", "host.unrecorded-gap"}},
      {"a loop that Nsight Systems records", [](Workload& w) { w.tool = Tool::nsys; }, {}, {}, {"host.bound"}},

      // Of a late rank: all are as late, one after another; hosts that were far enough ahead, so that no device waits
      // for any; and clocks that differ.
      {"ranks that come late in turn",
       [](Workload& w) {
         w.steps = 12;
         w.zeroed_gradients = 1;  // behind a value that is read: no host is ahead of its device
         late_in_turn(w);
       },
       {},
       {"comm.exposed", "host.bound", "fleet.late-rank", "fleet.uneven-work"},
       {"comm.straggler", "fleet.slow-rank", "comm.slow-rank"}},
      {"ranks that come late in turn, whose collectives have numbers and sizes",
       [](Workload& w) {
         w.steps = 12;
         w.zeroed_gradients = 1;
         late_in_turn(w);
         w.numbers_collectives = true;
       },
       {},
       {"comm.exposed", "host.bound", "fleet.late-rank", "fleet.uneven-work"},
       {"comm.straggler", "comm.outlier", "fleet.slow-rank", "comm.slow-rank"}},
      {"a rank that has less to do",
       [](Workload& w) {
         w.ranks = 4;
         w.all_reduce = 300'000;
         w.slow_rank = 0.6;
       },
       {},
       {"comm.slow-rank", "comm.exposed"},
       {"comm.straggler", "fleet.slow-rank", "fleet.late-rank"}},
      {"ranks that pause in turn while their devices work",
       [](Workload& w) {
         late_in_turn(w);
         w.late_host = 15'000'000;
       },
       {},
       {},
       {"comm.straggler", "fleet.slow-rank", "comm.slow-rank", "fleet.late-rank", "comm.exposed"}},
      {"ranks whose clocks differ, and whose collectives have no numbers",
       [](Workload& w) {
         w.ranks = 4;
         w.all_reduce = 300'000;
         w.numbers_collectives = false;
         w.clock_error = {.offset = 3'000'000, .drift = 20e-6};
       },
       {},
       {},
       {"comm.straggler", "fleet.slow-rank", "fleet.late-rank", "comm.slow-rank"}},
  };
  return all;
}

}  // namespace

std::span<const Fault> twins() { return table(); }

}  // namespace kdiag::corpus
