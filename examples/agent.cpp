// SPDX-License-Identifier: Apache-2.0
// An agent that watches: telemetry comes in as text, the last minutes of it are judged again and again, and findings
// are opened and closed.
//     nvidia-smi dmon -s pucmet -o DT | agent gpu.prom
//     nvidia-smi --query-gpu=timestamp,index,name,utilization.gpu,clocks.sm,power.draw --format=csv -l 1 | agent
//     gpu.prom agent gpu.prom recorded.csv
// What is open stands in the file, as OpenMetrics, which is replaced after each judgement: for the textfile collector
// of Prometheus' node exporter. Openings and closings are printed.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <kdiag/columns.hpp>
#include <kdiag/facts_builder.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/project.hpp>

namespace {

struct Settings {
  std::int64_t window_s = 600;  ///< how much is judged
  int every = 60;               ///< ticks between two judgements
  // A finding is opened when it was in `open_after` of the last `of` judgements, and closed when the last `close_after`
  // were without it, so that what comes and goes at a threshold is told once.
  int open_after = 2, of = 3, close_after = 3;
};

// --- Text to pieces -----------------------------------------------------------------------------------------------

/// Cuts text into ticks: the lines of one second, each with the header of the text before it.
class Ticks {
 public:
  explicit Ticks(std::istream& in) : in_(in) {}

  /// The next tick with its header; false at the end.
  bool next(std::string& tick) {
    std::string lines, second;
    for (; pending_ || std::getline(in_, line_); pending_ = false) {
      if (line_.empty()) continue;
      if (line_.front() == '#' || line_.starts_with("timestamp")) {  // of dmon, which repeats it, and of --query-gpu
        if (!in_header_ || header_.size() > most_bytes) header_.clear();
        in_header_ = true;
        header_ += line_ + '\n';
        continue;
      }
      in_header_ = false;
      const std::size_t text = std::min(line_.find_first_not_of(' '), line_.size());
      const std::string_view begins = std::string_view(line_).substr(text, length_of_second);
      if (!lines.empty() && (begins != second || lines.size() > most_bytes)) {
        pending_ = true;
        break;
      }
      second = begins;
      lines += line_ + '\n';
    }
    tick = header_ + lines;
    return !lines.empty();
  }

 private:
  static constexpr std::size_t most_bytes = 1 << 20;   // of a tick: a stream may be no telemetry
  static constexpr std::size_t length_of_second = 19;  // "2026/01/03 15:36:53", "20260103   15:36:53"
  std::istream& in_;
  std::string header_, line_;
  bool in_header_ = false, pending_ = false;
};

// --- Pieces to a window -------------------------------------------------------------------------------------------

/// The columns of a table that an input stated, to be added to other rows.
class StatedColumns {
 public:
  StatedColumns(const kdiag::Facts& facts, kdiag::TableId table) {
    const kdiag::ColumnRange range = kdiag::columns_of(table);
    for (std::size_t id = 0; id < kdiag::text_count(facts, 0); ++id)
      texts_.push_back(kdiag::text_of(facts, 0, static_cast<std::uint32_t>(id)));
    for (std::uint16_t c = range.first; c < range.first + range.count; ++c) {
      const kdiag::ColumnId column{c};
      if (kdiag::column_provider(facts, 0, column) != facts.inputs()[0].adapter) continue;  // it will be derived anew
      kdiag::BulkColumn bulk{.name = kdiag::info(column).name, .values = {}};
      if (kdiag::info(column).type == kdiag::ColumnType::string) bulk.texts = texts_;
      std::visit(
          [&bulk](const auto& values) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) bulk.values = values;
          },
          kdiag::column_values(facts, 0, column));
      columns.push_back(bulk);
    }
  }

  kdiag::BulkColumn* find(std::string_view name) {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [name](const auto& column) { return column.name == name; });
    return found == columns.end() ? nullptr : &*found;
  }

  std::vector<kdiag::BulkColumn> columns;

 private:
  std::vector<std::string_view> texts_;
};

