// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/phrases.hpp"

#include <kdiag/format.hpp>
#include <kdiag/note_ids.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "report/phrases/ledger_phrases.hpp"
#include "report/phrases/work_phrases.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t shown_facts = 2;  // of those that one recording brings

/// Texts in the order in which they come first.
class UniqueTexts {
 public:
  void add(std::string text) {
    if (!text.empty() && seen_.insert(text).second) texts_.push_back(std::move(text));
  }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::set<std::string> seen_;
  std::vector<std::string> texts_;
};

// As subjects of findings are named.
std::string kind_word(const DeviceEntry& device) { return device.kind.empty() ? "GPU" : device.kind; }

std::string devices_phrase(const RunView& view) {
  const std::vector<DeviceEntry>& devices = view.run->devices;
  if (devices.empty()) return {};
  std::set<std::string_view> names;
  std::set<std::string> kinds;
  std::set<std::int64_t> ranks;
  for (const DeviceEntry& device : devices) {
    if (!device.name.empty()) names.insert(device.name);
    kinds.insert(kind_word(device));
    if (device.rank) ranks.insert(*device.rank);
  }
  std::string phrase;
  if (devices.size() == 1) {
    phrase = device_phrase(view, devices[0].rank, devices[0].id);
  } else {
    if (!ranks.empty()) phrase = counted(ranks.size(), "rank") + ", ";
    // A trace names all devices that its process could use; of those without work it says nothing.
    const auto unused = static_cast<std::size_t>(std::count_if(
        view.ledger.begin(), view.ledger.end(), [](const LedgerEntry* entry) { return is_unused(*entry); }));
    if (unused > 0 && unused < devices.size()) phrase += std::to_string(devices.size() - unused) + " of ";
    phrase += counted(devices.size(), kinds.size() == 1 ? *kinds.begin() : "device");
  }
  if (names.size() == 1) phrase.append(" (").append(*names.begin()).append(")");
  return phrase;
}

std::string wall_phrase(const RunEntry& run) {
  if (!run.wall_ns) return "wall unknown";
  std::string wall = format_duration(*run.wall_ns);
  switch (run.wall_basis) {
    case WallBasis::none: return wall;
    case WallBasis::steps:
      return run.steps > 0 ? wall + " in " + counted(static_cast<std::size_t>(run.steps), "step") : wall + " of steps";
    case WallBasis::device: return wall + " of device activity";
    case WallBasis::phases: return wall + " of stated steps";
    case WallBasis::host: return wall + " of host activity";
    case WallBasis::samples:
      if (*run.wall_ns > 0) return wall + " of samples";
      return run.devices.size() > 1 ? "a single sample of each device" : "a single sample";
  }
  return wall;
}

std::size_t rules_in(const Tally& tally) {
  int count = 0;
  for (const int part : {tally.fired, tally.clear, tally.not_applicable, tally.inconclusive, tally.failed})
    count += part;
  return static_cast<std::size_t>(count);
}

std::string tally_phrase(const Tally& tally) {
  std::vector<std::string> parts;
  const auto add = [&parts](int count, const char* word) {
    if (count > 0) parts.push_back(std::to_string(count) + " " + word);
  };
  add(tally.failed, "failed");
  add(tally.fired, "fired");
  add(tally.clear, "clear");
  add(tally.inconclusive, "inconclusive");
  add(tally.not_applicable, "not applicable");
  return counted(rules_in(tally), "rule") + ": " + join(parts, ", ");
}

// "sm_clock samples" for "samples:sm_clock"; tables and columns by their names.
std::string fact_phrase(const std::string& fact) {
  constexpr std::string_view samples = "samples:";
  if (fact.starts_with(samples)) return fact.substr(samples.size()) + " samples";
  return fact;
}

}  // namespace

std::string product_phrase(const Report& report) {
  std::string_view version = report.version;
  if (version.ends_with(".0")) version.remove_suffix(2);
  return "kdiag " + std::string(version);
}

