// SPDX-License-Identifier: Apache-2.0
#include "tests/support/simulated_fleet.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

namespace kdiag::tests {
namespace {

constexpr double ms = 1e6;  // ns
constexpr double layer_work = 6 * ms, loading = 1 * ms, launching = 0.5 * ms;
constexpr double tensor_transfer = 0.4 * ms, stage_transfer = 0.3 * ms, replica_transfer = 5 * ms;

struct Comm {
  const char* op;
  std::string group;
  std::int64_t seq, bytes;  ///< seq -1: none
  std::size_t size;
  double start, end;
  std::int64_t peer = -1;
};

/// What a rank did in a step.
struct Deeds {
  double start = 0, end = 0, kernels = 0, input = 0, host = 0;
};

struct Rank {
  double now = 0;
  std::vector<Comm> comms;
  std::vector<Deeds> steps;
};

class Job {
 public:
  Job(const FleetShape& shape, FleetFault fault, std::uint64_t seed)
      : shape_(shape), fault_(fault), random_(seed), ranks_(shape.ranks()) {
    made_.rank = pick(shape.ranks());
    made_.other = static_cast<std::uint32_t>((made_.rank + shape.ranks() / 2) % shape.ranks());
    made_.stage = static_cast<std::int64_t>(pick(shape.stages));
    made_.step = static_cast<std::int64_t>(1 + pick(shape.steps - 2));
    link_ = {pick(shape.stages), pick(shape.tensor)};
    if (fault == FleetFault::slow_host) made_.host = host_of(made_.rank);
    if (fault == FleetFault::slow_link) made_.group = replica_group(link_.first, link_.second);
    if (fault == FleetFault::slow_path) {
      const std::size_t replica = pick(shape.replicas), stage = 1 + pick(shape.stages - 1), place = pick(shape.tensor);
      made_.rank = static_cast<std::uint32_t>(rank_of(replica, stage - 1, place));
      made_.other = static_cast<std::uint32_t>(rank_of(replica, stage, place));
      made_.group = pipeline_group(replica, place);
    }
    severity_ = std::uniform_real_distribution<double>(0.15, 0.4)(random_);
    for (std::size_t step = 0; step < shape.steps; ++step)
      if (pick(6) == 0 || step + 1 == shape.steps) late_.push_back(step);
  }

  SimulatedFleet run() {
    for (std::size_t step = 0; step < shape_.steps; ++step) run_step(step);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      const bool at_fault = rank == made_.rank;
      if (at_fault && fault_ == FleetFault::missing_rank) continue;
      if (at_fault && fault_ == FleetFault::restarted_rank) {
        const auto step = static_cast<std::size_t>(made_.step);
        made_.summaries.push_back(summary(rank, 0, step));
        made_.summaries.push_back(summary(rank, step, shape_.steps));
      } else {
        made_.summaries.push_back(summary(rank, 0, shape_.steps));
      }
    }
    return std::move(made_);
  }

 private:
  std::uint32_t pick(std::size_t below) {
    return static_cast<std::uint32_t>(std::uniform_int_distribution<std::size_t>(0, below - 1)(random_));
  }
  double noisy(double value) { return value * (1 + std::normal_distribution<double>(0, 0.01)(random_)); }
  std::size_t rank_of(std::size_t replica, std::size_t stage, std::size_t place) const {
    return (replica * shape_.stages + stage) * shape_.tensor + place;
  }
  bool is_slow(std::size_t rank) const {
    return (rank == made_.rank && (fault_ == FleetFault::slow_device || fault_ == FleetFault::slow_devices)) ||
           (rank == made_.other && fault_ == FleetFault::slow_devices) ||
           (fault_ == FleetFault::two_speeds && (made_.rank % 2 == 0 ? rank % 2 == 0 : rank % 3 != 0));
  }
  std::size_t stage_of(std::size_t rank) const { return rank / shape_.tensor % shape_.stages; }
  static std::string host_of(std::size_t rank) { return "node" + std::to_string(rank / 8); }
  static std::string replica_group(std::size_t stage, std::size_t place) {
    return "dp_s" + std::to_string(stage) + "_t" + std::to_string(place);
  }

  static std::string pipeline_group(std::size_t replica, std::size_t place) {
    return "pp_r" + std::to_string(replica) + "_t" + std::to_string(place);
  }

