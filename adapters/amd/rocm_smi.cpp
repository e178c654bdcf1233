// SPDX-License-Identifier: Apache-2.0
// What `rocm-smi` prints, as text, and with `--json` and `--csv`: per card the same names with their unit in brackets,
// values as text
// ("53.0", "(1402Mhz)", "N/A"). JSON is an object of cards, CSV a row per card; repeated calls may follow one another.
// Text has a banner per call, which documents leave out, then lines "GPU[0] : GPU use (%): 99", or the concise table,
// whose columns differ between versions.
// There are no times. Spec: none but the tool; names of ROCm 5 and 6, which differ in capitals and words.
// Clock levels ("0", "1", ... of several clocks under one name each) cannot be told apart and are left out.
#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/adapter.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/amd/common/rocm_concise.hpp"
#include "adapters/json/json.hpp"
#include "adapters/rows/csv_header.hpp"
#include "adapters/rows/telemetry_names.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/units.hpp"
#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

// The edge sensor is what others call the core's; cards without it have the one at the hot spot.
constexpr TelemetryName names[] = {
    {"sclk clock speed:", "MHz", "sm_clock"},
    {"mclk clock speed:", "MHz", "mem_clock"},
    {"Average Graphics Package Power (W)", "W", "power"},
    {"Current Socket Graphics Package Power (W)", "W", "power"},
    {"Temperature (Sensor edge) (C)", "C", "temperature"},
    {"Temperature (Sensor junction) (C)", "C", "temperature"},
    {"Temperature (Sensor memory) (C)", "C", "mem_temperature"},
    {"Temperature (Sensor mem) (C)", "C", "mem_temperature"},
    {"GPU use (%)", "%", "gpu_util"},
    {"GPU memory use (%)", "%", "mem_util"},
    {"GPU Memory Read/Write Activity (%)", "%", "mem_util"},
    {"VRAM Total Used Memory (B)", "B", "memory_used"},
    {"GPU Memory Allocated (VRAM%)", "%", "memory_share"},
    {"PCIe Replay Count", "", "pcie_replays"},
    // ROCm 1
    {"GPU Clock Level", "MHz", "sm_clock"},
    {"GPU Memory Clock Level", "MHz", "mem_clock"},
    {"Temperature", "C", "temperature"},
    {"VRAM Total Memory (B)", "B", "", column("devices.memory")},
    {"Max Graphics Package Power (W)", "W", "", column("devices.power_limit")},
};
constexpr std::string_view model_names[] = {"Card series", "Card Series", "Device Name"};
constexpr std::string_view id_names[] = {"Unique ID", "PCI Bus"};

/// "card3" -> 3.
std::optional<std::int64_t> card_number(std::string_view key) {
  return key.starts_with("card") ? to_integer(Token{key.substr(4)}) : std::nullopt;
}

constexpr std::string_view banner = "ROCm System Management Interface";
bool has_banner(std::string_view text) { return text.find(banner) != std::string_view::npos; }
bool has_concise_table(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (rocm::ConciseTable::is_header(trim(text.substr(at, end - at)))) return true;
    at = end + 1;
  }
  return false;
}
bool is_text_report(std::string_view text) { return has_banner(text) || has_concise_table(text); }

