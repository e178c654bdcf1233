// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nsys/stats_report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "adapters/json/json.hpp"
#include "adapters/text/instants.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::nsys {
namespace {

struct ColumnName {
  std::string_view name;  ///< in small letters, without unit
  Cell cell;
};
constexpr ColumnName column_names[] = {
    {"start", Cell::start},
    {"duration", Cell::duration},
    {"total time", Cell::total},
    {"time", Cell::share},
    {"instances", Cell::instances},
    {"num calls", Cell::calls},
    {"calls", Cell::calls},  // of 2020
    {"count", Cell::count},
    {"operations", Cell::count},
    {"min", Cell::shortest},
    {"minimum", Cell::shortest},
    {"max", Cell::longest},
    {"maximum", Cell::longest},
    {"name", Cell::name},
    {"operation", Cell::operation},
    {"category", Cell::category},
    {"range", Cell::range},
    {"corrid", Cell::correlation},
    {"grdx", Cell::grid_x},
    {"grdy", Cell::grid_y},
    {"grdz", Cell::grid_z},
    {"blkx", Cell::block_x},
    {"blky", Cell::block_y},
    {"blkz", Cell::block_z},
    {"reg/trd", Cell::registers},
    {"bytes", Cell::bytes},
    {"total", Cell::total_bytes},
    {"total gpu pagefaults", Cell::gpu_faults},
    {"total gpu page faults", Cell::gpu_faults},
    {"throughput", Cell::throughput},
    {"thru", Cell::throughput},
    {"srcmemkd", Cell::source},
    {"dstmemkd", Cell::target},
    {"device", Cell::device},
    {"strm", Cell::stream},
    {"pid", Cell::process},
    {"tid", Cell::thread},
    {"thread name", Cell::thread_name},
    {"result", Cell::result},
    {"rangeid", Cell::range_id},
    {"projected start", Cell::projected_start},
    {"projected duration", Cell::projected_duration},
};
constexpr std::string_view known_columns[] = {"avg",
                                              "average",
                                              "med",
                                              "median",
                                              "stddev",
                                              "gridxyz",
                                              "blockxyz",
                                              "stcsmem",
                                              "dymsmem",
                                              "ctx",
                                              "greenctx",
                                              "t-pri",
                                              "end",
                                              "durchild",
                                              "durnonchild",
                                              "lvl",
                                              "numchild",
                                              "parentid",
                                              "rangestack",
                                              "nametree",
                                              "style",
                                              "orig start",
                                              "orig duration",
                                              "numgpuops",
                                              "total htod migration size",
                                              "total dtoh migration size",
                                              "total cpu page faults",
                                              "minimum virtual address",
                                              "maximum virtual address"};

/// "Total Time (ns)" is "total time" and "ns"; exports of 2020 have no blank before the unit.
struct Heading {
  std::string name;
  std::string_view unit;
};
Heading heading_of(std::string_view field) {
  const std::size_t open = field.find('(');
  Heading heading{std::string(trim(field.substr(0, open))), {}};
  std::transform(heading.name.begin(), heading.name.end(), heading.name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  if (open == std::string_view::npos) return heading;
  heading.unit = field.substr(open + 1);
  heading.unit = heading.unit.substr(0, heading.unit.find(')'));
  return heading;
}

Cell cell_named(std::string_view name) {
  const auto* found = std::find_if(std::begin(column_names), std::end(column_names),
                                   [name](const ColumnName& known) { return known.name == name; });
  return found == std::end(column_names) ? Cell::ignored : found->cell;
}

/// ns of a unit as `nsys stats --timeunit` names it: ns, nsec, us, usec, ms, sec, ... Without a unit the default, ns.
std::int64_t unit_ns(std::string_view unit) {
  if (unit.starts_with("u") || unit.starts_with("\xC2\xB5") || unit.starts_with("\xCE\xBC")) return 1'000;
  if (unit.starts_with("ms")) return 1'000'000;
  return unit.starts_with("s") ? 1'000'000'000 : 1;
}

bool starts_with_letter(std::string_view text) {
  return !text.empty() && ((text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z'));
}

/// Half a unit of the last decimal: "0.038" may be 0.0005 more or less.
double rounding(std::string_view text) {
  const std::size_t point = text.find('.');
  const auto decimals = point == std::string_view::npos ? 0 : static_cast<int>(text.size() - point - 1);
  return 0.5 * std::pow(10.0, -decimals);
}

}  // namespace

std::optional<StatsReport> StatsReport::parse(std::span<const std::string_view> fields) {
  if (fields.empty() || !starts_with_letter(fields.front())) return std::nullopt;  // most rows begin with a number
  StatsReport report;
  report.columns_ = fields.size();
  report.place_.fill(none);
  int known = 0;
  for (std::size_t place = 0; place < fields.size(); ++place) {
    const Heading heading = heading_of(fields[place]);
    const Cell cell = cell_named(heading.name);
    const bool ignored =
        std::find(std::begin(known_columns), std::end(known_columns), heading.name) != std::end(known_columns);
    if (cell == Cell::ignored && !ignored) report.unknown_.emplace_back(fields[place]);
    else ++known;
    if (cell == Cell::ignored || report.has(cell)) continue;
    report.place_[index(cell)] = place;
    report.unit_[index(cell)] = heading.unit;
  }
  constexpr int least_known = 3;
  if (known < least_known) return std::nullopt;
  report.kind_ = report.kind_of();
  return report;
}

ReportKind StatsReport::kind_of() const {
  if (has(Cell::projected_start) && has(Cell::projected_duration)) return ReportKind::projected_trace;
  if (has(Cell::start) && has(Cell::duration) && has(Cell::name)) {
    if (has(Cell::correlation) && has(Cell::device)) return ReportKind::gpu_trace;
    if (has(Cell::result) && has(Cell::thread)) return ReportKind::api_trace;
    if (has(Cell::range_id) && has(Cell::thread)) return ReportKind::range_trace;
  }
  if (has(Cell::gpu_faults)) return ReportKind::memory_faults;
  if (has(Cell::total_bytes) && has(Cell::count) && (has(Cell::operation) || has(Cell::name)))
    return ReportKind::copy_sizes;
  if (!has(Cell::total)) return ReportKind::unused;
  if (has(Cell::operation)) {
    if (has(Cell::category)) return ReportKind::work_sum;
    return has(Cell::count) || has(Cell::instances) ? ReportKind::copy_sum : ReportKind::unused;
  }
  if (!has(Cell::name)) return ReportKind::unused;
  if (has(Cell::instances)) return ReportKind::kernel_sum;
  if (has(Cell::count)) return ReportKind::copy_sum;  // of 2020, "Operations" and "Name"
  return has(Cell::calls) ? ReportKind::api_sum : ReportKind::unused;
}

std::optional<std::int64_t> StatsReport::integer(std::span<const std::string_view> row, Cell cell) const {
  return to_integer(Token{text(row, cell)});
}

std::optional<std::int64_t> StatsReport::time(std::span<const std::string_view> row, Cell cell) const {
  // In reports of 2020 only the first of the columns of times names the unit.
  std::string_view unit = unit_[index(cell)];
  if (unit.empty()) unit = unit_[index(Cell::total)];
  return in_range(to_ns(Token{text(row, cell)}, unit_ns(unit)));
}

std::optional<std::int64_t> StatsReport::total_bytes(std::span<const std::string_view> row) const {
  const auto size = to_real(Token{text(row, Cell::total_bytes)});
  const auto scale = to_base_unit(1, unit_[index(Cell::total_bytes)], Unit::bytes);
  if (!size || !scale || !(*size > 0)) return std::nullopt;  // what is rounded to zero is not known
  return std::llround(std::min(*size * *scale, 9e18));
}

std::optional<std::int64_t> StatsReport::bytes(std::span<const std::string_view> row) const {
  const std::string_view stated = text(row, Cell::bytes);
  const auto size = to_real(Token{stated});
  const auto scale = to_base_unit(1, unit_[index(Cell::bytes)], Unit::bytes);
  if (!size || !scale || *size < 0) return std::nullopt;
  const auto rate = to_real(Token{text(row, Cell::throughput)});
  const auto rate_scale = to_base_unit(1, unit_[index(Cell::throughput)], Unit::bandwidth);
  const auto dur = time(row, Cell::duration);
  if (rate && rate_scale && dur) {
    const double moved = *rate * *rate_scale * static_cast<double>(*dur) / 1e9;
    if (std::abs(moved - *size * *scale) <= rounding(stated) * *scale) return std::llround(moved);
  }
  return *size > 0 ? std::optional(std::llround(*size * *scale)) : std::nullopt;
}

}  // namespace kdiag::adapters::nsys
