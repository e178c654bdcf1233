// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rpd/launches.hpp"

#include <algorithm>
#include <cstddef>

#include "adapters/rows/kernel_rows.hpp"

namespace kdiag::adapters::rpd {
namespace {

template <class Row>
void sort_by_call(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.call < b.call; });
}

template <class Row>
const Row* find_call(const std::vector<Row>& rows, Number call) {
  if (!call) return nullptr;
  const auto found =
      std::lower_bound(rows.begin(), rows.end(), *call, [](const Row& row, std::int64_t id) { return row.call < id; });
  return found != rows.end() && found->call == *call ? &*found : nullptr;
}

bool contains(const std::vector<std::int64_t>& sorted, std::int64_t id) {
  return std::binary_search(sorted.begin(), sorted.end(), id);
}

/// Whole blocks of `threads` fill a grid in work-items; a grid in blocks need not be a multiple.
bool is_multiple(const KernelLaunch& launch) {
  for (std::size_t i = 0; i < 3; ++i)
    if (launch.grid[i] && launch.threads[i].value_or(0) > 0 && *launch.grid[i] % *launch.threads[i] != 0) return false;
  return true;
}

/// Of a copy of rows, the width is in bytes.
Number bytes_of(Number size, Number width, Number height) {
  if (size.value_or(0) > 0) return size;
  std::int64_t product = 0;
  if (!width || !height || __builtin_mul_overflow(*width, *height, &product)) return std::nullopt;
  return product;
}

}  // namespace

Launches::Launches(const Database& database) {
  Query kernels = database.select("rocpd_kernelapi", {"api_ptr_id", "gridX", "gridY", "gridZ", "workgroupX",
                                                      "workgroupY", "workgroupZ", "groupSegmentSize"});
  while (kernels.next())
    if (const Number call = kernels.integer(0))
      kernels_.push_back({*call,
                          {kernels.integer(1), kernels.integer(2), kernels.integer(3)},
                          {kernels.integer(4), kernels.integer(5), kernels.integer(6)},
                          kernels.integer(7)});
  sort_by_call(kernels_);

  Query copies =
      database.select("rocpd_copyapi", {"api_ptr_id", "size", "width", "height", "kind", "srcDevice", "dstDevice"});
  while (copies.next())
    if (const Number call = copies.integer(0))
      copies_.push_back({*call, bytes_of(copies.integer(1), copies.integer(2), copies.integer(3)), copies.integer(4),
                         copies.integer(5), copies.integer(6)});
  sort_by_call(copies_);

  Query links = database.select("rocpd_api_ops", {"api_id", "op_id"});
  while (links.next())
    if (const Number call = links.integer(0), work = links.integer(1); call && work) calls_.emplace_back(*work, *call);
  std::sort(calls_.begin(), calls_.end());
  std::vector<std::int64_t> calls;
  calls.reserve(calls_.size());
  for (const auto& [work, call] : calls_) calls.push_back(call);
  std::sort(calls.begin(), calls.end());
  for (std::size_t i = 1; i < calls.size(); ++i)
    if (calls[i] == calls[i - 1] && (shared_.empty() || shared_.back() != calls[i])) shared_.push_back(calls[i]);
}

void Launches::finish(Source source) {
  std::sort(in_work_items_.begin(), in_work_items_.end());
  if (source == Source::rocprofiler) unit_ = Unit::work_items;
  const bool some_in_blocks = std::any_of(kernels_.begin(), kernels_.end(), [this](const KernelLaunch& launch) {
    return !contains(in_work_items_, launch.call) && !is_multiple(launch);
  });
  if (source == Source::roctracer || source == Source::cupti || (source == Source::unknown && some_in_blocks))
    unit_ = Unit::blocks;
}

Number Launches::call_of(std::int64_t work) const {
  const auto found = std::lower_bound(calls_.begin(), calls_.end(), work,
                                      [](const auto& link, std::int64_t id) { return link.first < id; });
  return found != calls_.end() && found->first == work ? Number(found->second) : std::nullopt;
}

const KernelLaunch* Launches::kernel(Number call) const { return find_call(kernels_, call); }

const CopyRequest* Launches::copy(Number call) const {
  return call && contains(shared_, *call) ? nullptr : find_call(copies_, call);
}

void Launches::set_shape(amd::Dispatch& kernel, const KernelLaunch& launch) const {
  const bool work_items = unit_ == Unit::work_items || contains(in_work_items_, launch.call);
  for (std::size_t i = 0; i < 3; ++i) {
    kernel.threads[i] = launch.threads[i];
    if (work_items) kernel.blocks[i] = blocks_of(launch.grid[i], launch.threads[i]);
    else if (unit_ == Unit::blocks) kernel.blocks[i] = launch.grid[i];
  }
  kernel.shared_memory = launch.shared_memory;
}

}  // namespace kdiag::adapters::rpd
