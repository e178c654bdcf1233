// SPDX-License-Identifier: Apache-2.0
#include "report/text/ledger.hpp"

#include <kdiag/format.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/escape.hpp"
#include "base/utf8.hpp"
#include "report/phrases/ledger_phrases.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/table.hpp"

namespace kdiag::report {
namespace {

constexpr std::string_view label = "where the time went";
constexpr std::size_t most_lines = 4;  // with more devices their spread says more than their list (judgement)

std::string device_of(const RunView& view, const LedgerEntry& entry) {
  return visible(device_phrase(view, entry.rank, entry.device));
}

// "compute 9.2 %" and the like as words that wrap between lines of the ledger only: busy lines two spaces apart,
// idle ones as a list behind "idle:".
class Shares {
 public:
  void add(const LedgerLine& line, const std::string& share) {
    const std::string text = visible(ledger_name(line)) + " " + share;
    if (!is_idle(line)) {
      busy_.push_back(text + " ");
    } else {
      if (!idle_.empty()) idle_.back() += ",";
      idle_.push_back(idle_.empty() ? "idle: " + text : text);
    }
  }
  std::vector<std::string> words(const std::string& closing) const {
    std::vector<std::string> all = busy_;
    all.insert(all.end(), idle_.begin(), idle_.end());
    if (all.empty()) all.emplace_back("nothing");
    if (closing.empty()) return all;
    all.back().append(all.back().ends_with(' ') ? " " : "  ");
    all.push_back("(" + visible(closing) + ")");
    return all;
  }

