// SPDX-License-Identifier: Apache-2.0
#include <kdiag/format.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>

namespace kdiag {
namespace {

constexpr std::string_view unknown_text = "unknown";
constexpr double most_percent = 1000;  // a ratio from there on reads better as a factor (judgement)

std::string scientific(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::scientific, 2).ptr;
  return {buffer.begin(), end};
}

// std::to_chars and not printf: a host's locale must not put a comma into a report.
std::string fixed(double value, int decimals) {
  if (std::fabs(value) >= 1e15) return scientific(value);
  std::array<char, 64> buffer{};  // 15 digits before the point, some behind it
  const auto end = std::to_chars(buffer.begin(), buffer.end(), value, std::chars_format::fixed, decimals).ptr;
  std::string text(buffer.begin(), end);
  if (decimals > 0) {
    text.erase(text.find_last_not_of('0') + 1);
    if (text.ends_with('.')) text.pop_back();
  }
  return text == "-0" ? "0" : text;
}

std::string significant(double value, int digits) {
  if (value == 0) return "0";
  if (!(std::fabs(value) < 1e15) || std::fabs(value) < 1e-9) return scientific(value);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const int decimals = digits - 1 - magnitude;
  return fixed(value, decimals < 0 ? 0 : decimals);
}

// For ranges, whose width already says how sure the figures are.
std::string coarse(double value) {
  return value >= 10 ? fixed(value, 0) : value >= 1 ? fixed(value, 1) : significant(value, 2);
}

struct Scale {
  double size;
  std::string_view name;
};

constexpr double minute_ns = 60e9;
constexpr double longest_in_seconds = 119.5e9;  // "119 s", then "2 min"

// The unit in which a duration reads best, if it is one of a single figure.
std::optional<Scale> time_scale(double ns) {
  if (ns >= longest_in_seconds) return std::nullopt;
  for (const Scale scale : {Scale{1, "ns"}, Scale{1e3, "us"}, Scale{1e6, "ms"}})
    if (ns < 999.5 * scale.size) return scale;
  return Scale{1e9, "s"};
}

std::string with_unit(std::string number, std::string_view unit) { return number.append(" ").append(unit); }

// "12 min 5 s": a duration too long for one figure, in its two leading units.
std::string long_duration(double ns) {
  struct Pair {
    std::int64_t size_s, rest_s;
    std::string_view unit, rest;
  };
  constexpr Pair minutes{60, 1, "min", "s"};
  constexpr Pair hours{3600, 60, "h", "min"};
  constexpr Pair days{86400, 3600, "d", "h"};
  const Pair& pair = ns < 120 * minute_ns ? minutes : ns < 48 * 60 * minute_ns ? hours : days;
  const std::int64_t rests = std::llround(ns / 1e9 / static_cast<double>(pair.rest_s));
  const std::int64_t per_unit = pair.size_s / pair.rest_s;
  std::string out = with_unit(std::to_string(rests / per_unit), pair.unit);
  if (rests % per_unit != 0) out += " " + with_unit(std::to_string(rests % per_unit), pair.rest);
  return out;
}

std::string percent_number(double share) {
  const double percent = share * 100;
  if (percent > 0 && percent < 0.05) return "<0.1";
  if (percent > 99.95 && percent < 100) return ">99.9";
  const double rounded = std::round(percent * 10) / 10;
  const bool near_an_end = std::fabs(rounded) < 10 || (rounded > 90 && rounded <= 100);
  return fixed(percent, near_an_end ? 1 : 0);
}

std::string format_scaled(double value, const Scale* scales, std::size_t count, double step) {
  const double magnitude = std::fabs(value);
  std::size_t i = 0;
  while (i + 1 < count && magnitude >= 0.9995 * step * scales[i].size) ++i;
  return with_unit(significant(value / scales[i].size, 3), scales[i].name);
}

std::string format_bytes(double bytes) {
  constexpr Scale scales[] = {{1, "B"}, {0x1p10, "KiB"}, {0x1p20, "MiB"}, {0x1p30, "GiB"}, {0x1p40, "TiB"}};
  return format_scaled(bytes, scales, std::size(scales), 1024);
}

std::string format_bandwidth(double bytes_per_second) {
  constexpr Scale scales[] = {{1, "B/s"}, {1e3, "KB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}};
  return format_scaled(bytes_per_second, scales, std::size(scales), 1000);
}

std::string format_operations(double operations) {
  constexpr Scale scales[] = {{1, "FLOP"},     {1e3, "KFLOP"},  {1e6, "MFLOP"}, {1e9, "GFLOP"},
                              {1e12, "TFLOP"}, {1e15, "PFLOP"}, {1e18, "EFLOP"}};
  return format_scaled(operations, scales, std::size(scales), 1000);
}

// Clocks are known by their MHz, to the last one: 1155 and 1410, not 1.16 GHz.
std::string format_frequency(double hz) {
  if (std::fabs(hz) >= 1e6) return with_unit(significant(hz / 1e6, 4), "MHz");
  if (std::fabs(hz) >= 1e3) return with_unit(significant(hz / 1e3, 3), "kHz");
  return with_unit(significant(hz, 3), "Hz");
}

std::int64_t to_ns(double value) {
  constexpr double limit = 9.2e18;  // below the largest int64
  return std::llround(std::fmin(std::fmax(value, -limit), limit));
}

std::string format_quantity(double value, std::string_view unit) {
  if (!std::isfinite(value)) return std::string(unknown_text);
  if (unit == "ns") return format_duration(to_ns(value));
  if (unit == "bytes") return format_bytes(value);
  if (unit == "Hz") return format_frequency(value);
  if (unit == "B/s") return format_bandwidth(value);
  if (unit == "FLOP") return format_operations(value);
  if (unit == "FLOP/s") return format_operations(value) + "/s";
  if (unit == "W") return with_unit(significant(value, 3), "W");
  if (unit == "degC") return with_unit(significant(value, 3), "°C");
  if (unit != "ratio") return format_number(value);
  if (value > 0 && value < 1e-4) return "<0.01 %";
  if (std::fabs(value) >= most_percent / 100) return format_factor(value);
  return with_unit(significant(value * 100, 3), "%");
}

}  // namespace

std::string format_duration(std::int64_t ns) {
  const double magnitude = std::fabs(static_cast<double>(ns));
  const std::string sign = ns < 0 ? "-" : "";
  if (const auto scale = time_scale(magnitude))
    return sign + with_unit(significant(magnitude / scale->size, 3), scale->name);
  return sign + long_duration(magnitude);
}

std::string format_duration_range(std::int64_t low_ns, std::int64_t high_ns) {
  if (low_ns == high_ns) return format_duration(high_ns);
  if (low_ns <= 0) return "up to " + format_duration(high_ns);
  const auto scale = time_scale(static_cast<double>(high_ns));
  if (!scale) return format_duration(low_ns) + " to " + format_duration(high_ns);
  const double low = static_cast<double>(low_ns) / scale->size;
  const double high = static_cast<double>(high_ns) / scale->size;
  std::string low_text = coarse(low);
  std::string high_text = coarse(high);
  if (low_text == high_text) low_text = significant(low, 3), high_text = significant(high, 3);
  if (low_text == high_text) return with_unit(high_text, scale->name);
  return with_unit(low_text + " to " + high_text, scale->name);
}

std::string format_share(double share) {
  if (!std::isfinite(100 * share)) return std::string(unknown_text);
  return with_unit(percent_number(share), "%");
}

std::string format_share_range(double low, double high) {
  if (!std::isfinite(100 * low) || !std::isfinite(100 * high)) return format_share(high);
  const std::string low_text = percent_number(low);
  const std::string high_text = percent_number(high);
  if (low_text == high_text || high_text.starts_with('<')) return with_unit(high_text, "%");
  if (low_text.starts_with('>')) return with_unit(low_text, "%");
  if (low_text == "0" || low_text.starts_with('<')) return "up to " + with_unit(high_text, "%");
  return with_unit(low_text + "-" + high_text, "%");
}

std::string format_count(std::int64_t value) {
  std::string digits = std::to_string(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, 1, ',');
  }
  return digits;
}

std::string format_number(double value) {
  if (!std::isfinite(value)) return std::string(unknown_text);
  const double magnitude = std::fabs(value);
  if (magnitude != 0 && (magnitude >= 1e15 || magnitude < 1e-4)) return scientific(value);
  if (magnitude >= 9999.5) return format_count(std::llround(value));
  return significant(value, 4);
}

std::string format_factor(double factor) {
  if (!std::isfinite(factor)) return std::string(unknown_text);
  return fixed(factor, factor < 1.995 ? 2 : factor < 9.95 ? 1 : 0) + "x";
}

std::string format_value(const ValueEntry& entry) {
  if (const auto* text = std::get_if<std::string>(&entry.value)) return *text;
  if (const auto* flag = std::get_if<bool>(&entry.value)) return *flag ? "yes" : "no";
  if (const auto* real = std::get_if<double>(&entry.value)) return format_quantity(*real, entry.unit);
  if (const auto* integer = std::get_if<std::int64_t>(&entry.value)) {
    if (entry.since_start_ns) return (*entry.since_start_ns < 0 ? "" : "+") + format_duration(*entry.since_start_ns);
    if (entry.unit == "ns") return format_duration(*integer);
    if (entry.unit == "1" || entry.unit.empty()) return format_count(*integer);
    return format_quantity(static_cast<double>(*integer), entry.unit);
  }
  return std::string(unknown_text);
}

bool is_quantity(const ValueEntry& entry) {
  return std::holds_alternative<std::int64_t>(entry.value) || std::holds_alternative<double>(entry.value);
}

}  // namespace kdiag
