// SPDX-License-Identifier: Apache-2.0
#include "adapters/generic/latencyprism/compared_runs.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/text/units.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t normal = 0, abnormal = 1;
constexpr ColumnId function = column("comparisons.function");

using Meaning = ComparisonHeader::Meaning;

struct Known {
  std::string_view name;
  Meaning meaning;
  ColumnId fact;
};
constexpr Known known[] = {
    {"Function Name", Meaning::text, function},
    {"Metric Name", Meaning::text, column("comparisons.metric")},
    {"Device", Meaning::text, column("comparisons.device")},
    {"Suspicion Score", Meaning::number, column("comparisons.suspicion")},
    {"Δβ(%)", Meaning::change, {}},
    {"Z-Score(β)", Meaning::number, column("comparisons.z_beta")},
    {"p-value(β)", Meaning::number, column("comparisons.p_beta")},
    {"U-test p(β)", Meaning::number, column("comparisons.u_beta")},
    {"Δμ", Meaning::change, {}},
    {"Z-Score(μ)", Meaning::number, column("comparisons.z_mu")},
    {"Z-Score(log_μ)", Meaning::number, column("comparisons.z_log_mu")},
    {"p-value(μ)", Meaning::number, column("comparisons.p_mu")},
    {"U-test p(μ)", Meaning::number, column("comparisons.u_mu")},
};
// Of each run, by side.
constexpr ColumnId beta[] = {column("comparisons.beta_normal"), column("comparisons.beta_abnormal")};
constexpr ColumnId mu[] = {column("comparisons.mu_normal"), column("comparisons.mu_abnormal")};

/// What stands between a prefix and a suffix: "normal" of "β_normal(%)".
std::optional<std::string_view> between(std::string_view text, std::string_view prefix, std::string_view suffix) {
  if (text.size() <= prefix.size() + suffix.size() || !text.starts_with(prefix) || !text.ends_with(suffix))
    return std::nullopt;
  return text.substr(prefix.size(), text.size() - prefix.size() - suffix.size());
}

std::int64_t median_of(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  const std::int64_t low = values[(values.size() - 1) / 2], high = values[values.size() / 2];
  return low + (high - low) / 2;
}

}  // namespace

std::optional<ComparisonHeader> ComparisonHeader::parse(std::span<const std::string_view> names) {
  ComparisonHeader header;
  std::size_t shares = 0, means = 0;
  bool has_function = false;
  for (std::string_view name : names) {
    Column column{Meaning::unknown, {}, std::string(name)};
    const auto* found =
        std::find_if(std::begin(known), std::end(known), [&](const Known& k) { return k.name == name; });
    if (found != std::end(known)) {
      column.meaning = found->meaning;
      column.fact = found->fact;
      has_function = has_function || found->fact == function;
    } else if (const auto run = between(name, "β_", "(%)"); run && shares < header.runs_.size()) {
      column.meaning = Meaning::share;
      column.fact = beta[shares];
      header.runs_.at(shares++) = *run;
    } else if (between(name, "μ_", "") && means < std::size(mu)) {
      column.meaning = Meaning::number;
      column.fact = mu[means++];
    }
    header.columns_.push_back(std::move(column));
  }
  if (!has_function || shares < header.runs_.size()) return std::nullopt;
  return header;
}

void ComparedRuns::set_header(ComparisonHeader header) {
  for (const ComparisonHeader::Column& column : header.columns())
    if (column.meaning == Meaning::unknown) sink_.note(note_id::unknown_table_column, column.name);
  names_ = header.runs();
  header_ = std::move(header);
  sides_[abnormal].batch.declare(table("comparisons"));
}

std::string_view ComparedRuns::text_of(std::span<const std::string_view> cells, ColumnId fact) const {
  for (std::size_t place = 0; place < cells.size(); ++place)
    if (header_->columns()[place].fact == fact && !is_missing_word(cells[place])) return trim(cells[place]);
  return {};
}