/// The last minutes of samples.
class Window {
 public:
  explicit Window(std::int64_t length_s)
      : length_ns_(length_s * 1'000'000'000),
        builder_("agent", {.producer = "agent", .clock = kdiag::ClockDomain::local_ns, .telemetry = true}) {}

  /// Adds what a piece says, and drops what is too old.
  void add(const kdiag::Facts& piece) {
    constexpr kdiag::TableId devices = kdiag::table("devices"), samples = kdiag::table("samples");
    std::vector<std::uint32_t> device_rows(kdiag::row_count(piece, 0, devices).value_or(0));
    StatedColumns of_devices(piece, devices), of_samples(piece, samples);
    builder_.rows().add_columns("devices", device_rows.size(), of_devices.columns, device_rows);

    std::vector<std::uint32_t> owners;  // devices have other rows here than in the piece
    kdiag::BulkColumn* device = of_samples.find("device");
    if (device != nullptr) {
      for (const std::uint32_t row : std::get<std::span<const std::uint32_t>>(device->values))
        owners.push_back(row < device_rows.size() ? device_rows[row] : kdiag::absent_index);
      device->values = owners;
    }
    const std::size_t count = kdiag::row_count(piece, 0, samples).value_or(0);
    builder_.rows().add_columns("samples", count, of_samples.columns);

    std::int64_t latest = std::numeric_limits<std::int64_t>::min();
    if (const kdiag::BulkColumn* time = of_samples.find("time"))
      for (const std::int64_t instant : std::get<std::span<const std::int64_t>>(time->values))
        latest = std::max(latest, instant);
    if (latest > std::numeric_limits<std::int64_t>::min() + length_ns_) builder_.drop_before(latest - length_ns_);
  }

  kdiag::Result<kdiag::Facts> facts() { return builder_.snapshot(); }
  std::size_t samples() { return builder_.rows().batch().rows(kdiag::table("samples")); }

 private:
  std::int64_t length_ns_;
  kdiag::FactsBuilder builder_;
};

// --- Findings over time -------------------------------------------------------------------------------------------

/// Findings by their fingerprints, which stay the same from judgement to judgement.
class Findings {
 public:
  explicit Findings(const Settings& settings) : settings_(settings) {}

  struct Followed {
    std::string rule, title;
    kdiag::Severity severity = kdiag::Severity::info;
    std::uint64_t history = 0;  ///< a bit for each judgement, the last one lowest: whether it was found
    bool open = false;
  };

  void judge(const kdiag::Report& report) {
    for (auto& [fingerprint, followed] : all_) followed.history <<= 1U;
    for (const kdiag::Finding& finding : report.findings) {
      Followed& followed = all_[finding.fingerprint];
      followed.rule = finding.rule;
      followed.title = finding.title;
      followed.severity = finding.severity;
      followed.history |= 1U;
    }
    for (auto at = all_.begin(); at != all_.end();) {
      Followed& followed = at->second;
      if (!followed.open && times_in(followed, settings_.of) >= settings_.open_after) {
        followed.open = true;
        ++opened;
        std::cout << "opened " << followed.rule << " (" << kdiag::name_of(followed.severity)
                  << "): " << kdiag::shown_value(followed.title) << '\n';
      } else if (followed.open && times_in(followed, settings_.close_after) == 0) {
        followed.open = false;
        followed.history = 0;
        ++closed;
        std::cout << "closed " << followed.rule << '\n';
      }
      const bool forgotten = !followed.open && times_in(followed, settings_.of) == 0;
      at = forgotten ? all_.erase(at) : std::next(at);
    }
    std::cout.flush();
  }

  const std::map<std::string, Followed>& all() const { return all_; }
  std::uint64_t opened = 0, closed = 0;

 private:
  /// In how many of the last judgements it was.
  static int times_in(const Followed& followed, int judgements) {
    return std::popcount(followed.history & ((std::uint64_t{1} << judgements) - 1));
  }

