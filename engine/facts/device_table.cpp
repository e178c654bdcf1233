// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/device_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/ascii.hpp"
#include "base/parse_number.hpp"
#include "engine/facts/compute_capability.hpp"

namespace kdiag {

extern const std::string_view devices_csv;  // generated from data/devices.csv

namespace {

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool inside = false;
  for (char c : text) {
    const bool part = is_letter(c) || is_digit(c);
    if (part && !inside) words.emplace_back();
    if (part) words.back() += lower(c);
    inside = part;
  }
  return words;
}

bool contains(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Words that make another device of a model's name.
bool changes_model(std::string_view word) {
  constexpr std::string_view words[] = {"laptop", "mobile", "max", "mig", "grid", "vgpu", "d"};
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// How many words of a pattern the name has when it has all; 0 when it does not match.
std::size_t matched_words(const DeviceModel& model, const std::vector<std::string>& pattern,
                          const std::vector<std::string>& name) {
  for (const std::string& word : pattern)
    if (!contains(name, word)) return 0;
  if (model.has_figures())
    for (const std::string& word : name)
      if (changes_model(word) && !contains(pattern, word)) return 0;
  return pattern.size();
}

std::vector<std::string_view> fields_of(std::string_view line, std::size_t count) {
  std::vector<std::string_view> fields;
  while (fields.size() + 1 < count) {
    const std::size_t comma = line.find(',');
    if (comma == std::string_view::npos) break;
    fields.push_back(line.substr(0, comma));
    line.remove_prefix(comma + 1);
  }
  fields.push_back(line);
  return fields;
}

double figure(std::string_view text, double scale) {
  const auto value = parse_number<double>(text);
  return value ? *value * scale : absent_real;
}

/// "fp64 19.5 fp32 19.5 clock 1410 sparse 2": types and the peak of each in TFLOP/s, the clock in MHz at which they are
/// the peaks, and how many times as much structured sparsity makes. Types without a column are left out.
std::vector<std::pair<ColumnId, double>> peaks_of(std::string_view text) {
  constexpr double mega = 1e6, tera = 1e12;
  std::vector<std::pair<ColumnId, double>> peaks;
  const auto next = [&] {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    return word;
  };
  while (!text.empty()) {
    const std::string word(next());
    const ColumnId id = word == "sparse" ? column("devices.sparse_speedup") : find_column("devices", "peak_" + word);
    const double peak = figure(next(), word == "sparse" ? 1 : word == "clock" ? mega : tera);
    if (id.valid() && !std::isnan(peak)) peaks.emplace_back(id, peak);
  }
  return peaks;
}

void fill(FactStore& store, ColumnId id, std::uint32_t device, double value) {
  if (std::isnan(value)) return;
  const std::string provider(store.has(id) ? store.provider(id) : "device table");
  switch (info(id).type) {
    case ColumnType::real:
      if (std::isnan(store.real(id, device))) store.mutable_reals(id, provider)[device] = value;
      break;
    case ColumnType::integer:
      if (store.integer(id, device) == absent_integer)
        store.mutable_integers(id, provider)[device] = std::llround(value);
      break;
    case ColumnType::small_integer:
      if (store.small(id, device) == absent_small)
        store.mutable_smalls(id, provider)[device] = static_cast<std::int32_t>(std::lround(value));
      break;
    default: break;
  }
}

void fill(FactStore& store, ColumnId id, std::uint32_t device, const std::string& value,
          std::string_view source = "device table") {
  if (value.empty() || store.index(id, device) != absent_index) return;
  const std::string provider(store.has(id) ? store.provider(id) : source);
  const std::uint32_t text = store.strings.intern(value);
  store.mutable_indices(id, provider)[device] = text;
}

/// The maker of devices that nothing names: by the runtime whose calls were recorded, else by how the maker's compilers
/// and libraries call kernels. Empty: not known.
std::string maker_of(const FactStore& store) {
  const auto starts = [](std::string_view text, std::initializer_list<std::string_view> heads) {
    return std::any_of(heads.begin(), heads.end(), [&](std::string_view head) { return text.starts_with(head); });
  };
  const auto any_of_first = [&](TableId of, ColumnId name, const auto& test) {
    const std::size_t rows = store.has(name) ? std::min<std::size_t>(store.rows(of), 1000) : 0;
    for (std::size_t row = 0; row < rows; ++row)
      if (test(store.text(name, row))) return true;
    return false;
  };
  const auto hip = [&](std::string_view call) { return starts(call, {"hip"}); };
  const auto cuda = [&](std::string_view call) { return starts(call, {"cuda", "cuLaunch", "cuMem"}); };
  const auto rocm = [&](std::string_view kernel) {
    return kernel.ends_with(".kd") || kernel.ends_with(".kd]") ||
           starts(kernel, {"Cijk_", "__amd_rocclr_", "void rocprim::"});
  };
  if (any_of_first(table("api"), column("api.name"), hip)) return "amd";
  if (any_of_first(table("api"), column("api.name"), cuda)) return "nvidia";
  if (any_of_first(table("kernels"), column("kernels.name"), rocm)) return "amd";
  if (any_of_first(table("kernel_stats"), column("kernel_stats.name"), rocm)) return "amd";
  return {};
}

void fill_model(FactStore& store, std::uint32_t device, const DeviceModel& model) {
  fill(store, column("devices.vendor"), device, model.vendor);
  fill(store, column("devices.kind"), device, model.kind);
  fill(store, column("devices.sms"), device, model.sms);
  fill(store, column("devices.sm_clock_rated"), device, model.sm_clock_rated);
  fill(store, column("devices.sm_clock_max"), device, model.sm_clock_max);
  fill(store, column("devices.mem_clock_max"), device, model.mem_clock_max);
  fill(store, column("devices.dram_bw"), device, model.dram_bw);
  fill(store, column("devices.host_link_bw"), device, model.host_link_bw);
  fill(store, column("devices.memory"), device, model.memory);
  // Where the model's figure stands for the limit, too, nothing tells whether it was lowered.
  if (!std::isnan(store.real(column("devices.power_limit"), device)))
    fill(store, column("devices.power_limit_default"), device, model.power_limit);
  fill(store, column("devices.power_limit"), device, model.power_limit);
  fill(store, column("devices.peer_link_bw"), device, model.peer_link_bw);
  fill(store, column("devices.compute_capability"), device, model.compute_capability);
  for (const auto& [id, peak] : model.peaks) fill(store, id, device, peak);
}

void fill_limits(FactStore& store, std::uint32_t device) {
  const auto limits = unit_limits(store.text(column("devices.compute_capability"), device));
  if (!limits) return;
  fill(store, column("devices.sm_threads"), device, limits->threads);
  fill(store, column("devices.sm_blocks"), device, limits->blocks);
  fill(store, column("devices.sm_regs"), device, limits->registers);
  fill(store, column("devices.sm_smem"), device, limits->shared_memory);
}

}  // namespace

bool DeviceModel::has_figures() const {
  const double figures[] = {sms,     sm_clock_rated, sm_clock_max, mem_clock_max,
                            dram_bw, host_link_bw,   memory,       power_limit};
  return std::any_of(std::begin(figures), std::end(figures), [](double value) { return !std::isnan(value); });
}

std::vector<DeviceModel> parse_device_models(std::string_view csv) {
  constexpr std::size_t field_count = 15;
  constexpr double mega = 1e6, giga = 1e9, gibi = 1024.0 * 1024.0 * 1024.0;
  std::vector<DeviceModel> models;
  while (!csv.empty()) {
    const std::string_view line = csv.substr(0, csv.find('\n'));
    csv.remove_prefix(std::min(csv.size(), line.size() + 1));
    const std::vector<std::string_view> fields = fields_of(line, field_count);
    if (line.starts_with('#') || line.starts_with("name,") || fields.size() < field_count) continue;
    DeviceModel model{.names = {},
                      .vendor = std::string(fields[1]),
                      .kind = std::string(fields[2]),
                      .sms = figure(fields[3], 1),
                      .sm_clock_rated = figure(fields[4], mega),
                      .sm_clock_max = figure(fields[5], mega),
                      .mem_clock_max = figure(fields[6], mega),
                      .dram_bw = figure(fields[7], giga),
                      .host_link_bw = figure(fields[8], giga),
                      .memory = figure(fields[9], gibi),
                      .power_limit = figure(fields[10], 1),
                      .peer_link_bw = figure(fields[12], giga),
                      .compute_capability = std::string(fields[11]),
                      .peaks = peaks_of(fields[13]),
                      .source = std::string(fields[14])};
    for (std::string_view names = fields[0]; !names.empty();) {
      const std::string_view name = names.substr(0, names.find('|'));
      names.remove_prefix(std::min(names.size(), name.size() + 1));
      model.names.push_back(words_of(name));
    }
    models.push_back(std::move(model));
  }
  return models;
}

std::span<const DeviceModel> device_models() {
  static const std::vector<DeviceModel> models = parse_device_models(devices_csv);
  return models;
}

const DeviceModel* find_device_model(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  const bool cut = name.ends_with("...");  // by a table: could be another model's, of the same maker
  const DeviceModel* best = nullptr;
  std::size_t best_words = 0;
  for (const DeviceModel& model : device_models()) {
    if (cut && model.has_figures()) continue;
    for (const std::vector<std::string>& pattern : model.names) {
      const std::size_t matched = matched_words(model, pattern, words);
      if (matched > best_words ||
          (matched == best_words && matched > 0 && !best->has_figures() && model.has_figures())) {
        best = &model;
        best_words = matched;
      }
    }
  }
  return best;
}

void complete_devices(FactStore& store) {
  const std::string maker = maker_of(store);
  for (std::uint32_t device = 0; device < store.rows(table("devices")); ++device) {
    const DeviceModel* model = find_device_model(store.text(column("devices.name"), device));
    if (model == nullptr) fill(store, column("devices.vendor"), device, maker, "names of calls and kernels");
    else fill_model(store, device, *model);
    fill_limits(store, device);
  }
}

}  // namespace kdiag
