// SPDX-License-Identifier: Apache-2.0
// What trtexec prints, anywhere in the output of a script: a summary of the inferences that it timed,
//
//   [05/09/2022-06:10:36] [I] === Performance summary ===
//   [05/09/2022-06:10:36] [I] Enqueue Time: min = 0.0012 ms, max = 0.1047 ms, mean = 0.0169 ms, median = 0.0173 ms
//   [05/09/2022-06:10:36] [I] GPU Compute Time: min = 0.8489 ms, max = 12.27 ms, mean = 0.9429 ms, median = 0.899 ms
//   [05/09/2022-06:10:36] [I] Total Host Walltime: 3.00387 s
//   [05/09/2022-06:10:36] [I] Total GPU Compute Time: 2.25907 s
//
// and with --dumpProfile a table of the engine's layers, whose name stands first or last:
//
//   [I] === Profile (41 iterations ) ===
//   [I]    Time(ms)     Avg.(ms)   Median(ms)   Time(%)   Layer
//   [I]     3345.99      81.6096      79.3160      99.6   conv1 + relu1
//
// What else is logged may stand between the rows of a table, which ends with its total.
//
// Documents leave the title out, and the throughput below it, or the totals: then the throughput says how long a
// thousand inferences take.
//
// An inference, of whatever kernels, is taken for one. The summary is of one stream or of several, whose inputs may be
// copied beside inferences: times of copies add up to no wall. A log with a table has its summary left out, since the
// profiler is in its times. Spec: sampleReporting.cpp of TensorRT since 8.0; summaries before it are refused.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/json/json.hpp"
#include "adapters/nvidia/trtexec/layer_class.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::int64_t ms = 1'000'000, s = 1'000'000'000;
constexpr std::string_view device_label = "Selected Device: ", summary_title = "=== Performance summary ===",
                           profile_title = "=== Profile (";
constexpr std::string_view throughput_label = "Throughput: ", compute_time = "GPU Compute Time: ",
                           all_compute = "Total GPU Compute Time: ", wall_label = "Total Host Walltime: ",
                           mean = "mean = ";

/// The line behind its severity: "GPU Compute Time: ..." of "[05/09/2022-06:10:36] [I] GPU Compute Time: ...".
std::string_view without_prefix(std::string_view line) {
  for (const std::string_view mark : {"[I]", "[W]"})
    if (const std::size_t at = line.find(mark); at != line.npos) return trim(line.substr(at + mark.size()));
  return trim(line);
}

/// The number behind a label, in ns: of "mean = 0.94 ms" with the unit of all, of "Total Host Walltime: 3.0 s" with s.
std::optional<std::int64_t> time_behind(std::string_view text, std::string_view label, std::int64_t unit) {
  const std::size_t at = text.find(label);
  if (at == text.npos) return std::nullopt;
  text = trim(text.substr(at + label.size()));
  const auto time = to_ns(Token{text.substr(0, text.find_first_of(" ,"))}, unit);
  return time && *time >= 0 ? time : std::nullopt;
}

struct Summary {
  std::size_t device = 0;                                         ///< of those named, counted from 1; 0: none was named
  std::optional<std::int64_t> enqueue, inputs, outputs, compute;  ///< of one inference, in the mean
  std::optional<std::int64_t> shortest, longest;                  ///< inference on the device
  std::optional<std::int64_t> wall, all_compute;
  std::optional<double> throughput;  ///< inferences, or their inputs, a second

  /// Totals of a thousand inferences, where the summary has none: false where it does not say enough. More work than
  /// fits into a time counts several inputs as one.
  bool assume_totals() {
    if (wall || all_compute || !compute || !throughput) return false;
    constexpr double inferences = 1000, least = 1e-3;  // judgement: no model is slower
    constexpr double rounded = 1.02;                   // judgement: means have four digits
    const double busy = *throughput * static_cast<double>(*compute) / s;
    if (*throughput < least || busy <= 0 || busy > rounded) return false;
    const double seconds = inferences / *throughput;
    wall = std::llround(seconds * s);
    all_compute = std::llround(seconds * s * std::fmin(busy, 1));
    return true;
  }
  bool complete() const { return wall && all_compute && compute.value_or(0) > 0; }
  std::int64_t inferences() const {
    return std::llround(static_cast<double>(*all_compute) / static_cast<double>(*compute));
  }
};

