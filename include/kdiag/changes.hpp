// SPDX-License-Identifier: Apache-2.0
// What differs between two runs: the words of `changes.kind`, `changes.basis` and `changes.present`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace kdiag {

/// What a row of `changes` is about. The first group counts what there is of a name in both runs; launches, transfers
/// and collectives compare like with like: the same work, and what each of it takes.
enum class ChangeRowKind : std::uint8_t {
  part,
  idle,
  kernel,
  copy,
  op,
  call,
  range,
  launch,
  transfer,
  collective,
  counter,
  device,
  host,
};

/// How a row was found in both runs.
enum class ChangeBasis : std::uint8_t { none, name, family, launch, size, cycle, report };

/// Which of the runs has it.
enum class ChangePresent : std::uint8_t { unknown, both, now, before };

struct ChangeRowKindInfo {
  ChangeRowKind kind;
  std::string_view name;
  std::string_view doc;
};

/// By ChangeRowKind, in its order.
inline constexpr ChangeRowKindInfo catalogue_change_kinds[] = {
    {ChangeRowKind::part, "part", "A line of the time ledger of a device: compute, communication, idle.host_sync."},
    {ChangeRowKind::idle, "idle", "Idle time of a device by blame (the class) and culprit (the name)."},
    {ChangeRowKind::kernel, "kernel", "A kernel by name: executions and their time; else a function by cycle."},
    {ChangeRowKind::copy, "copy",
     "Copies by kind and memories, with the direction as the class; else a function by cycle."},
    {ChangeRowKind::op, "op", "An operator by name; times are inclusive."},
    {ChangeRowKind::call, "call", "A runtime call by name."},
    {ChangeRowKind::range, "range", "A named range of the program on the host; times are inclusive."},
    {ChangeRowKind::launch, "launch",
     "A kernel other than collectives, launched with the same grid and blocks. By the same name where launches are not "
     "recorded, else a function by cycle, else by its share in a report."},
    {ChangeRowKind::transfer, "transfer",
     "Copies of one direction of 64 KiB and more. By kind where no sizes are recorded, else a function by cycle, else "
     "by "
     "its share in a report."},
    {ChangeRowKind::collective, "collective",
     "A collective of one operation and size. By the name of its kernel where sizes are not recorded, else a function "
     "by "
     "cycle, else by its share in a report."},
    {ChangeRowKind::counter, "counter", "The mean of a counter series (its name), or of a metric of a report."},
    {ChangeRowKind::device, "device", "All launches of a device that are alike in both runs, together."},
    {ChangeRowKind::host, "host", "All operators of a rank, else its launch calls, together (the name says which)."},
};

inline constexpr std::string_view catalogue_change_bases[] = {"",     "name",  "family", "launch",
                                                              "size", "cycle", "report"};
inline constexpr std::string_view catalogue_change_presence[] = {"", "both", "now", "before"};

constexpr std::string_view name_of(ChangeRowKind kind) {
  return catalogue_change_kinds[static_cast<std::size_t>(kind)].name;
}
constexpr std::string_view name_of(ChangeBasis basis) {
  return catalogue_change_bases[static_cast<std::size_t>(basis)];
}
constexpr std::string_view name_of(ChangePresent present) {
  return catalogue_change_presence[static_cast<std::size_t>(present)];
}

namespace catalogue_detail {
constexpr bool change_kinds_in_order() {
  for (std::size_t i = 0; i < std::size(catalogue_change_kinds); ++i)
    if (static_cast<std::size_t>(catalogue_change_kinds[i].kind) != i) return false;
  return true;
}
static_assert(change_kinds_in_order(), "a row of catalogue_change_kinds for each ChangeRowKind, in the same order");
}  // namespace catalogue_detail

}  // namespace kdiag
