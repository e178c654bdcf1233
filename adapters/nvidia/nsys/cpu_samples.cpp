// SPDX-License-Identifier: Apache-2.0
// Where threads were when the profiler looked: COMPOSITE_EVENTS and SAMPLING_CALLCHAINS, of --sample=process-tree.
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "adapters/nvidia/nsys/tables.hpp"

namespace kdiag::adapters::nsys {
namespace {

constexpr std::string_view sample_table = "COMPOSITE_EVENTS";

/// A function of a call stack that has a name.
struct Function {
  bool of_library = true;
  std::int64_t depth = 0;  ///< callees between it and the instruction
  std::int64_t name = -1;

  /// Whether it says more of what the program did than another one: its own code before that of libraries, and what is
  /// nearer to the instruction.
  bool tells_more_than(const Function& other) const {
    return std::tie(of_library, depth) < std::tie(other.of_library, other.depth);
  }
};

/// Libraries and the kernel, as modules are called: "/usr/lib/libcuda.so.525", "[vdso]", "[kernel.kallsyms]".
bool is_library(std::string_view module) {
  return module.starts_with('[') || module.find(".so.") != module.npos || module.ends_with(".so");
}

/// The most telling function of each call stack, by the sample's number.
std::unordered_map<std::int64_t, Function> read_functions(Session& session) {
  std::unordered_map<std::int64_t, Function> best;
  enum Place : int { id, symbol, module, depth, unresolved };
  Query rows = session.database.select("SAMPLING_CALLCHAINS", {"id", "symbol", "module", "stackDepth", "unresolved"});
  while (rows.next() && !session.sink.cancelled()) {
    const auto sample = rows.integer(id);
    const auto name = rows.integer(symbol);
    if (!sample || !name || rows.integer(unresolved).value_or(0) != 0) continue;
    if (session.strings(*name).starts_with("0x")) continue;  // an address
    const Function found{is_library(session.strings(rows.integer(module).value_or(-1))),
                         rows.integer(depth).value_or(0), *name};
    const auto [known, added] = best.try_emplace(*sample, found);
    if (added) session.sink.keeps(1, sizeof(*known));
    else if (found.tells_more_than(known->second)) known->second = found;
  }
  return best;
}

}  // namespace

void read_cpu_samples(Session& session) {
  if (!session.database.has(sample_table)) return;
  const std::unordered_map<std::int64_t, Function> functions = read_functions(session);
  enum Place : int { id, start, global_tid };
  Query rows = session.database.select(sample_table, {"id", "start", "globalTid"});
  bool any = false;
  while (rows.next() && session.begin_row()) {
    const auto time = session.times(rows.integer(start), {}).start;
    const auto thread = rows.integer(global_tid);
    if (!time || !thread) continue;
    any = true;
    Batch& batch = session.batch;
    const Row row = batch.add(table("cpu_samples"));
    batch.set(row, column("cpu_samples.time"), *time);
    batch.set(row, column("cpu_samples.thread"), session.thread(*thread));
    const auto function = functions.find(rows.integer(id).value_or(-1));
    if (function == functions.end()) continue;
    if (const std::string_view name = session.strings(function->second.name); !name.empty())
      batch.set(row, column("cpu_samples.function"), name);
  }
  if (any) session.batch.declare(table("cpu_samples"));
}

}  // namespace kdiag::adapters::nsys