  /// Local work of a rank in one layer.
  void work(std::size_t rank, std::size_t step, double amount) {
    double kernels = noisy(layer_work) * amount, host = noisy(launching);
    if (is_slow(rank)) kernels *= 1 + severity_;
    if (fault_ == FleetFault::slow_host && host_of(rank) == made_.host) host += severity_ * layer_work;
    if (fault_ == FleetFault::uneven_stages && static_cast<std::int64_t>(stage_of(rank)) == made_.stage)
      kernels *= 1 + severity_;
    if (fault_ == FleetFault::bad_step && static_cast<std::int64_t>(step) == made_.step) kernels *= 2;
    Rank& self = ranks_[rank];
    self.now += kernels + host;
    self.steps.back().kernels += kernels;
    self.steps.back().host += host;
  }

  void meet(const std::vector<std::size_t>& members, const char* op, const std::string& group, std::int64_t seq,
            std::int64_t bytes, double transfer) {
    double end = 0;
    for (const std::size_t rank : members) end = std::max(end, ranks_[rank].now);
    end += noisy(transfer);
    for (const std::size_t rank : members) {
      ranks_[rank].comms.push_back({op, group, seq, bytes, members.size(), ranks_[rank].now, end});
      ranks_[rank].now = end;
    }
  }

  void run_step(std::size_t step) {
    std::vector<double> amounts(ranks_.size(), 1);
    for (std::size_t replica = 0; replica < shape_.replicas; ++replica) {
      double amount = 1;
      if (fault_ == FleetFault::uneven_batches) amount = std::lognormal_distribution<double>(0, severity_)(random_);
      for (std::size_t i = 0; i < shape_.stages * shape_.tensor; ++i)
        amounts[replica * shape_.stages * shape_.tensor + i] = amount;
    }
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      Rank& self = ranks_[rank];
      self.steps.emplace_back();
      self.steps.back().start = self.now;
      double input = noisy(loading);
      const bool late = std::find(late_.begin(), late_.end(), step) != late_.end();
      if (fault_ == FleetFault::late_loader && rank == made_.rank && late) input += 10 * severity_ * layer_work;
      self.steps.back().input = input;
      self.now += input;
    }
    for (std::size_t replica = 0; replica < shape_.replicas; ++replica)
      for (std::size_t stage = 0; stage < shape_.stages; ++stage) run_stage(step, replica, stage, amounts);
    for (std::size_t stage = 0; stage < shape_.stages; ++stage)
      for (std::size_t place = 0; place < shape_.tensor; ++place) {
        std::vector<std::size_t> members;
        for (std::size_t replica = 0; replica < shape_.replicas; ++replica)
          members.push_back(rank_of(replica, stage, place));
        const bool slow = fault_ == FleetFault::slow_link && link_ == std::pair(stage, place);
        meet(members, "all_reduce", replica_group(stage, place), static_cast<std::int64_t>(step), 1 << 28,
             replica_transfer * (slow ? 2 + 5 * severity_ : 1));
      }
    for (Rank& rank : ranks_) rank.steps.back().end = rank.now;
  }

  /// What the stage before hands on. All stages of a pipeline are one group.
  void send(std::size_t replica, std::size_t stage, std::size_t place) {
    const std::size_t from = rank_of(replica, stage - 1, place), to = rank_of(replica, stage, place);
    const bool slow = fault_ == FleetFault::slow_path && to == made_.other;
    const double end =
        std::max(ranks_[from].now, ranks_[to].now) + noisy(stage_transfer * (slow ? 10 + 20 * severity_ : 1));
    const auto call = [&](std::size_t rank, const char* op, std::size_t peer) {
      ranks_[rank].comms.push_back({op, pipeline_group(replica, place), -1, 1 << 22, shape_.stages, ranks_[rank].now,
                                    end, static_cast<std::int64_t>(peer)});
      ranks_[rank].now = end;
    };
    call(from, "send", to);
    call(to, "recv", from);
  }

  void run_stage(std::size_t step, std::size_t replica, std::size_t stage, const std::vector<double>& amounts) {
    std::vector<std::size_t> members;
    for (std::size_t place = 0; place < shape_.tensor; ++place) members.push_back(rank_of(replica, stage, place));
    const std::string name = std::to_string(replica) + "_s" + std::to_string(stage);
    if (stage > 0)
      for (std::size_t place = 0; place < shape_.tensor; ++place) send(replica, stage, place);
    for (std::size_t layer = 0; layer < shape_.layers; ++layer) {
      for (const std::size_t rank : members) work(rank, step, amounts[rank]);
      if (members.size() > 1)
        meet(members, "all_reduce", "tp_r" + name, static_cast<std::int64_t>(step * shape_.layers + layer), 1 << 24,
             tensor_transfer);
    }
  }

