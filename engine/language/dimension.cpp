// SPDX-License-Identifier: Apache-2.0
#include "engine/language/dimension.hpp"

namespace kdiag {
namespace {

struct NamedDimension {
  std::string_view name;       // as messages say it
  std::string_view type;       // as `type:` of a rule file says it; empty: it cannot
  std::string_view base_unit;  // as JSON prints it
  Dimension dimension;
};

constexpr NamedDimension named[] = {
    {"time", "time", "ns", dimensions::time},
    {"instant", "", "ns", dimensions::instant},
    {"data", "bytes", "bytes", dimensions::bytes},
    {"frequency", "frequency", "Hz", dimensions::frequency},
    {"bandwidth", "bandwidth", "B/s", dimensions::bandwidth},
    {"power", "power", "W", dimensions::power},
    {"energy", "energy", "J", dimensions::energy},
    {"operations", "", "FLOP", dimensions::operations},
    {"operations per second", "ops_rate", "FLOP/s", dimensions::ops_rate},
    {"temperature", "temperature", "degC", dimensions::temperature},
    {"ratio", "ratio", "ratio", dimensions::ratio},
    {"number", "number", "1", dimensions::none},
};

const NamedDimension* find_named(Dimension dimension) {
  for (const NamedDimension& known : named)
    if (known.dimension == dimension && known.dimension.ratio == dimension.ratio) return &known;
  return nullptr;
}

struct Factor {
  std::string_view name;
  std::string_view unit;
  int exponent;
};

/// "time^2 data^-1", from the names or the units of the factors.
std::string product(Dimension dimension, std::string_view Factor::*text) {
  const Factor factors[] = {{"time", "ns", dimension.time},
                            {"data", "bytes", dimension.data},
                            {"operations", "FLOP", dimension.ops},
                            {"energy", "J", dimension.energy},
                            {"temperature", "degC", dimension.temperature ? 1 : 0}};
  std::string out;
  for (const Factor& factor : factors) {
    if (factor.exponent == 0) continue;
    if (!out.empty()) out += ' ';
    out += factor.*text;
    if (factor.exponent != 1) out += '^' + std::to_string(factor.exponent);
  }
  return out;
}

constexpr UnitInfo units[] = {
    {"ns", dimensions::time, 1},
    {"us", dimensions::time, 1e3},
    {"ms", dimensions::time, 1e6},
    {"s", dimensions::time, 1e9},
    {"min", dimensions::time, 60e9},
    {"B", dimensions::bytes, 1},
    {"KB", dimensions::bytes, 1e3},
    {"MB", dimensions::bytes, 1e6},
    {"GB", dimensions::bytes, 1e9},
    {"TB", dimensions::bytes, 1e12},
    {"KiB", dimensions::bytes, 1024.0},
    {"MiB", dimensions::bytes, 1024.0 * 1024},
    {"GiB", dimensions::bytes, 1024.0 * 1024 * 1024},
    {"TiB", dimensions::bytes, 1024.0 * 1024 * 1024 * 1024},
    {"Hz", dimensions::frequency, 1},
    {"kHz", dimensions::frequency, 1e3},
    {"MHz", dimensions::frequency, 1e6},
    {"GHz", dimensions::frequency, 1e9},
    {"B/s", dimensions::bandwidth, 1},
    {"KB/s", dimensions::bandwidth, 1e3},
    {"MB/s", dimensions::bandwidth, 1e6},
    {"GB/s", dimensions::bandwidth, 1e9},
    {"TB/s", dimensions::bandwidth, 1e12},
    {"KiB/s", dimensions::bandwidth, 1024.0},
    {"MiB/s", dimensions::bandwidth, 1024.0 * 1024},
    {"GiB/s", dimensions::bandwidth, 1024.0 * 1024 * 1024},
    {"TiB/s", dimensions::bandwidth, 1024.0 * 1024 * 1024 * 1024},
    {"FLOP", dimensions::operations, 1},
    {"GFLOP", dimensions::operations, 1e9},
    {"TFLOP", dimensions::operations, 1e12},
    {"PFLOP", dimensions::operations, 1e15},
    {"FLOP/s", dimensions::ops_rate, 1},
    {"GFLOP/s", dimensions::ops_rate, 1e9},
    {"TFLOP/s", dimensions::ops_rate, 1e12},
    {"PFLOP/s", dimensions::ops_rate, 1e15},
    {"W", dimensions::power, 1},
    {"J", dimensions::energy, 1},
    {"degC", dimensions::temperature, 1},
    {"%", dimensions::ratio, 0.01},
};

}  // namespace

std::string dimension_name(Dimension dimension) {
  const NamedDimension* known = find_named(dimension);
  return known != nullptr ? std::string(known->name) : product(dimension, &Factor::name);
}

std::optional<Dimension> dimension_named(std::string_view name) {
  for (const NamedDimension& known : named)
    if (known.type == name && !name.empty()) return known.dimension;
  return std::nullopt;
}

std::string base_unit_name(Dimension dimension) {
  const NamedDimension* known = find_named(dimension);
  return known != nullptr ? std::string(known->base_unit) : product(dimension, &Factor::unit);
}

std::span<const UnitInfo> all_units() { return units; }

const UnitInfo* find_unit(std::string_view name) {
  for (const UnitInfo& unit : units)
    if (unit.name == name) return &unit;
  return nullptr;
}

}  // namespace kdiag