std::string run_phrase(const RunView& view) {
  const RunEntry& run = *view.run;
  if (view.report->runs.size() == 1) return run.label;
  const bool baseline = run.role == RunRole::baseline;
  std::string phrase = (baseline ? "baseline run " : "run ") + run.id;
  if (view.alike > 1) phrase += " of " + std::to_string(view.alike);
  const bool says_more = !run.label.empty() && run.label != run.id && !run.label.starts_with("run ");
  if (says_more) phrase += " (" + run.label + ")";
  if (!run.baseline.empty()) phrase += " against baseline run " + run.baseline;
  return phrase;
}

std::vector<std::string> run_phrases(const RunView& view) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::string part) {
    if (!part.empty()) parts.push_back(std::move(part));
  };
  add(view.adapters);
  add(run_phrase(view));
  add(devices_phrase(view));
  add(wall_phrase(*view.run));
  if (!view.run->scope.empty()) add("only " + view.run->scope);
  add(utilization_phrase(view));
  if (rules_in(view.rules) > 0) add(tally_phrase(view.rules));
  return parts;
}

std::string device_phrase(const RunView& view, std::optional<std::int64_t> rank, std::optional<std::int64_t> device) {
  std::string phrase = rank ? "rank " + std::to_string(*rank) : "";
  if (device) {
    const auto found = view.devices.find({rank, *device});
    if (!phrase.empty()) phrase += " ";
    const bool by_address = found != view.devices.end() && !found->second->address.empty();
    phrase += (found == view.devices.end() ? "device" : kind_word(*found->second)) + " " +
              (by_address ? found->second->address : std::to_string(*device));
  }
  return phrase.empty() ? "run" : phrase;
}

std::string device_kind(const RunView& view) {
  const std::vector<DeviceEntry>& devices = view.run->devices;
  if (devices.empty()) return "device";
  const std::string first = kind_word(devices.front());
  return std::all_of(devices.begin(), devices.end(), [&](const DeviceEntry& d) { return kind_word(d) == first; })
             ? first
             : "device";
}

std::string missing_phrase(const std::vector<MissingEntry>& missing, const std::string& reason) {
  UniqueTexts facts;
  for (const MissingEntry& entry : missing) facts.add(fact_phrase(entry.fact));
  if (facts.texts().empty()) return reason.empty() ? "undeterminable" : reason;
  return "missing " + join(facts.texts(), ", ");
}

// Rules name the best source first, and the others are ways around its absence.
std::vector<MissingEntry> first_missing(const Unresolved& group) {
  std::vector<MissingEntry> missing = group.missing;
  if (missing.empty()) return missing;
  const std::string recording = missing.front().how_to_record;
  std::erase_if(missing, [&](const MissingEntry& entry) { return entry.how_to_record != recording; });
  missing.resize(std::min(missing.size(), shown_facts));
  return missing;
}

std::string unresolved_phrase(const Unresolved& group, bool all) {
  const std::vector<MissingEntry> missing = all ? group.missing : first_missing(group);
  UniqueTexts ways;
  for (const MissingEntry& entry : missing) ways.add(entry.how_to_record);
  return missing_phrase(missing, group.reason) + (ways.texts().empty() ? "" : ". Record: " + join(ways.texts(), "; "));
}

bool judged_nothing(const RunView& view) { return view.run->role == RunRole::baseline && view.outcomes.empty(); }

/// Whether an input of the run has such a note.
bool has_note(const RunView& view, std::string_view id) {
  const auto& inputs = view.report->inputs;
  return std::any_of(inputs.begin(), inputs.end(), [&view, id](const InputEntry& input) {
    return input.role == view.run->role &&
           std::any_of(input.notes.begin(), input.notes.end(), [id](const NoteEntry& note) { return note.id == id; });
  });
}

