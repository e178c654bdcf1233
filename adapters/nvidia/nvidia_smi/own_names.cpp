// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nvidia_smi/own_names.hpp"

#include <algorithm>
#include <iterator>

#include "base/ascii.hpp"

namespace kdiag::adapters {
namespace {

struct Suffix {
  std::string_view text, unit;
};
// nvidia-smi states MiB, which scripts call MB.
constexpr Suffix suffixes[] = {
    {"%", "%"},     {"_pct", "%"},   {"_percent", "%"}, {"_mib", "MiB"},   {"_mb", "MiB"}, {"_gib", "GiB"},
    {"_gb", "GiB"}, {"_watts", "W"}, {"_w", "W"},       {"_celsius", "C"}, {"_c", "C"},    {"_mhz", "MHz"},
};

struct Spelling {
  std::string_view own, property;
  std::string_view unit = {};  ///< of times since the start
  bool vague = false;          ///< no GPU's by itself
};
constexpr Spelling spellings[] = {
    {"timestamp", "timestamp"},
    {"time", "timestamp", {}, true},
    {"datetime", "timestamp"},
    {"elapsed_s", "timestamp", "s"},
    {"elapsed_sec", "timestamp", "s"},
    {"elapsed_seconds", "timestamp", "s"},
    {"elapsed_time_s", "timestamp", "s"},
    {"elapsed_ms", "timestamp", "ms"},
    {"gpu_id", "index"},
    {"gpu_index", "index"},
    {"index", "index"},
    {"name", "name"},
    {"gpu_name", "name"},
    {"gpu_util", "utilization.gpu"},
    {"gpu_utilization", "utilization.gpu"},
    {"util_gpu", "utilization.gpu"},
    {"utilization_gpu", "utilization.gpu"},
    {"utilization", "utilization.gpu", {}, true},
    {"mem_util", "utilization.memory"},
    {"memory_util", "utilization.memory"},
    {"utilization_mem", "utilization.memory"},
    {"utilization_memory", "utilization.memory"},
    {"mem_used", "memory.used"},
    {"memory_used", "memory.used"},
    {"gpu_mem_used", "memory.used"},
    {"gpu_memory_used", "memory.used"},
    {"mem_total", "memory.total"},
    {"memory_total", "memory.total"},
    {"gpu_mem_total", "memory.total"},
    {"gpu_memory_total", "memory.total"},
    {"power", "power.draw"},
    {"gpu_power", "power.draw"},
    {"power_draw", "power.draw"},
    {"power_usage", "power.draw"},
    {"power_limit", "power.limit"},
    {"temp", "temperature.gpu"},
    {"temperature", "temperature.gpu"},
    {"gpu_temp", "temperature.gpu"},
    {"gpu_temperature", "temperature.gpu"},
    {"temperature_gpu", "temperature.gpu"},
    {"sm_clock", "clocks.current.sm"},
    {"clock_sm", "clocks.current.sm"},
    {"clocks_sm", "clocks.current.sm"},
    {"mem_clock", "clocks.current.memory"},
    {"clock_mem", "clocks.current.memory"},
    {"clocks_mem", "clocks.current.memory"},
};

/// "GPU_Util(%)" as "gpu_util%", "Power (W)" as "power_w".
std::string plain(std::string_view field) {
  std::string out;
  for (const char c : field) {
    if (is_letter(c) || is_digit(c) || c == '%') out += lower(c);
    else if (!out.empty() && out.back() != '_') out += '_';
  }
  while (out.ends_with('_')) out.pop_back();
  return out;
}

}  // namespace

OwnName own_name(std::string_view field) {
  const std::string whole = plain(field);
  std::string_view name = whole;
  OwnName out;
  for (const Suffix& suffix : suffixes) {
    if (!name.ends_with(suffix.text)) continue;
    name.remove_suffix(suffix.text.size());
    while (name.ends_with('_')) name.remove_suffix(1);
    out.unit = suffix.unit;
    break;
  }
  const auto* const known =
      std::find_if(std::begin(spellings), std::end(spellings), [name](const Spelling& s) { return s.own == name; });
  if (known == std::end(spellings)) return {};
  if (known->vague && known->property == "timestamp" && !out.unit.empty()) return {};  // "Time (%)"
  out.property = known->property;
  out.vague = known->vague;
  if (out.unit.empty()) out.unit = known->unit;
  if (!out.property.starts_with("utilization.") || out.unit == "%") return out;
  if (out.property != "utilization.gpu" || !out.unit.empty()) return {};
  out.bare = true;
  return out;
}

bool numbers_gpus(std::string_view field) {
  const std::string name = plain(field);
  return name == "gpu_id" || name == "gpu_index";
}

bool names_machine(std::string_view field) {
  constexpr std::string_view machines[] = {"host",      "hostname", "node",   "nodename",
                                           "node_name", "machine",  "server", "instance"};
  return std::find(std::begin(machines), std::end(machines), plain(field)) != std::end(machines);
}

}  // namespace kdiag::adapters
