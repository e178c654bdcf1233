// SPDX-License-Identifier: Apache-2.0
// A table of totals as torch.profiler prints it: which column is what, and what a row says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace kdiag::adapters::averages {

/// Times in ns of all calls of a name; nothing where the table has no such column or the cell is not readable.
struct Totals {
  std::optional<std::int64_t> calls, host_self, host_total, device_self, device_total;
};

/// What a row's own times are of all time of their kind, as printed; empty where the table does not state it.
struct Shares {
  std::string_view host, device;
};

/// The header line: names of the columns, of all versions since 2019. The device's are named like its back end: "Self
/// CUDA", "XPU total".
class Header {
 public:
  /// Nothing when the cells are no header.
  static std::optional<Header> parse(std::span<const std::string_view> cells);

  /// "CUDA", "XPU"; empty where no device was recorded.
  const std::string& device() const { return device_; }
  std::size_t columns() const { return columns_; }
  std::string_view name(std::span<const std::string_view> row) const { return row[place_[0]]; }
  Totals totals(std::span<const std::string_view> row) const;
  Shares shares(std::span<const std::string_view> row) const;

 private:
  enum Place : std::size_t {
    name_cell,
    calls,
    host_self,
    host_total,
    device_self,
    device_total,
    host_share,
    device_share,
    places
  };
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::optional<std::int64_t> time(std::span<const std::string_view> row, Place place) const;

  std::array<std::size_t, places> place_{};
  std::size_t columns_ = 0;
  std::string device_;
};

/// "Self CPU time total: 1.853s" below a table: of the host or of the device.
struct Footer {
  bool device = false;
  std::int64_t total = 0;
};
std::optional<Footer> parse_footer(std::string_view line);

/// What a row is of.
enum class Subject : std::uint8_t { kernel, copy, fill, device_range, call, op, other };

/// By its times and its name. Rows of ranges on the device look like kernels, but for names that no kernel has, and for
/// a row of the host of their name: `on_host` says whether there is one.
Subject subject_of(std::string_view name, const Totals& totals, bool on_host);

/// Whether a row is time of the host that the profiler takes for itself, and no program has without it.
bool is_profilers_own(std::string_view name);

}  // namespace kdiag::adapters::averages
