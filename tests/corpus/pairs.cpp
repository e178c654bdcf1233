// SPDX-License-Identifier: Apache-2.0
#include "tests/corpus/pairs.hpp"

#include <random>

namespace kdiag::corpus {
namespace {

using Seed = std::uint64_t;

class Dice {
 public:
  explicit Dice(Seed seed) : random_(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

 private:
  std::mt19937_64 random_;
};

std::int64_t times(std::int64_t value, double factor) {
  return static_cast<std::int64_t>(static_cast<double>(value) * factor);
}

// Healthy jobs

Job training(Seed seed) {
  Dice dice(seed);
  Workload w;
  w.steps = dice.whole(7, 12);
  w.layers = dice.whole(16, 28);
  w.gemm = times(w.gemm, dice.between(0.8, 1.3));
  w.elementwise = 30'000;
  w.extra = {"aten::_softmax", "void (anonymous namespace)::softmax_warp_forward<float, float, float, 10, false>",
             90'000};
  return {w};
}

/// One whose kernels are so short that the device waits for launches.
Job host_bound(Seed seed) {
  Job job = training(seed);
  Workload& w = std::get<Workload>(job.loop);
  w.gemm = 20'000;
  w.elementwise = 7'000;
  w.extra = {};
  w.costs.op = 24'000;
  job.host = {0.07, 3'500};
  return job;
}

/// The same where nothing is recorded of the processors.
Job unwatched_host(Seed seed) {
  Job job = host_bound(seed);
  job.host = {};
  return job;
}

/// One whose loop does something of its own before each step, in a range with a name.
Job with_range(Seed seed) {
  Job job = training(seed);
  Workload& w = std::get<Workload>(job.loop);
  w.step_range = "tokenize";
  w.step_extra = 200'000;
  return job;
}

Job without_marks(Seed seed) {
  Job job = training(seed);
  std::get<Workload>(job.loop).marks_steps = false;
  return job;
}

Job four_ranks(Seed seed) {
  Job job = training(seed);
  Workload& w = std::get<Workload>(job.loop);
  w.ranks = 4;
  w.all_reduce = 1'500'000;
  return job;
}

Job exposed_ranks(Seed seed) {
  Job job = four_ranks(seed);
  std::get<Workload>(job.loop).overlapped = false;
  return job;
}

Job copying(Seed seed) {
  Job job = training(seed);
  Workload& w = std::get<Workload>(job.loop);
  w.input_bytes = 32 << 20;
  w.copies_per_layer = 1;
  w.copy_bytes = 4 << 20;
  w.copies_pageable = false;
  return job;
}

/// One that waits for data and copies, whose steps nobody marks.
Job unmarked(Seed seed) {
  Job job = copying(seed);
  Workload& w = std::get<Workload>(job.loop);
  w.marks_steps = false;
  w.loader_wait = 8'000'000;
  return job;
}

Job one_collective(Seed seed) {
  Job job = exposed_ranks(seed);
  std::get<Workload>(job.loop).collectives = 1;
  return job;
}

Job sending(Seed seed) {
  Job job = training(seed);
  std::get<Workload>(job.loop).peer_bytes = 32 << 20;
  return job;
}

Job watched(Seed seed) {
  Job job = training(seed);
  job.sm_clocks = {1'410, 1'410};
  return job;
}

Job reading(Seed seed) {
  Job job = training(seed);
  Workload& w = std::get<Workload>(job.loop);
  w.reads_per_step = w.layers;
  return job;
}

Job server(Seed seed) {
  Dice dice(seed);
  Serving s;
  s.steps = dice.whole(32, 48);
  s.layers = dice.whole(24, 40);
  s.kernel = dice.whole(12'000, 18'000);
  return {.loop = s, .host = {0.07, 3'500}};
}

Job traced_server(Seed seed) {
  Dice dice(seed);
  CycleLoop c;
  c.cycles = dice.whole(10, 14);
  c.length *= dice.between(0.8, 1.3);
  c.vllm = seed % 2 == 0;
  return {c};
}

Job traced_parallel_server(Seed seed) {
  Job job = traced_server(seed);
  CycleLoop& c = std::get<CycleLoop>(job.loop);
  c.compute = 250'000;
  c.collectives = 1'200;
  c.nvlink = 4e10;
  c.copies = 400;
  c.copy = 60;
  return job;
}

Job traced_busy_host(Seed seed) {
  Job job = traced_server(seed);
  std::get<CycleLoop>(job.loop).cpu_use = 35;
  return job;
}

Workload& loop_of(Job& job) { return std::get<Workload>(job.loop); }
CycleLoop& cycles_of(Job& job) { return std::get<CycleLoop>(job.loop); }

/// Everything that the host does takes longer.
void slow_host(Job& job, double factor) {
  Costs& costs = loop_of(job).costs;
  costs.op = times(costs.op, factor);
  costs.launch = times(costs.launch, factor);
}

// Changes

struct Recipe {
  Change change;
  Job (*healthy)(Seed);
  void (*alter)(Job&);
};

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = {
      // Noise alone
      {{"noise", {}, {}}, training, [](Job&) {}},
      {{"noise of a host-bound loop", {}, {}}, host_bound, [](Job&) {}},
      {{"noise of four ranks", {}, {}}, exposed_ranks, [](Job&) {}},
      {{"noise of many copies", {}, {}}, copying, [](Job&) {}},
      {{"noise beside nvidia-smi", {}, {}}, watched, [](Job&) {}},
      {{"noise of a server", {}, {}}, server, [](Job&) {}},
      {{"noise of a traced server", {}, {}}, traced_server, [](Job&) {}},
      {{"noise of a traced server on several devices", {}, {}}, traced_parallel_server, [](Job&) {}},

      // Clocks and processors
      {{"the clock of one device falls", {"clock.throttled"}, {}},
       watched,
       [](Job& job) {
         job.sm_clocks = {705, 1'410};
         loop_of(job).costs.slowness = 1.6;
       }},
      {{"the clock of a traced device falls", {"clock.throttled"}, {}},
       traced_server,
       [](Job& job) {
         cycles_of(job).sm_clock = 210;
         cycles_of(job).slowness = 4.2;
       }},
      {{"the processors' clock falls", {"changed.cpu-clock"}, {}},
       host_bound,
       [](Job& job) {
         slow_host(job, 1.7);
         job.host = {0.11, 2'000};
       }},
      {{"the processors' clock falls under a traced server", {"changed.cpu-clock"}, {}},
       traced_server,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.length *= 1.6;
         c.cpu_clock = 2'000;
         c.cpu_use = 12;
       }},
      {{"the clock of busy processors falls, and their use rises with it", {"changed.cpu-clock"}, {}},
       traced_busy_host,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.length *= 1.5;
         c.cpu_clock = 2'100;
         c.cpu_use = 58;
       }},
      {{"another program takes the processors", {"changed.cpu-contention"}, {}},
       host_bound,
       [](Job& job) {
         slow_host(job, 2.2);
         job.host = {0.6, 3'000};
       }},
      {{"the host becomes slower, and nothing is recorded of its processors", {"changed.slower-host"}, {}},
       unwatched_host,
       [](Job& job) { slow_host(job, 2); }},
      {{"one range of the host takes longer", {"changed.slower-host"}, {}},
       with_range,
       [](Job& job) { loop_of(job).step_extra = 40'000'000; }},
      {{"another program takes the processors of a server", {"changed.cpu-contention"}, {}},
       server,
       [](Job& job) {
         std::get<Serving>(job.loop).schedule *= 25;
         job.host = {0.6, 3'000};
       }},
      // Peers are late, and collectives wait for them; the links are as before.
      {{"another program takes the processors of a traced server", {"changed.cpu-contention"}, {}},
       traced_parallel_server,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.length *= 2;
         c.cpu_use = 56;
         c.cpu_clock = 3'090;
         c.on_cpu = 1.9;
         c.collective *= 1.7;
         c.nvlink /= 2;
       }},

      // Links
      {{"copies from the host become slower", {"changed.slow-link"}, {}},
       copying,
       [](Job& job) { loop_of(job).costs.link /= 4; }},
      {{"copies between devices become slower", {"changed.slow-link"}, {}},
       sending,
       [](Job& job) { loop_of(job).costs.peer_link /= 4; }},
      {{"collectives become slower", {"changed.slow-collectives"}, {}},
       exposed_ranks,
       [](Job& job) { loop_of(job).all_reduce *= 3; }},
      {{"other traffic on the links between devices", {"changed.link-contention"}, {"changed.slow-collectives"}},
       traced_parallel_server,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.length *= 1.25;
         c.collective *= 2.5;
         c.nvlink *= 4;
       }},
      {{"collectives of a traced server become slower", {"changed.slow-collectives"}, {}},
       traced_parallel_server,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.length *= 1.25;
         c.collective *= 2.5;
       }},
      {{"other traffic on the link to the host", {"changed.link-contention"}, {"changed.slow-link"}},
       traced_parallel_server,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.length *= 1.2;
         c.copy *= 4;
         c.pcie = 1.2e10;
       }},
      {{"copies of a traced server become slower", {"changed.slow-link"}, {}},
       traced_parallel_server,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.length *= 1.2;
         c.copy *= 4;
       }},

      // Work of the device
      {{"the device as a whole becomes slower", {"changed.slower-device"}, {}},
       training,
       [](Job& job) { loop_of(job).costs.slowness *= 1.6; }},
      {{"one kernel becomes slower", {"changed.slower-kernel"}, {}},
       training,
       [](Job& job) { loop_of(job).extra.dur *= 3; }},
      {{"one kernel of a traced server becomes slower", {"changed.slower-kernel"}, {}},
       traced_parallel_server,
       [](Job& job) {
         cycles_of(job).attention = 4;
         cycles_of(job).length *= 1.1;
       }},
      {{"another kernel is chosen", {"changed.other-kernels"}, {}},
       training,
       [](Job& job) {
         loop_of(job).gemm_name =
             "void cutlass::Kernel2<cutlass_80_wmma_tensorop_bf16_s161616gemm_bf16_32x32_128x2_tn_align8>";
         loop_of(job).gemm_grid.blocks *= 2;
         loop_of(job).gemm *= 2;
       }},
      {{"a kernel is launched in few threads", {"changed.launch-shape"}, {}},
       training,
       [](Job& job) {
         loop_of(job).gemm_grid.blocks /= 12;
         loop_of(job).gemm *= 2;
       }},
      {{"more calls", {"changed.more-kernels"}, {}}, training, [](Job& job) { loop_of(job).elementwise_run = 8; }},
      {{"more calls in steps that nobody marks", {"changed.more-kernels"}, {}},
       without_marks,
       [](Job& job) { loop_of(job).elementwise_run = 8; }},
      {{"more copies", {"changed.more-copies"}, {}},
       training,
       [](Job& job) {
         loop_of(job).copies_per_layer = 1;
         loop_of(job).copies_pageable = false;
       }},

      // What is waited for
      {{"communication is not hidden any more", {"changed.lost-overlap"}, {}},
       four_ranks,
       [](Job& job) { loop_of(job).overlapped = false; }},
      {{"data comes later", {"changed.data-loading"}, {}},
       training,
       [](Job& job) { loop_of(job).loader_wait = 40'000'000; }},
      {{"one rank becomes slow", {"changed.slow-rank"}, {}},
       exposed_ranks,
       [](Job& job) { loop_of(job).slow_rank = 1.4; }},
      {{"one rank becomes slow before the one collective of a step", {"changed.slow-rank"}, {}},
       one_collective,
       [](Job& job) { loop_of(job).slow_rank = 1.4; }},
      {{"reading a value back becomes dearer", {"changed.sync-cost"}, {}},
       reading,
       [](Job& job) { loop_of(job).costs.sync_latency = 400'000; }},

      // Look-alikes
      {{"a device beside it goes idle", {}, {}},
       watched,
       [](Job& job) {
         job.sm_clocks = {1'410, 210};
       }},
      {{"one rank has less to do", {}, {}}, exposed_ranks, [](Job& job) { loop_of(job).slow_rank = 0.5; }},
      {{"more steps", {}, {}}, training, [](Job& job) { loop_of(job).steps *= 2; }},
      {{"a recording twice as long, without marks of steps", {}, {}},
       unmarked,
       [](Job& job) { loop_of(job).steps *= 2; }},
      {{"more layers", {}, {"changed.more-kernels"}},
       training,
       [](Job& job) { loop_of(job).layers = loop_of(job).layers * 3 / 2; }},
      {{"a larger batch", {}, {"changed.launch-shape", "changed.more-copies"}},
       training,
       [](Job& job) {
         Workload& w = loop_of(job);
         w.gemm *= 2;
         w.gemm_grid.blocks *= 2;
         w.input_bytes *= 2;
       }},
      {{"everything becomes faster", {}, {}}, training, [](Job& job) { loop_of(job).costs.slowness = 0.7; }},
      {{"a profiler that costs more", {}, {}}, host_bound, [](Job& job) { slow_host(job, 1.25); }},
      {{"a host that sleeps more", {}, {}},
       traced_server,
       [](Job& job) {
         cycles_of(job).cpu_use = 3;
         cycles_of(job).cpu_clock = 3'150;
       }},
      {{"a larger batch on several devices", {}, {}},
       traced_parallel_server,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.compute *= 1.5;
         c.collective *= 1.5;
         c.copy *= 1.5;
         c.nvlink *= 1.2;
         c.length *= 1.4;
       }},
      // Sizes of messages are not recorded: that they are larger cannot be told from links that others use.
      {{"a larger batch that sends more in as many messages",
        {},
        {"changed.link-contention", "changed.slow-collectives"}},
       traced_parallel_server,
       [](Job& job) {
         CycleLoop& c = cycles_of(job);
         c.compute *= 1.06;
         c.collective *= 1.57;
         c.nvlink *= 3;
         c.length *= 1.1;
       }},
      {{"a server that has less to send", {}, {}},
       traced_parallel_server,
       [](Job& job) { cycles_of(job).nvlink /= 3; }},
  };
  return all;
}

/// What differs between two healthy runs of one job: hosts wander by some percent, devices by less than one.
void drift(Job& job, Dice dice) {
  if (Workload* w = std::get_if<Workload>(&job.loop)) {
    w->costs.op = times(w->costs.op, dice.between(0.98, 1.02));
    w->costs.slowness *= dice.between(0.996, 1.004);
    w->costs.sync_latency = times(w->costs.sync_latency, dice.between(0.9, 1.1));
    w->costs.link *= dice.between(0.97, 1.03);
    w->costs.peer_link *= dice.between(0.97, 1.03);
    w->loader_wait = times(w->loader_wait, dice.between(0.9, 1.1));
    w->all_reduce = times(w->all_reduce, dice.between(0.95, 1.05));
  } else if (CycleLoop* c = std::get_if<CycleLoop>(&job.loop)) {
    c->length *= dice.between(0.98, 1.02);
    c->compute *= dice.between(0.99, 1.01);
    c->collective *= dice.between(0.95, 1.05);
    c->copy *= dice.between(0.95, 1.05);
    c->pcie *= dice.between(0.8, 1.2);
    c->nvlink *= dice.between(0.9, 1.1);
    c->cpu_use *= dice.between(0.9, 1.1);
  }
  job.host.use *= dice.between(0.9, 1.1);
}

}  // namespace

std::vector<TraceFile> Job::play(std::uint64_t seed) const {
  std::vector<TraceFile> files = std::visit([seed](const auto& it) { return simulate(it, seed); }, loop);
  if (host.clock > 0) files.push_back(host_log(host));
  if (!sm_clocks.empty()) files.push_back(device_log(sm_clocks));
  return files;
}

std::vector<Pair> pairs(std::uint64_t seed) {
  std::vector<Pair> out;
  for (const Recipe& recipe : recipes()) {
    Pair pair{&recipe.change, recipe.healthy(seed), recipe.healthy(seed)};
    recipe.alter(pair.abnormal);
    drift(pair.abnormal, Dice(seed + 77));
    out.push_back(std::move(pair));
  }
  return out;
}

}  // namespace kdiag::corpus
