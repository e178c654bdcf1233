// SPDX-License-Identifier: Apache-2.0
#include "mapping/map_keys.hpp"

#include "mapping/map_rows.hpp"

namespace kdiag::mapping::map_keys {
namespace {

using S = KeyShape;

template <class T>
std::vector<std::string_view> words_of(const std::vector<std::pair<std::string_view, T>>& choices) {
  std::vector<std::string_view> out;
  for (const auto& choice : choices) out.push_back(choice.first);
  return out;
}
std::vector<std::string_view> formats() { return words_of(format_words()); }
std::vector<std::string_view> clocks() { return words_of(clock_words()); }
std::vector<std::string_view> forms() { return words_of(form_words()); }
std::vector<std::string_view> decimals() { return words_of(decimal_words()); }

constexpr FileKey map_file_keys[] = {
    {"kdiag_map", S::edition, "Edition of mapping files: 1.", true},
    {"name", S::text, "How reports call the format.", true},
    {"doc", S::text, "What writes it."},
    {"producer", S::text, "The tool that writes it; default: the name."},
    {"match", S::mapping, "Which inputs the mapping is for; default: those that have its columns.", false, &match},
    {"format", S::word, "csv, or jsonl: a JSON object on each line.", true, nullptr, formats},
    {"separator", S::text, "Between the fields of csv: one character, tab or blanks; default: a comma."},
    {"header", S::header, "Of csv: true (default), the names of the columns, or false: columns are numbers from 1."},
    {"comment", S::text, "How lines begin that are left out."},
    {"decimal", S::word, "point (default) or comma.", false, nullptr, decimals},
    {"missing", S::texts, "Texts that say that there is no value, beyond the usual ones."},
    {"clock", S::word,
     "Whose clock instants are of: unix (since 1970 UTC), local (since 1970 in an unknown zone), device (since an "
     "unknown instant; default for numbers).",
     false, nullptr, clocks},
    {"rows", S::list, "What each record gives.", true, &rows},
};

constexpr FileKey match_keys[] = {
    {"files", S::texts, "Names of files, in which * stands for any characters."},
    {"columns", S::texts, "Columns that the input must have; the others may be missing."},
};

constexpr FileKey rows_keys[] = {
    {"table", S::word, "Table of facts that gets a row.", true, nullptr, mappable_tables},
    {"where", S::conditions, "Only of records whose cells hold these texts; * stands for any characters."},
    {"columns", S::cells, "Columns of the table, and where their values come from.", true, &value},
    {"series", S::cells, "Of samples: series, each of which gets a row.", false, &value},
};

constexpr FileKey value_keys[] = {
    {"column", S::text, "Column of the input; of jsonl a path: gpu.clocks.sm."},
    {"value", S::value, "A constant, in place of a column."},
    {"unit", S::text, "Unit of numbers that state none; `cell` when all state theirs."},
    {"as", S::word, "hex, datetime, or name: names are numbered as they appear.", false, nullptr, forms},
    {"values", S::values, "What texts of the input stand for."},
    {"missing", S::texts, "Texts of this column that say that there is no value."},
};

}  // namespace

const std::vector<std::pair<std::string_view, LoadedMap::Format>>& format_words() {
  static const std::vector<std::pair<std::string_view, LoadedMap::Format>> words{
      {"csv", LoadedMap::Format::csv}, {"jsonl", LoadedMap::Format::json_lines}};
  return words;
}
const std::vector<std::pair<std::string_view, ClockDomain>>& clock_words() {
  static const std::vector<std::pair<std::string_view, ClockDomain>> words{
      {"unix", ClockDomain::unix_ns}, {"local", ClockDomain::local_ns}, {"device", ClockDomain::device}};
  return words;
}
const std::vector<std::pair<std::string_view, CellForm>>& form_words() {
  static const std::vector<std::pair<std::string_view, CellForm>> words{
      {"hex", CellForm::hex}, {"datetime", CellForm::datetime}, {"name", CellForm::name}};
  return words;
}
const std::vector<std::pair<std::string_view, bool>>& decimal_words() {
  static const std::vector<std::pair<std::string_view, bool>> words{{"point", false}, {"comma", true}};
  return words;
}

const KeyGroup map_file{"map_file", map_file_keys};
const KeyGroup match{"match", match_keys};
const KeyGroup rows{"rows", rows_keys};
const KeyGroup value{"mapped_value", value_keys};

}  // namespace kdiag::mapping::map_keys
