// SPDX-License-Identifier: Apache-2.0
#include "engine/judge/fingerprint.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/ascii.hpp"
#include "base/names/function_name.hpp"
#include "engine/facts/kernel_family.hpp"
#include "engine/judge/fill_template.hpp"

namespace kdiag {
namespace {

/// FNV-1a, 64 bit: stable on every machine.
std::string stable_hash(const std::string& text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  std::string out(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4U) out[i] = "0123456789abcdef"[hash & 0xFU];
  return out;
}

bool is_hex(char c) { return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f'); }

/// Whether a word is an address (0x7f..) or a hash: eight hexadecimal digits and more, not all of them letters
/// (judgement: words of so many letters a to f are rare, hashes of so few digits as well).
bool is_address_or_hash(std::string_view word) {
  const bool address = word.size() > 2 && word[0] == '0' && lower(word[1]) == 'x';
  if (address) word.remove_prefix(2);
  if (!std::all_of(word.begin(), word.end(), is_hex)) return false;
  return address || (word.size() >= 8 && std::any_of(word.begin(), word.end(), is_digit));
}

std::string without_addresses(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    std::size_t end = 0;
    while (end < name.size() && (is_letter(name[end]) || is_digit(name[end]))) ++end;
    if (end > 0 && is_address_or_hash(name.substr(0, end))) out += '#';
    else out += name.substr(0, end == 0 ? 1 : end);
    name.remove_prefix(end == 0 ? 1 : end);
  }
  return out;
}

/// Whether the rows of a table are told apart by numbers that another recording gives otherwise.
bool is_numbered(TableId table) {
  switch (info(table).traits.role) {
    case TableRole::run:
    case TableRole::rank:
    case TableRole::device:
    case TableRole::stream:
    case TableRole::thread:
    case TableRole::step: return true;
    default: return false;
  }
}

/// Whether a text says where something ran: the model of a device, a thread, the label of the run.
bool is_place(const FactStore& store, std::uint32_t text) {
  for (const ColumnId id :
       {column("devices.name"), column("devices.vendor"), column("threads.name"), column("runs.label")}) {
    const auto places = store.indices(id);
    if (std::find(places.begin(), places.end(), text) != places.end()) return true;
  }
  return false;
}

/// The name that a value is, when an input states it: texts that rules make say how much or how, not
/// what.
void add_name(const Value& value, Evaluator& evaluator, std::vector<std::string>& names) {
  const RunContext& run = evaluator.run();
  std::string name;
  if (const auto* text = value.as<std::string>()) name = *text;
  else if (const auto* row = value.as<RowRef>(); row != nullptr && !is_numbered(row->table)) name = run.label(*row);
  const std::uint32_t stated = name.empty() ? absent_index : run.store().strings.find(name);
  if (stated != absent_index && !is_place(run.store(), stated)) names.push_back(std::move(name));
}

void add_names(const CheckedTemplate& text, Evaluator& evaluator, std::vector<std::string>& names) {
  for (const CheckedTemplate::Piece& piece : text.pieces)
    if (piece.hole) add_name(evaluator.eval(*piece.hole), evaluator, names);
}

bool is_named(SubjectKind kind) {
  return kind == SubjectKind::kernel || kind == SubjectKind::op || kind == SubjectKind::function ||
         kind == SubjectKind::group;
}

std::string_view without_folders(std::string_view path) { return path.substr(path.find_last_of("/\\") + 1); }

}  // namespace

std::vector<std::string> culprits_of(const CheckedFinding& finding, bool own_title, Evaluator& evaluator) {
  std::vector<std::string> names;
  if (!own_title)
    if (const CheckedSentence* title = first_said(finding.title, evaluator)) add_names(title->text, evaluator, names);
  if (names.empty() && finding.culprit) add_name(evaluator.eval(*finding.culprit), evaluator, names);
  return names;
}

std::string lasting_name(std::string_view name) {
  const std::string spoken = spoken_name(name);
  return kernel_family(without_addresses(spoken.empty() ? name : std::string_view(spoken)));
}

std::string fingerprint_of(const Rule& rule, const RunContext& run, const Subject& subject,
                           const std::vector<std::string>& culprits, const std::optional<LocationEntry>& location) {
  // A rule that was renamed keeps the names of its findings.
  std::string parts = rule.replaces.empty() ? rule.id : rule.replaces.front().rule;
  const auto add = [&parts](std::string_view part) { parts.append("\n").append(part); };
  add(name_of(subject.kind));
  if (is_named(subject.kind)) add(lasting_name(run.name_of_thing(subject)));
  for (const std::string& culprit : culprits) add(lasting_name(culprit));
  if (location) {
    add(std::string("at ").append(without_folders(location->file)));
    add(location->function);
  }
  return "v1:" + stable_hash(parts);
}

}  // namespace kdiag
