// SPDX-License-Identifier: Apache-2.0
#include "cli/option_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <optional>

#include <CLI/CLI.hpp>

#include <kdiag/project.hpp>

namespace kdiag::cli {
namespace {

template <class T>
bool parse_number(std::string_view text, T& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size();
}

}  // namespace

std::pair<std::int64_t, std::int64_t> parse_steps(std::string_view text) {
  std::pair<std::int64_t, std::int64_t> steps{std::numeric_limits<std::int64_t>::min(),
                                              std::numeric_limits<std::int64_t>::max()};
  const std::size_t dots = text.find("..");
  const std::string_view first = text.substr(0, dots);
  const std::string_view last = dots == std::string_view::npos ? first : text.substr(dots + 2);
  const bool good =
      (first.empty() || parse_number(first, steps.first)) && (last.empty() || parse_number(last, steps.second));
  if (!good || (first.empty() && last.empty()) || steps.first > steps.second)
    throw CLI::ValidationError("--steps", "'" + std::string(text) + "' is no range of steps; write 5..15 or 7");
  return steps;
}

Part parse_part(const std::string& option, std::string_view text) {
  Part part;
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos || !parse_number(text.substr(0, slash), part.index) ||
      !parse_number(text.substr(slash + 1), part.count) || part.index >= part.count)
    throw CLI::ValidationError(option, "'" + std::string(text) + "' is no part; write 0/4 to 3/4");
  return part;
}

Part part_of_process(const std::string& option) {
  // mpirun under Slurm sets its own beside those of srun, whose only process it may be.
  constexpr std::pair<const char*, const char*> launchers[] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                               {"PMI_RANK", "PMI_SIZE"},
                                                               {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
                                                               {"SLURM_PROCID", "SLURM_NTASKS"}};
  for (const auto& [rank, size] : launchers)
    if (const char* index = std::getenv(rank), *count = std::getenv(size); index != nullptr && count != nullptr)
      return parse_part(option, std::string(index) + "/" + count);
  throw CLI::ValidationError(option,
                             "this is no process of mpirun or srun: neither OMPI_COMM_WORLD_RANK nor PMI_RANK, "
                             "MV2_COMM_WORLD_RANK or SLURM_PROCID is set; --part 0/4 says it by hand");
}

std::int64_t parse_time(const std::string& option, std::string_view text) {
  static const std::map<std::string_view, double> units = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"min", 6e10}};
  const std::size_t unit_begin = text.find_first_not_of("0123456789.");
  const auto unit = units.find(unit_begin == std::string_view::npos ? std::string_view{} : text.substr(unit_begin));
  double number = 0;
  if (unit == units.end() || !parse_number(text.substr(0, unit_begin), number) || number * unit->second > 9.2e18)
    throw CLI::ValidationError(
        option, "'" + std::string(text) + "' is no time; write 1.5s or 200ms (units: ns, us, ms, s, min)");
  return std::llround(number * unit->second);
}

std::int64_t parse_milliseconds(const std::string& option, std::string_view text) {
  const std::int64_t ms = parse_time(option, text) / 1'000'000;
  if (ms < 1) throw CLI::ValidationError(option, "'" + std::string(text) + "' is too short; at least 1ms is needed");
  return ms;
}

std::uint64_t parse_size(const std::string& option, std::string_view text) {
  if (text == "none") return 0;
  static const std::map<std::string_view, double> units = {
      {"", 1},      {"B", 1},      {"kB", 1e3},        {"MB", 1e6},           {"GB", 1e9},
      {"TB", 1e12}, {"KiB", 1024}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}, {"TiB", 1099511627776.0}};
  const std::size_t unit_begin = std::min(text.find_first_not_of("0123456789."), text.size());
  const auto unit = units.find(text.substr(unit_begin));
  double number = 0;
  const bool good = unit != units.end() && parse_number(text.substr(0, unit_begin), number);
  if (!good || number * unit->second < 1 || number * unit->second > 9e18)
    throw CLI::ValidationError(option, "'" + std::string(text) +
                                           "' is no size; write 500MB, 4GiB or none (units: B, kB, MB, GB, TB, KiB, "
                                           "MiB, GiB, TiB)");
  return static_cast<std::uint64_t>(number * unit->second);
}