/// "GPU[3]  : GPU use (%): 99" -> 3, and the value among those of the card.
std::optional<std::int64_t> read_property(std::string_view line, rocm::Cards& cards) {
  constexpr std::string_view start = "GPU[";
  const std::size_t close = line.find(']');
  if (!line.starts_with(start) || close == std::string_view::npos) return std::nullopt;
  const auto number = to_integer(Token{line.substr(start.size(), close - start.size())});
  const std::string_view rest = trim(line.substr(line.find(':', close) + 1));
  const std::size_t colon = rest.find(": ");
  if (!number || *number < 0 || line.find(':', close) == std::string_view::npos || colon == std::string_view::npos)
    return std::nullopt;
  std::string name(rest.substr(0, colon));
  std::string_view value = trim(rest.substr(colon + 1));
  // "sclk clock level: 8: (1700Mhz)", "8 (1700Mhz)" or "8: 1700Mhz"
  constexpr std::string_view level = " clock level";
  if (name.ends_with(level)) {
    name = name.substr(0, name.size() - level.size()) + " clock speed:";
    const std::size_t bracket = value.find('(');
    value = trim(value.substr(bracket == std::string_view::npos ? value.find(':') + 1 : bracket));
  } else if (name.ends_with(" Clock Level")) {  // "GPU Clock Level: 0 (300Mhz)"
    value = value.substr(std::min(value.find('('), value.size()));
  } else if (name.ends_with(" (c)")) {
    name.replace(name.size() - 2, 1, "C");
  } else if (name == "Temperature") {
    value = rocm::without_degree(value);  // "32.0c"
  }
  cards[*number].emplace(std::move(name), value);
  return number;
}

class Reader {
 public:
  Reader(Input& input, FactSink& sink) : input_(input), sink_(sink) {}

  Status read() {
    const Head& head = input_.head();
    Status status = head.json != 0 ? read_json() : is_text_report(head.bytes) ? read_text() : read_csv();
    if (!status) return status;
    if (cards_ > 0) sink_.note(note_id::assumed_times);
    sink_.run(telemetry_run("rocm-smi", ClockDomain::device));
    sink_.submit(0, facts_.take());
    return ok_status();
  }

 private:
  Status read_json() {
    const auto count = read_documents(input_, sink_, [this](const JsonValue& document, std::uint64_t) {
      for (const JsonMember& member : document.members) {
        const auto number = card_number(member.key);
        if (!number) continue;  // "system"
        rocm::Card card;
        for (const JsonMember& property : member.value.members) card.emplace(property.key, property.value.text);
        add(*number, card);
      }
    });
    return count ? ok_status() : Status(count.error());
  }

  Status read_text() {
    CsvReader csv(input_, sink_, {.quotes = false, .proves_end = never_ends});
    rocm::Cards cards;
    std::optional<rocm::ConciseTable> concise;
    int tables = 0;  // since the last banner
    const auto finish = [&] {
      for (const auto& [number, card] : cards) add(number, card);
      cards.clear();
    };
    while (csv.next()) {
      std::string_view line = trim(csv.record());
      if (line.starts_with('#')) line = trim(line.substr(1));  // ROCm 1
      if (has_banner(line)) {
        finish();
        tables = 0;
      }
      const bool header = rocm::ConciseTable::is_header(line);
      if (header && tables++ > 0) finish();  // of another call
      if (header) concise.emplace(line);
      else if (line.starts_with('=') && !is_rule(line)) concise.reset();
      if (csv.note_cut() || read_property(line, cards) || !concise) continue;
      if (!concise->read(line, cards)) csv.sink().note(note_id::malformed_value, "number of columns");
    }
    finish();
    return csv.status();
  }

  static bool is_rule(std::string_view line) { return line.find_first_not_of('=') == std::string_view::npos; }

  Status read_csv() {
    CsvReader csv(input_, sink_);
    std::vector<std::string> header;
    while (csv.next()) {
      if (csv.fields().front() == "device") {
        csv.note_cut(true);
        header.assign(csv.fields().begin(), csv.fields().end());
        continue;
      }
      const bool complete = csv.fields().size() == header.size();
      if (csv.note_cut(!complete)) continue;
      const auto number = card_number(csv.fields().front());
      if (!number || !complete) {
        csv.sink().note(number ? note_id::malformed_value : note_id::no_log_row, number ? "number of columns" : "");
        continue;
      }
      rocm::Card card;
      for (std::size_t i = 0; i < header.size(); ++i) card.emplace(header[i], csv.fields()[i]);
      add(*number, card);
    }
    return csv.status();
  }

