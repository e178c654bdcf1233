// SPDX-License-Identifier: Apache-2.0
// What the calls of an RPD file put on devices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/io/sqlite.hpp"

namespace kdiag::adapters::rpd {

using amd::Number;

/// Which interface the tracer got its records from. They fill the same tables differently.
enum class Source : std::uint8_t { unknown, roctracer, rocprofiler, cupti };

struct KernelLaunch {
  std::int64_t call = 0;
  std::array<Number, 3> grid, threads;
  Number shared_memory;
};

struct CopyRequest {
  std::int64_t call = 0;
  Number bytes, kind, source, destination;
};

/// Calls by their number, what each asked for, and which device work is whose.
class Launches {
 public:
  explicit Launches(const Database& database);

  /// States that a call gives its grid in work-items, whatever the source does: hipExtModuleLaunchKernel.
  void add_in_work_items(std::int64_t call) { in_work_items_.push_back(call); }
  /// Call it when all calls are known.
  void finish(Source source);

  /// The call behind a record of device work.
  Number call_of(std::int64_t work) const;
  const KernelLaunch* kernel(Number call) const;
  /// What a call asked to copy; nothing when it put more than one thing on devices, as sizes are those of calls.
  const CopyRequest* copy(Number call) const;
  /// Sets the shape of a kernel where its unit is known.
  void set_shape(amd::Dispatch& kernel, const KernelLaunch& launch) const;

 private:
  enum class Unit : std::uint8_t { unknown, blocks, work_items };

  std::vector<KernelLaunch> kernels_;                         ///< by call
  std::vector<CopyRequest> copies_;                           ///< by call
  std::vector<std::pair<std::int64_t, std::int64_t>> calls_;  ///< (work, call) by work
  std::vector<std::int64_t> in_work_items_;
  std::vector<std::int64_t> shared_;  ///< calls of several pieces of work
  Unit unit_ = Unit::unknown;
};

}  // namespace kdiag::adapters::rpd