std::optional<double> ComparedRuns::number_of(const ComparisonHeader::Column& column, std::string_view cell) {
  if (column.meaning != Meaning::number && column.meaning != Meaning::share) return std::nullopt;
  if (is_missing_word(cell)) return std::nullopt;
  const auto number = parse_measured(cell);
  if (!number || !number->unit.empty()) {
    sink_.note(note_id::malformed_value, column.name);
    return std::nullopt;
  }
  return column.meaning == Meaning::share ? to_base_unit(number->value, "%", Unit::ratio) : number->value;
}

void ComparedRuns::add_row(std::span<const std::string_view> cells) {
  if (text_of(cells, function).empty()) return sink_.note(note_id::malformed_value, "function");
  Batch& batch = sides_[abnormal].batch;
  const Row row = batch.add(table("comparisons"));
  std::array<std::optional<double>, 2> share, mean;
  for (std::size_t place = 0; place < cells.size(); ++place) {
    const ComparisonHeader::Column& about = header_->columns()[place];
    if (about.meaning == Meaning::text && !is_missing_word(cells[place])) {
      batch.set(row, about.fact, trim(cells[place]));
    } else if (const auto number = number_of(about, cells[place])) {
      batch.set(row, about.fact, *number);
      for (std::size_t side : {normal, abnormal}) {
        if (about.fact == beta[side]) share.at(side) = number;
        if (about.fact == mu[side]) mean.at(side) = number;
      }
    }
  }
  const std::string_view device = text_of(cells, column("comparisons.device"));
  if (!device_label(device)) return;
  devices_.emplace(device);
  for (std::size_t side : {normal, abnormal})
    if (mean.at(side) && share.at(side))
      sides_.at(side).clocks.add(device, text_of(cells, column("comparisons.metric")), *mean.at(side), *share.at(side));
}

void ComparedRuns::add_cycle(std::size_t side, std::int64_t dur_ns) {
  Batch& batch = sides_.at(side).batch;
  batch.set(batch.add(table("steps")), column("steps.dur"), dur_ns);
  sides_.at(side).cycles.push_back(dur_ns);
}

void ComparedRuns::submit(std::size_t number) {
  if (!header_ && sides_[normal].cycles.empty() && sides_[abnormal].cycles.empty()) return;  // a title without tables
  const double highest = std::max(sides_[normal].clocks.highest(), sides_[abnormal].clocks.highest());
  const auto unit = plausible_unit(highest);
  if (highest > 0) sink_.note(note_id::assumed_clock_unit, unit ? unit->name : "none fits");
  for (std::size_t side : {normal, abnormal}) {
    Batch& batch = sides_.at(side).batch;
    for (const std::string& text : devices_) {
      const auto label = device_label(text);
      const Row device = batch.device(label->id);
      batch.set(device, column("devices.kind"), label->kind);
      const auto set_clock = [&](ColumnId fact, std::optional<double> clock) {
        if (clock && unit) batch.set(device, fact, *clock * unit->hertz);
      };
      set_clock(column("devices.sm_clock_avg"), sides_.at(side).clocks.sm_clock(label->id));
      set_clock(column("devices.mem_clock_avg"), sides_.at(side).clocks.mem_clock(label->id));
      if (side == abnormal) set_clock(column("devices.sm_clock_normal"), sides_[normal].clocks.sm_clock(label->id));
    }
    if (side == abnormal && !sides_[normal].cycles.empty() && !sides_[abnormal].cycles.empty()) {
      const Row compared = batch.run();
      batch.set(compared, column("runs.cycle_time_normal"), median_of(sides_[normal].cycles));
      batch.set(compared, column("runs.cycle_time_abnormal"), median_of(sides_[abnormal].cycles));
    }
    RunInfo run;
    run.label = names_.at(side) + (number > 1 ? " " + std::to_string(number) : "");
    run.producer = "LatencyPrism";
    sink_.run(std::move(run));
    sink_.note(note_id::report_of_two_runs);
    sink_.submit(0, std::move(batch));
  }
}

}  // namespace kdiag::adapters