  void add(std::int64_t number, const rocm::Card& card) {
    sink_.count_events(1);
    ++cards_;
    const auto value_of = [&card](std::string_view name) {
      const auto found = card.find(name);
      std::string_view text = found == card.end() ? std::string_view{} : std::string_view(found->second);
      if (text.starts_with('(') && text.ends_with(')')) text = text.substr(1, text.size() - 2);
      return text;
    };
    for (std::string_view name : model_names) facts_.set(number, column("devices.name"), value_of(name));
    for (std::string_view name : id_names) facts_.set(number, column("devices.uuid"), value_of(name));
    const std::int64_t at = ticks_[number]++ * assumed_period_ns;
    add_report(facts_, names, number, at, value_of, sink_);
    for (const std::string_view name : {"pcie clock speed:", "pcie clock level"}) add_link(number, at, value_of(name));
  }

  /// "5.0GT/s x1" or, in JSON, "1 (5.0GT/s x1)": the generation, which has its rate, and the lanes.
  void add_link(std::int64_t number, std::int64_t at, std::string_view level) {
    constexpr std::string_view unit = "GT/s";
    level.remove_prefix(std::min(level.find('(') + 1, level.size()));  // of none all of it
    const std::size_t end = level.find(unit);
    if (end == std::string_view::npos) return;
    const std::string_view lanes = trim(level.substr(end + unit.size()));
    constexpr double rates[] = {2.5, 5, 8, 16, 32, 64};  // PCI Express Base Specification, by generation
    const auto rate = parse_number<double>(level.substr(0, end));
    if (const auto* known = std::find(std::begin(rates), std::end(rates), rate.value_or(0)); known != std::end(rates))
      facts_.add("pcie_gen", number, at, static_cast<double>(known - std::begin(rates) + 1));
    const std::size_t digits = std::min(lanes.find_first_not_of("0123456789", 1), lanes.size());
    if (!lanes.starts_with('x') || digits < 2) return;
    if (const auto width = to_integer(Token{lanes.substr(1, digits - 1)}))
      facts_.add("pcie_width", number, at, static_cast<double>(*width));
  }

  Input& input_;
  FactSink& sink_;
  DeviceSamples facts_{"amd"};
  std::map<std::int64_t, std::int64_t> ticks_;  ///< reports by card
  std::int64_t cards_ = 0;
};

int sniff(const Head& head) {
  if (head.json == '{')
    for (std::string_view key : head.keys)
      if (card_number(key)) return 80;
  if (head.json != 0) return 0;
  if (has_banner(head.bytes)) return 80;
  if (has_concise_table(head.bytes)) return 60;
  const std::vector<std::string_view> fields = header_fields(first_line(head.bytes));
  if (fields.size() < 2 || fields.front() != "device") return 0;
  for (std::string_view field : fields)
    if (find_telemetry(names, field) != nullptr) return 85;
  return 0;
}

Status read(Input& input, FactSink& sink) { return Reader(input, sink).read(); }

constexpr std::string_view provides[] = {"samples",
                                         "samples:sm_clock",
                                         "samples:mem_clock",
                                         "samples:power",
                                         "samples:temperature",
                                         "samples:mem_temperature",
                                         "samples:gpu_util",
                                         "samples:mem_util",
                                         "samples:memory_used",
                                         "samples:memory_share",
                                         "samples:pcie_replays",
                                         "samples:pcie_gen",
                                         "samples:pcie_width",
                                         "devices.id",
                                         "devices.name",
                                         "devices.uuid",
                                         "devices.power_limit",
                                         "devices.memory"};

}  // namespace

extern const Adapter rocm_smi;
const Adapter rocm_smi{
    .id = "rocm-smi",
    .title = "Reports of rocm-smi as JSON, CSV or text: clocks, power, temperature, utilization, memory",
    .example = "{\"card0\": {\"Temperature (Sensor edge) (C)\": \"53.0\", \"sclk clock speed:\": \"(300Mhz)\"",
    .record = "while sleep 1; do rocm-smi -a --json; done > gpu.json",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