  // --- What a rank's recorder says of it ------------------------------------------------------------------------

  /// Of the steps from `first` up to before `end`.
  std::string summary(std::size_t number, std::size_t first, std::size_t end) {
    const double offset = std::uniform_real_distribution<double>(0, 5 * ms)(random_) + 1e9;
    const double rate = 1 + std::uniform_real_distribution<double>(-50e-6, 50e-6)(random_);
    const auto clock = [&](double time) { return std::to_string(std::llround(offset + time * rate)); };
    const auto length = [&](double from, double to) {
      return std::to_string(std::llround(offset + to * rate) - std::llround(offset + from * rate));
    };
    const auto ns = [](double time) { return std::to_string(std::llround(time)); };
    const Rank& rank = ranks_[number];
    const std::string id = std::to_string(number);
    std::string out = R"({"schema": "kdiag.facts/1", "writer": "simulation"})"
                      "\n";
    out += R"({"run": {"label": "job", "clock": "unix", "rank": )" + id + R"(, "world_size": )" +
           std::to_string(ranks_.size()) + R"(, "host": ")" + host_of(number) + "\"}}\n";
    out += R"({"table": "ranks", "columns": ["id", "stage"], "rows": [[)" + id + ", " +
           (shape_.stages > 1 ? std::to_string(stage_of(number)) : "null") + "]]}\n";
    out += R"({"table": "devices", "columns": ["id", "rank", "name", "sm_clock_avg"], "rows": [[0, 0, "H100", )" +
           std::string(is_slow(number) ? "1400000000" : "1700000000") + "]]}\n";
    out += R"({"table": "steps", "columns": ["index", "start", "dur", "rank"], "rows": [)";
    for (std::size_t step = first; step < end; ++step)
      out += (step > first ? ",[" : "[") + std::to_string(step) + "," + clock(rank.steps[step].start) + "," +
             length(rank.steps[step].start, rank.steps[step].end) + ",0]";
    out +=
        "]}\n"
        R"({"table": "comms", "columns": ["op", "group", "seq", "rank", "bytes", "group_size", "start", "dur", "device", "peer"], "rows": [)";
    const char* before = "[\"";
    for (const Comm& comm : rank.comms) {
      if (comm.start < rank.steps[first].start || comm.start >= rank.steps[end - 1].end) continue;
      out += std::exchange(before, ",[\"") + std::string(comm.op) + "\",\"" + comm.group + "\"," +
             (comm.seq < 0 ? "null" : std::to_string(comm.seq)) + ",0," + std::to_string(comm.bytes) + "," +
             (shape_.sized ? std::to_string(comm.size) : "null") + "," + clock(comm.start) + "," +
             length(comm.start, comm.end) + ",0," + (comm.peer < 0 ? "null" : std::to_string(comm.peer)) + "]";
    }
    out +=
        "]}\n"
        R"({"table": "activities", "columns": ["step", "device", "kind", "name", "count", "dur"], "rows": [)";
    for (std::size_t step = first; step < end; ++step) {
      const std::string at = std::to_string(step - first);
      out += (step > first ? ",[" : "[") + at + R"(,0,"kernel","gemm",40,)" + ns(rank.steps[step].kernels) + "],[" +
             at + R"(,0,"idle","input",1,)" + ns(rank.steps[step].input) + "],[" + at + R"(,0,"idle","host_work",9,)" +
             ns(rank.steps[step].host) + "]";
    }
    return out + "]}\n";
  }

  FleetShape shape_;
  FleetFault fault_;
  std::mt19937_64 random_;
  std::vector<Rank> ranks_;
  std::vector<std::size_t> late_;  ///< steps in which the loader of late_loader is
  std::pair<std::size_t, std::size_t> link_;
  double severity_ = 0;
  SimulatedFleet made_;
};

}  // namespace

SimulatedFleet simulate_fleet(const FleetShape& shape, FleetFault fault, std::uint64_t seed) {
  return Job(shape, fault, seed).run();
}

}  // namespace kdiag::tests