std::string clean_phrase(const RunView& view) {
  const Tally& rules = view.rules;
  const std::size_t total = rules_in(rules);
  if (has_note(view, note_id::no_rows)) return "No result: no row of the input could be read.";
  if (has_note(view, note_id::rows_without_place)) return "No result: no row of the input has a place among the facts.";
  if (total == 0) return "No rule was judged.";
  const auto number = [](int count) { return counted(static_cast<std::size_t>(count), "rule"); };
  if (rules.clear == 0 && rules.inconclusive + rules.failed > 0)
    return "No result: the input lacks the data for the " + number(rules.inconclusive + rules.failed) +
           (rules.inconclusive + rules.failed == 1 ? " that applies." : " that apply.");
  if (rules.clear == 0) return "No finding: no rule applies to this input.";
  // Of telemetry the figures stand above it, and few rules apply: a few clear ones are no all-clear.
  if (const int open = rules.inconclusive + rules.failed; !view.telemetry.empty() && open > rules.clear)
    return "No finding, but most rules could not tell (" + std::to_string(open) + " of " +
           std::to_string(open + rules.clear) + "); " + number(rules.clear) + (rules.clear == 1 ? " is" : " are") +
           " clear.";
  const std::string lead = view.telemetry.empty() ? "No finding: " : "Nothing wrong in what was sampled: ";
  std::string phrase = lead + number(rules.clear) + (rules.clear == 1 ? " is clear" : " are clear");
  if (rules.inconclusive > 0) phrase += ", " + std::to_string(rules.inconclusive) + " could not tell";
  if (rules.failed > 0) phrase += ", " + std::to_string(rules.failed) + " failed";
  return phrase + ".";
}

// The last part of a path is enough for an input that is the only one of that name.
namespace {

/// Below the folder or archive that all inputs lie in.
std::string_view inner_path(const Report& report, const InputEntry& input) {
  const auto folder_of = [](std::string_view path) { return path.substr(0, path.rfind('/') + 1); };
  std::string_view folder = folder_of(input.path);
  for (const InputEntry& other : report.inputs)
    while (!other.path.starts_with(folder)) folder = folder_of(folder.substr(0, folder.size() - 1));
  return std::string_view(input.path).substr(folder.size());
}

std::string input_phrase(const Report& report, const InputEntry& input) {
  const auto name = [](const InputEntry& one) { return std::string_view(one.path).substr(one.path.rfind('/') + 1); };
  const auto same = std::count_if(report.inputs.begin(), report.inputs.end(),
                                  [&](const InputEntry& other) { return name(other) == name(input); });
  if (name(input).empty()) return input.path;
  return std::string(same > 1 ? inner_path(report, input) : name(input));
}

}  // namespace

std::string note_phrase(const Report& report, const InputNote& of) {
  const NoteEntry& note = *of.note;
  const bool of_folder = note.id == note_id::files_skipped || note.id == note_id::hidden_files_skipped;
  const std::string others = of.others.empty() ? "" : " and " + counted(of.others.size(), "more input");
  const std::string times = of.count > 1 ? " (" + format_count(static_cast<std::int64_t>(of.count)) + " times)" : "";
  return (of_folder ? "beside " : "") + input_phrase(report, *of.input) + others + ": " + note.text + times + " [" +
         note.id + "]";
}

std::vector<InputNote> notes_of(const Report& report) {
  std::vector<InputNote> notes;
  using Words = std::pair<std::string_view, std::string_view>;  // id and text
  std::map<Words, std::size_t> places;
  for (const InputEntry& input : report.inputs)
    for (const NoteEntry& note : input.notes) {
      const auto [place, is_new] = places.emplace(Words(note.id, note.text), notes.size());
      if (is_new) notes.push_back({&input, &note, 0, {}});
      InputNote& of = notes[place->second];
      of.count += note.count;
      if (&input != of.input) of.others.insert(&input);
    }
  return notes;
}

bool is_damage(const NoteEntry& note) { return note.severity >= NoteSeverity::data_loss; }

std::string damage_word(const NoteEntry& note) { return note.severity == NoteSeverity::error ? "ERROR" : "DATA LOSS"; }

std::string gate_phrase(const GateEntry& gate) {
  return gate.condition + ": " + std::string(name_of(gate.outcome)) + ", " + gate.reason + ".";
}

std::string severity_word(Severity severity) { return upper(name_of(severity)); }

}  // namespace kdiag::report