struct Layer {
  std::string name;
  std::int64_t total = 0;
};

/// A table of layers.
struct Profile {
  std::size_t device = 0;  ///< as of a summary
  std::optional<std::int64_t> iterations;
  std::vector<Layer> layers;
};

/// A header of the table of layers: whether the name stands first, and how many numbers a row has.
struct Columns {
  bool name_first = false;
  int numbers = 0;
};

std::optional<Columns> parse_columns(std::string_view text) {
  const bool first = text.starts_with("Layer");
  if (text.find("Time") == text.npos || !(first || text.ends_with("Layer"))) return std::nullopt;
  return Columns{first, text.find("Median") == text.npos ? 3 : 4};
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink)
      : lines_(input, sink, {.separator = '\0', .quotes = false}), sink_(lines_.sink()) {}

  Status read() {
    while (lines_.next()) line(without_prefix(lines_.record()));
    if (profiles_.empty()) submit_summaries();
    else submit_profiles();
    return lines_.status();
  }

 private:
  void line(std::string_view text) {
    if (text.starts_with(device_label)) start_device(text.substr(device_label.size()));
    else if (text.starts_with(summary_title)) start_summary();
    else if (text.starts_with(profile_title)) start_profile(text);
    else if (text.starts_with(throughput_label)) throughput_line(text);
    else if (in_profile_) profile_line(text);
    else if (begins_summary(text) || !summaries_.empty()) summary_line(text);
    else lines_.note_cut(true);
  }

  void start_device(std::string_view name) {
    in_profile_ = false;
    if (!lines_.note_cut()) devices_.emplace_back(name);
  }

  void start_summary() {
    in_profile_ = false;
    summaries_.push_back({.device = devices_.size()});
  }

  /// The first line below the title, which documents leave out.
  void throughput_line(std::string_view text) {
    const bool whole = text.ends_with("qps");
    if (lines_.note_cut(!whole) || !whole) return;
    if (summaries_.empty() || summaries_.back().throughput || summaries_.back().compute) start_summary();
    text.remove_prefix(throughput_label.size());
    summaries_.back().throughput = to_real(Token{text.substr(0, text.find(' '))});
  }

  /// Whether the line is the first of a summary whose title and throughput are left out: the one before has it already.
  bool begins_summary(std::string_view text) {
    if (text.find(mean) == text.npos) return false;  // explained
    const Summary before = summaries_.empty() ? Summary{} : summaries_.back();
    const auto is_next = [&](std::string_view label, const auto& known) {
      return text.starts_with(label) && (summaries_.empty() || known);
    };
    if (!is_next("Enqueue Time: ", before.enqueue) && !is_next("H2D Latency: ", before.inputs) &&
        !is_next(compute_time, before.compute))
      return false;
    start_summary();
    return true;
  }

  void start_profile(std::string_view text) {
    in_profile_ = true;
    columns_.reset();
    lines_.note_cut(true);
    text.remove_prefix(profile_title.size());
    profile_ = {devices_.size(), to_integer(Token{text.substr(0, text.find(' '))}), {}};
    first_layer_ = true;
  }

  void profile_line(std::string_view text) {
    if (!columns_) {
      columns_ = parse_columns(text);
      in_profile_ = columns_.has_value();
      return void(lines_.note_cut(true));
    }
    const auto layer = parse_layer(text);
    if (layer && layer->name == "Total") in_profile_ = false;
    if (lines_.note_cut(!layer) || !in_profile_ || !layer) return;
    sink_.count_events(1);
    if (layer->total <= 0) return;  // what takes no time launches nothing
    if (std::exchange(first_layer_, false)) profiles_.push_back(std::move(profile_));
    sink_.keeps(1, static_cast<std::int64_t>(sizeof(Layer) + layer->name.size()));
    profiles_.back().layers.push_back(*layer);
  }

  std::optional<Layer> parse_layer(std::string_view text) const {
    std::string_view first_number;
    for (int column = 0; column < columns_->numbers; ++column) {
      const std::size_t blank = columns_->name_first ? text.find_last_of(" \t") : text.find_first_of(" \t");
      if (blank == text.npos) return std::nullopt;
      const std::string_view cell = columns_->name_first ? text.substr(blank + 1) : text.substr(0, blank);
      if (!to_real(Token{cell})) return std::nullopt;
      if (columns_->name_first || first_number.empty()) first_number = cell;
      text = trim(columns_->name_first ? text.substr(0, blank) : text.substr(blank));
    }
    const auto total = to_ns(Token{first_number}, ms);
    if (!total || *total < 0 || text.empty()) return std::nullopt;
    return Layer{std::string(text), *total};
  }

  void summary_line(std::string_view text) {
    Summary& summary = summaries_.back();
    const auto take = [this, text](std::optional<std::int64_t>& place, std::string_view label, std::int64_t unit) {
      if (lines_.note_cut() || place) return;
      place = time_behind(text, label, unit);
      if (!place) sink_.note(note_id::malformed_value, label);
    };
    if (text.starts_with("Enqueue Time: ")) return take(summary.enqueue, mean, ms);
    if (text.starts_with("H2D Latency: ")) return take(summary.inputs, mean, ms);
    if (text.starts_with("D2H Latency: ")) return take(summary.outputs, mean, ms);
    if (text.starts_with(wall_label)) return take(summary.wall, ": ", s);
    if (text.starts_with(all_compute)) return take(summary.all_compute, ": ", s);
    if (text.starts_with(compute_time)) {
      take(summary.compute, mean, ms);
      take(summary.shortest, "min = ", ms);
      return take(summary.longest, "max = ", ms);
    }
    lines_.note_cut(true);  // what stands behind it may be the beginning of another line
  }

  /// `kind`: what the input has `of` times, of which this is number `i`, counted from 0.
  void start_run(std::string_view kind, std::size_t i, std::size_t of, std::size_t device_named, Batch& batch) {
    RunInfo run;
    run.producer = "TensorRT";
    if (of > 1) run.label = std::string(kind) + " " + std::to_string(i + 1);
    run.clock = ClockDomain::device;
    sink_.run(std::move(run));
    const Row device = batch.device(0);
    batch.set(device, column("devices.vendor"), "nvidia");
    batch.set(device, column("devices.kind"), "GPU");
    if (device_named > 0) batch.set(device, column("devices.name"), devices_[device_named - 1]);
  }

  void submit_profiles() {
    if (!summaries_.empty()) sink_.note(note_id::unused_report, "a summary beside a profile of layers");
    for (std::size_t i = 0; i < profiles_.size(); ++i) {
      Batch batch;
      start_run("profile", i, profiles_.size(), profiles_[i].device, batch);
      add_layers(profiles_[i], batch);
      sink_.submit(0, std::move(batch));
    }
  }

  static void add_layers(const Profile& profile, Batch& batch) {
    batch.declare(table("kernel_stats"));
    for (const Layer& layer : profile.layers) {
      const Row row = batch.add(table("kernel_stats"));
      batch.set(row, column("kernel_stats.name"), layer.name);
      batch.set(row, column("kernel_stats.class"), trtexec::layer_class(layer.name));
      batch.set(row, column("kernel_stats.device"), batch.device(0));
      batch.set(row, column("kernel_stats.total"), layer.total);
      if (!profile.iterations || *profile.iterations <= 0) continue;
      batch.set(row, column("kernel_stats.calls"), *profile.iterations);
      batch.set(row, column("kernel_stats.mean"), layer.total / *profile.iterations);
    }
  }

  void submit_summaries() {
    for (std::size_t i = 0; i < summaries_.size(); ++i) {
      Batch batch;
      Summary& summary = summaries_[i];
      if (!summary.complete()) {
        if (summary.assume_totals()) sink_.note(note_id::totals_assumed);
        else sink_.note(note_id::input_cut, "the summary");
      }
      start_run("summary", i, summaries_.size(), summary.device, batch);
      if (summary.complete()) add_summary(summary, batch);
      sink_.submit(0, std::move(batch));
    }
  }

  void add_summary(const Summary& summary, Batch& batch) {
    sink_.count_events(1);
    batch.set(batch.run(), column("runs.host_time"), *summary.wall);
    batch.set(batch.run(), column("runs.device_time"), *summary.all_compute);
    const std::int64_t inferences = summary.inferences();
    batch.declare(table("kernel_stats"));
    const Row all = batch.add(table("kernel_stats"));
    batch.set(all, column("kernel_stats.name"), "inference");
    batch.set(all, column("kernel_stats.class"), "other");
    batch.set(all, column("kernel_stats.device"), batch.device(0));
    batch.set(all, column("kernel_stats.calls"), inferences);
    batch.set(all, column("kernel_stats.total"), *summary.all_compute);
    batch.set(all, column("kernel_stats.mean"), *summary.compute);
    if (summary.shortest) batch.set(all, column("kernel_stats.min"), *summary.shortest);
    if (summary.longest) batch.set(all, column("kernel_stats.max"), *summary.longest);
    const auto add = [&](std::string_view name, ColumnId time, std::optional<std::int64_t> each) {
      std::int64_t total = 0;
      if (!each || __builtin_mul_overflow(*each, inferences, &total)) return;
      const Row row = batch.add(table("op_stats"));
      batch.set(row, column("op_stats.name"), name);
      batch.set(row, column("op_stats.calls"), inferences);
      batch.set(row, time, total);
    };
    batch.declare(table("op_stats"));
    add("enqueue", column("op_stats.host_self"), summary.enqueue);
    add("copy of inputs", column("op_stats.device_self"), summary.inputs);
    add("copy of outputs", column("op_stats.device_self"), summary.outputs);
  }

  CsvReader lines_;  ///< without a separator: lines
  FactSink& sink_;
  std::vector<std::string> devices_;  ///< as they were named
  std::vector<Summary> summaries_;
  std::vector<Profile> profiles_;  ///< with layers that take time
  bool in_profile_ = false, first_layer_ = false;
  Profile profile_;  ///< the one that is read, until its first layer
  std::optional<Columns> columns_;
};

int sniff(const Head& head) {
  const auto has = [&head](std::string_view text) { return head.bytes.find(text) != std::string_view::npos; };
  if (head.json != 0) return 0;
  const bool profile = has(profile_title) && has("Layer") && (has("Time(ms)") || has("Time (ms)"));
  if (profile || (has(summary_title) && has(compute_time))) return 86;
  const bool throughput = has(throughput_label) && has(" qps") && has(compute_time);
  const bool totals = has("GPU Compute Time: min = ") && has(all_compute) && has(wall_label);
  return throughput || totals ? 60 : 0;  // without its title
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"op_stats",         "kernel_stats",   "runs.host_time",
                                         "runs.device_time", "devices.vendor", "devices.name"};

}  // namespace

extern const Adapter trtexec_log;
const Adapter trtexec_log{
    .id = "trtexec-log",
    .title = "Output of trtexec: the summary of its inferences, or the table of layers of --dumpProfile",
    .example = "[I] GPU Compute Time: min = 0.8489 ms, max = 12.27 ms, mean = 0.9429 ms, median = 0.899 ms",
    .record = "trtexec --loadEngine=model.engine > trtexec.log",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