 private:
  std::vector<std::string> busy_, idle_;
};

std::vector<std::string> entry_words(const LedgerEntry& entry, const std::string& closing) {
  Shares shares;
  for (const LedgerLine& line : entry.lines)
    if (line.ns > 0) shares.add(line, ledger_share(line));
  return shares.words(closing);
}

using Entries = std::vector<const LedgerEntry*>;

void print_devices(Page& page, const RunView& view, const Entries& entries) {
  const bool named = view.ledger.size() > 1;
  const bool same_basis = std::all_of(entries.begin(), entries.end(), [&entries](const LedgerEntry* entry) {
    return entry->basis == entries.front()->basis;
  });
  std::size_t width = 0;
  for (const LedgerEntry* entry : entries) width = std::max(width, count_code_points(device_of(view, *entry)));
  std::string_view section = label;
  for (const LedgerEntry* entry : entries) {
    const bool last = entry == entries.back();
    std::vector<std::string> words = entry_words(*entry, same_basis && !last ? "" : ledger_basis(*entry));
    if (named) {
      std::string name = device_of(view, *entry);
      name.append(width - count_code_points(name) + 1, ' ');
      words.insert(words.begin(), std::move(name));
    }
    page.field(section, 1, section_column, words, Style::strong);
    section = "";
  }
}

struct Spread {
  LedgerLine line;
  double low = 1;
  double high = 0;
};

// Lowest and highest share of each line over devices; a line that a device lacks is 0 there.
std::vector<Spread> spreads(const Entries& entries) {
  std::vector<Spread> found;
  for (const LedgerEntry* entry : entries)
    for (const LedgerLine& line : entry->lines)
      if (line.ns > 0 &&
          std::none_of(found.begin(), found.end(), [&](const Spread& have) { return have.line.name == line.name; }))
        found.push_back({line, 1, 0});
  for (Spread& spread : found)
    for (const LedgerEntry* entry : entries) {
      const auto line = std::find_if(entry->lines.begin(), entry->lines.end(),
                                     [&](const LedgerLine& have) { return have.name == spread.line.name; });
      const double share = line == entry->lines.end() ? 0 : line->share.value_or(0);
      spread.low = std::min(spread.low, share);
      spread.high = std::max(spread.high, share);
    }
  return found;
}

void print_spread(Page& page, const Entries& entries) {
  Shares shares;
  for (const Spread& spread : spreads(entries)) shares.add(spread.line, format_share_range(spread.low, spread.high));
  std::vector<std::string> words = shares.words(ledger_basis(*entries[0]) + "; each device with --all");
  words.insert(words.begin(), "lowest to highest of " + std::to_string(entries.size()) + " devices: ");
  page.field(label, 1, section_column, words, Style::strong);
}

void print_in_full(Page& page, const RunView& view, const Entries& entries) {
  std::string_view section = label;
  for (const LedgerEntry* entry : entries) {
    std::string heading = device_phrase(view, entry->rank, entry->device);
    if (entry->wall_ns) heading += ", " + format_duration(*entry->wall_ns);
    page.field(section, 1, section_column, words_of(heading + ", " + ledger_basis(*entry)), Style::strong);
    section = "";
    std::vector<std::vector<std::string>> cells;
    for (const LedgerLine& line : entry->lines)
      cells.push_back({visible(line.name), ledger_time(line), ledger_exact_share(line), visible(line.rule)});
    for (const std::string& line :
         align_columns(std::move(cells), {false, true, true, false}, page.width() - section_column))
      page.line(std::string(section_column, ' ') + line);
  }
}

// What a run pays once: inside the account, with what remains without it, and steps that are no part of it. Of many
// devices those that pay most.
void print_one_off(Page& page, const RunView& view, const Entries& entries, bool all) {
  std::string_view section = "one-off costs";
  std::set<const LedgerEntry*> hidden;
  const auto print = [&](const std::string& device, std::vector<std::string> words) {
    if (!device.empty()) words.insert(words.begin(), device + " ");
    page.field(section, 1, section_column, words, Style::strong);
    section = "";
  };
  Entries paying;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(paying),
               [](const LedgerEntry* entry) { return entry->rest_ns.has_value(); });
  const auto cost = [](const LedgerEntry* entry) { return *entry->wall_ns - *entry->rest_ns; };
  if (!all && paying.size() > most_lines)
    std::stable_sort(paying.begin(), paying.end(), [&](const auto* a, const auto* b) { return cost(a) > cost(b); });
  const std::size_t most = all ? view.ledger.size() : most_lines;
  for (std::size_t i = 0; i < paying.size(); ++i) {
    const LedgerEntry& entry = *paying[i];
    if (i >= most) {
      hidden.insert(&entry);
      continue;
    }
    std::vector<std::string> words = words_of(one_off_phrase(entry) + (*entry.rest_ns > 0 ? ":" : ""));
    if (*entry.rest_ns > 0)
      for (std::string& word : entry_words(without_one_off(entry), "")) words.push_back(std::move(word));
    print(view.ledger.size() > 1 ? device_of(view, entry) : "", std::move(words));
  }
  const std::vector<ExcludedSteps> apart = excluded_steps(entries);
  for (std::size_t i = 0; i < apart.size(); ++i)
    if (i < most) print(visible(device_phrase(view, apart[i])), words_of("not judged: " + apart[i].phrase));
    else hidden.insert(apart[i].entries.begin(), apart[i].entries.end());
  if (!hidden.empty())
    page.field("", 1, section_column, words_of(counted(hidden.size(), "more device") + " with --all"));
}

}  // namespace

void print_ledger(Page& page, const RunView& view, bool all) {
  if (view.ledger.empty()) return;
  Entries working;
  std::copy_if(view.ledger.begin(), view.ledger.end(), std::back_inserter(working),
               [](const LedgerEntry* entry) { return !is_unused(*entry); });
  if (working.empty()) working.assign(view.ledger.begin(), view.ledger.end());
  if (all) print_in_full(page, view, working);
  else if (working.size() > most_lines) print_spread(page, working);
  else print_devices(page, view, working);
  if (const std::size_t unused = view.ledger.size() - working.size(); unused > 0)
    page.field("", 1, section_column, words_of("(nothing was recorded of " + counted(unused, "more device") + ")"));
  print_one_off(page, view, view.ledger, all);
}

}  // namespace kdiag::report
