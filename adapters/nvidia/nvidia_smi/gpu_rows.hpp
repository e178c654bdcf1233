// SPDX-License-Identifier: Apache-2.0
// Rows of properties of GPUs, named as `nvidia-smi --query-gpu` does: what all that nvidia-smi prints comes down to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/nvidia/nvidia_smi/query_header.hpp"
#include "adapters/rows/device_samples.hpp"

namespace kdiag::adapters {

class GpuRows {
 public:
  explicit GpuRows(FactSink& sink) : sink_(sink) {}

  /// Columns of the rows to come. Notes those that are unknown (K666), and reasons that are too few to judge (K665).
  void start_table(QueryHeader header);
  bool has_table() const { return header_.has_value(); }
  const QueryHeader& header() const { return *header_; }

  /// What a row says of a GPU at a time; as many cells as the header has columns. Bad cells are noted (K603).
  void add(std::int64_t gpu, std::int64_t time, std::span<const std::string_view> cells);

  DeviceSamples facts{"nvidia"};

 private:
  std::string_view cell(std::span<const std::string_view> cells, QueryRole role) const;
  std::optional<double> first_value(const std::vector<std::size_t>& columns, std::span<const std::string_view> cells);
  std::optional<std::uint32_t> combined_reasons(std::span<const std::string_view> cells) const;

  FactSink& sink_;
  std::optional<QueryHeader> header_;
  bool combines_reasons_ = false;
};

}  // namespace kdiag::adapters