  Settings settings_;
  std::map<std::string, Followed> all_;
};

// --- OpenMetrics --------------------------------------------------------------------------------------------------

/// The value of a label: names in titles come from whoever wrote the trace.
std::string label(std::string_view text) {
  std::string out = "\"";
  for (const char letter : text) {
    if (letter == '\\' || letter == '"') out += '\\';
    if (letter == '\n') out += "\\n";
    else out += letter;
  }
  return out + '"';
}

std::string metrics(const Findings& findings, std::uint64_t ticks, std::uint64_t unread, std::size_t samples) {
  std::string out =
      "# TYPE kdiag_finding_severity gauge\n"
      "# HELP kdiag_finding_severity Findings that are open: 0 info, 1 low, 2 medium, 3 high, 4 critical.\n";
  for (const auto& [fingerprint, finding] : findings.all()) {
    if (!finding.open) continue;
    out += "kdiag_finding_severity{rule=" + label(finding.rule) + ",fingerprint=" + label(fingerprint) +
           ",title=" + label(finding.title) + "} " + std::to_string(static_cast<int>(finding.severity)) + '\n';
  }
  const auto counter = [&out](const std::string& name, const char* help, std::uint64_t value) {
    out += "# TYPE " + name + " counter\n# HELP " + name + ' ' + help + '\n' + name + "_total " +
           std::to_string(value) + '\n';
  };
  counter("kdiag_findings_opened", "Findings that were opened.", findings.opened);
  counter("kdiag_findings_closed", "Findings that were closed.", findings.closed);
  counter("kdiag_ticks", "Pieces of telemetry that were read.", ticks);
  counter("kdiag_unread_ticks", "Pieces that could not be read.", unread);
  out +=
      "# TYPE kdiag_window_samples gauge\n# HELP kdiag_window_samples Samples in the window.\nkdiag_window_samples " +
      std::to_string(samples) + '\n';
  return out + "# EOF\n";
}

/// Replaces a file, so that nobody reads half of it.
bool replace_file(const std::string& path, const std::string& text) {
  const std::string next = path + ".next";
  std::ofstream file(next, std::ios::binary);
  file << text;
  file.close();
  return file && std::rename(next.c_str(), path.c_str()) == 0;
}

int watch(std::istream& in, const std::string& metrics_file, const Settings& settings, const kdiag::RuleSet& rules) {
  Ticks ticks(in);
  Window window(settings.window_s);
  Findings findings(settings);
  std::uint64_t read = 0, unread = 0;
  for (std::string tick; ticks.next(tick);) {
    kdiag::LoadOptions loading;
    loading.threads = 1;
    const auto piece = kdiag::load_trace("tick", std::span<const char>(tick), loading);
    if (piece && kdiag::run_count(*piece) > 0) window.add(*piece);
    else ++unread;
    if (++read % static_cast<std::uint64_t>(settings.every) != 0) continue;
    if (window.samples() > 0) {
      const auto facts = window.facts();
      if (facts) findings.judge(kdiag::diagnose(*facts, rules, {.threads = 1}));
      else std::cerr << kdiag::render(facts.error());  // what was wrong is left out from now on
    }
    if (!replace_file(metrics_file, metrics(findings, read, unread, window.samples()))) {
      std::cerr << metrics_file << ": cannot be written\n";
      return 2;
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const int value = i + 1 < argc ? std::atoi(argv[i + 1]) : 0;
    if (!argument.starts_with("--")) files.push_back(argument);
    else if (value <= 0 || value > 1'000'000) files.clear();
    else if (argument == "--window") settings.window_s = value, ++i;
    else if (argument == "--every") settings.every = value, ++i;
    else files.clear();
  }
  if (files.empty() || files.size() > 2) {
    std::cerr << "usage: agent METRICS [RECORDED] [--window SECONDS] [--every TICKS]\n";
    return 2;
  }
  const auto rules = kdiag::builtin_rules();
  if (!rules) {
    std::cerr << kdiag::render(rules.error());
    return 2;
  }
  if (files.size() == 1) return watch(std::cin, files[0], settings, *rules);
  std::ifstream recorded(files[1], std::ios::binary);
  if (!recorded) {
    std::cerr << files[1] << ": cannot be read\n";
    return 2;
  }
  return watch(recorded, files[0], settings, *rules);
}