namespace {

/// A number above 0 with one of some units; nothing for anything else, or for more than anything has.
std::optional<double> scaled_number(std::string_view text, const std::map<std::string_view, double>& units) {
  const std::size_t unit_begin = std::min(text.find_first_not_of("0123456789.e+"), text.size());
  const auto unit = units.find(text.substr(unit_begin));
  double number = 0;
  if (unit == units.end() || !parse_number(text.substr(0, unit_begin), number)) return std::nullopt;
  number *= unit->second;
  return number > 0 && number <= most_counted ? std::optional(number) : std::nullopt;
}

}  // namespace

double parse_operations(const std::string& option, std::string_view text) {
  static const std::map<std::string_view, double> units = {
      {"", 1}, {"FLOP", 1}, {"GFLOP", 1e9}, {"TFLOP", 1e12}, {"PFLOP", 1e15}};
  if (const auto number = scaled_number(text, units)) return *number;
  throw CLI::ValidationError(option, "'" + std::string(text) +
                                         "' is no number of operations; write 6.2TFLOP or 6.2e12 (units: FLOP, GFLOP, "
                                         "TFLOP, PFLOP)");
}

double parse_count(const std::string& option, std::string_view text) {
  static const std::map<std::string_view, double> units = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"B", 1e9}, {"T", 1e12}};
  if (const auto number = scaled_number(text, units)) return *number;
  throw CLI::ValidationError(
      option, "'" + std::string(text) + "' is no count; write 6.7B or 6.7e9 (units: k, M, B for billions, T)");
}

std::string parse_date(const std::string& option, const std::string& text) {
  if (!is_date(text)) throw CLI::ValidationError(option, "'" + text + "' is no date such as 2026-12-31");
  return text;
}

GrowthLimit parse_growth(const std::string& option, std::string_view text) {
  const std::size_t equals = text.rfind('=');
  GrowthLimit limit;
  limit.text = text;
  if (equals != std::string_view::npos) limit.part = text.substr(0, equals);
  const std::string_view most = equals == std::string_view::npos ? text : text.substr(equals + 1);
  double percent = 0;
  if (equals == 0 || most.empty() || (most.ends_with('%') && !parse_number(most.substr(0, most.size() - 1), percent)) ||
      percent < 0)
    throw CLI::ValidationError(
        option, "'" + std::string(text) +
                    "' is no limit; write 5% or 20ms of the cycle, idle.host_sync=10ms, function:gemm=5% or "
                    "finding:host.sync-stall=5ms");
  if (most.ends_with('%')) limit.share = percent / 100;
  else limit.ns = parse_time(option, most);
  return limit;
}

std::pair<std::string, std::string> parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.substr(0, equals).rfind('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos || dot == 0 || equals + 1 == text.size())
    throw CLI::ValidationError(
        "--set", "'" + std::string(text) + "' sets nothing; write rule.param=value, as in clock.throttled.margin=8%");
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

SamplesPerCycle parse_samples(const std::string& option, std::string_view text) {
  const std::size_t equals = text.find('=');
  const std::string_view numbers = equals == std::string_view::npos ? std::string_view{} : text.substr(equals + 1);
  const std::size_t comma = numbers.find(',');
  SamplesPerCycle samples{.unit = std::string(text.substr(0, equals))};
  const auto count = [](std::string_view number, double& into) {
    return parse_number(number, into) && std::isfinite(into) && into > 0;
  };
  if (samples.unit.empty() || !count(numbers.substr(0, comma), samples.normal) ||
      !count(comma == std::string_view::npos ? numbers : numbers.substr(comma + 1), samples.abnormal))
    throw CLI::ValidationError(option, "'" + std::string(text) +
                                           "' says not what a cycle does; write tokens=4096,16384 for the normal and "
                                           "the abnormal run, or tokens=4096 for both");
  return samples;
}

}  // namespace kdiag::cli
