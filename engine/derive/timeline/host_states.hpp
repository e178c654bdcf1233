// SPDX-License-Identifier: Apache-2.0
// What a host thread is doing at each instant, as far as it can keep a device waiting.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/intervals.hpp"
#include "engine/derive/rows/row_groups.hpp"
#include "engine/derive/timeline/call_nature.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag {

enum class IdleCause : std::uint8_t { host_sync, data_loading, runtime, launch, communication, no_work, unknown };
inline constexpr std::size_t idle_causes = 7;
/// "host_sync", ...; the word of `idle.cause` and of the ledger's lines.
std::string_view name_of(IdleCause cause);

/// A span in which a thread is in one state. `call` is the blocking or runtime call behind it, or absent_index.
struct HostState {
  Interval span;
  IdleCause cause = IdleCause::unknown;
  std::uint32_t call = absent_index;
};

/// The states of a thread. Each list is sorted and disjoint; where both hold, `inside` counts.
struct ThreadStates {
  std::vector<HostState> inside;  ///< a call or range
  std::vector<HostState>
      after;  ///< of a blocking call, until the thread begins its next operator, call or data loading
};

/// The states of threads, built on demand: docs/time.md, "Why a device was idle". Between them the thread runs
/// operators, launch calls or Python, which is IdleCause::launch. Where several hold, the first of:
///  1. runtime: inside a call that allocates, releases, loads code or otherwise does neither launch nor only ask;
///     allocation counts here even where it synchronises;
///  2. host_sync: inside a blocking call;
///  3. data_loading, 4. communication: inside such an annotation;
///  5. host_sync: after a blocking call.
class HostStates {
 public:
  explicit HostStates(const FactStore& store);

  /// The states of a thread (row of `threads`). Valid as long as this object.
  const ThreadStates& of(std::uint32_t thread);

 private:
  ThreadStates build(std::uint32_t thread);

  const FactStore& store_;
  RowGroups calls_, operators_, annotations_;
  CallNatures natures_;
  std::vector<ThreadStates> states_;
  std::vector<bool> built_;
};

}  // namespace kdiag
