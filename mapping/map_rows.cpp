// SPDX-License-Identifier: Apache-2.0
#include "mapping/map_rows.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "adapters/text/calendar_time.hpp"
#include "engine/language/dimension.hpp"
#include "mapping/cell_value.hpp"
#include "mapping/map_keys.hpp"

namespace kdiag::mapping {
namespace {

using Kind = YamlNode::Kind;

/// Tables that no mapping fills, and why.
struct ClosedTable {
  TableId table;
  std::string_view why;
};
constexpr ClosedTable closed_tables[] = {
    {table("runs"), "the mapping as a whole says what a run is: `producer`, `clock`"},
    {table("frames"), "source positions come with operators, which a mapping cannot link to them"},
    {table("idle"), "kdiag derives it from the work of devices"},
    {table("changes"), "kdiag derives it from two runs"},
    {table("outliers"), "kdiag derives it from the collectives of many ranks"},
    {table("notes"), "kdiag writes them while it reads"},
};

std::string_view why_closed(TableId table) {
  const auto* found = std::find_if(std::begin(closed_tables), std::end(closed_tables),
                                   [table](const ClosedTable& closed) { return closed.table == table; });
  return found == std::end(closed_tables) ? std::string_view{} : found->why;
}

/// References to what has an id that a record can state.
bool has_id(std::string_view target) { return !info(find_table(target)).traits.key.empty(); }

std::string dotted(TableId table, std::string_view column) {
  return std::string(info(table).name) + "." + std::string(column);
}

/// "time", "a plain number", "text"
std::string kind_name(const ValueKind& kind) {
  if (kind.type == ColumnType::string) return "text";
  if (kind.type == ColumnType::boolean) return "true or false";
  if (kind.instant) return "an instant";
  const std::string name = dimension_name(dimension_of(kind.unit));
  return kind.unit == Unit::none ? "a plain number" : kind.unit == Unit::ratio ? "a ratio" : name;
}

class RowsReader {
 public:
  RowsReader(LoadedMap& map, NodeReader& reader) : map_(map), reader_(reader) {}

  void read(const YamlNode& node) {
    if (!reader_.mapping(node, "an entry of rows")) return;
    reader_.only_keys(node, "an entry of rows", map_keys::rows);
    const YamlNode* name = reader_.required(node, "table", "an entry of rows", node.span);
    const auto table = name != nullptr ? read_table(*name) : std::nullopt;
    if (const YamlNode* where = node.find("where"); where != nullptr && reader_.mapping(*where, "where"))
      read_conditions(*where);
    if (!table) return;
    out_.table = *table;
    if (const YamlNode* columns = reader_.required(node, "columns", "an entry of rows", node.span);
        columns != nullptr && reader_.mapping(*columns, "columns"))
      read_columns(*columns);
    read_series(node);
    check_entry(node);
    map_.rows.push_back(std::move(out_));
  }

 private:
  bool of_samples() const { return out_.table == table("samples"); }

  std::optional<TableId> read_table(const YamlNode& node) {
    if (!reader_.scalar(node, "table")) return {};
    const std::string& name = node.text.text;
    const TableId id = find_table(name);
    if (!id.valid()) {
      reader_.error(error_id::unknown_name, node.span, "unknown table '" + name + "'",
                    did_you_mean(name, mappable_tables()), "`kdiag facts --catalogue` lists the tables");
      return {};
    }
    if (const std::string_view why = why_closed(id); !why.empty()) {
      reader_.error(error_id::unmappable_column, node.span, "the table '" + name + "' cannot be mapped", {},
                    std::string(why));
      return {};
    }
    return id;
  }

  void read_conditions(const YamlNode& where) {
    for (const YamlMember& member : where.members) {
      MappedCondition condition;
      condition.cell = read_cell_name(member.key, map_, reader_);
      for (Reference& text : reader_.texts(member.value, "where")) condition.texts.push_back(std::move(text.rule));
      out_.where.push_back(std::move(condition));
    }
  }

  // --- Columns and series ---

  void read_columns(const YamlNode& columns) {
    for (const YamlMember& member : columns.members) {
      MappedColumn about;
      about.name = member.key.text.text;
      if (!find_mapped_column(member.key, about)) continue;
      if (read_value(member.value, kind_of(about), dotted(out_.table, about.name), about))
        out_.columns.push_back(std::move(about));
    }
  }

  /// Keys that say more of a row than the table's columns do.
  std::vector<std::string_view> extra_keys() const {
    std::vector<std::string_view> out;
    const auto has = [&](std::string_view name) { return find_column(info(out_.table).name, name).valid(); };
    if (has("start") && has("dur")) out.push_back("end");
    if ((has("device") || has("stream") || has("thread") || has("step")) && !has("rank")) out.push_back("rank");
    if (has("thread")) out.push_back("process");
    return out;
  }

  bool find_mapped_column(const YamlNode& key, MappedColumn& about) {
    if (of_samples() && (about.name == "series" || about.name == "value" || about.name == "unit")) {
      reader_.error(error_id::unmappable_column, key.span,
                    "the column '" + dotted(out_.table, about.name) + "' cannot be mapped", {},
                    "name the series under `series`: series: {sm_clock: {column: ..., unit: MHz}}");
      return false;
    }
    const std::vector<std::string_view> extra = extra_keys();
    if (std::find(extra.begin(), extra.end(), about.name) != extra.end()) return true;
    about.column = find_column(info(out_.table).name, about.name);
    if (!about.column.valid() || info(about.column).traits.transient) {
      std::vector<std::string_view> names = extra;
      const ColumnRange range = columns_of(out_.table);
      for (const ColumnInfo& known : catalogue_columns.subspan(range.first, range.count))
        if (!known.traits.transient) names.push_back(known.name);
      reader_.error(error_id::unknown_column, key.span, "unknown column '" + dotted(out_.table, about.name) + "'",
                    did_you_mean(about.name, names));
      return false;
    }
    if (info(about.column).type == ColumnType::reference && !has_id(info(about.column).target)) {
      reader_.error(error_id::unmappable_column, key.span,
                    "the column '" + dotted(out_.table, about.name) + "' cannot be mapped", {},
                    "rows of `" + std::string(info(about.column).target) +
                        "` have no id that a record could name; kdiag links work to its launch by `correlation`");
      return false;
    }
    return true;
  }

  void read_series(const YamlNode& node) {
    const YamlNode* series = node.find("series");
    if (!of_samples()) {
      if (series != nullptr)
        reader_.error(error_id::contradicting_mapping, series->span, "`series` belongs to the table samples");
      return;
    }
    if (series == nullptr) series = reader_.required(node, "series", "an entry for samples", node.span);
    if (series == nullptr || !reader_.mapping(*series, "series")) return;
    for (const YamlMember& member : series->members) {
      MappedColumn about;
      about.name = member.key.text.text;
      const SeriesInfo* known = find_series(about.name);
      if (known == nullptr) {
        std::vector<std::string_view> names;
        for (const SeriesInfo& candidate : catalogue_series) names.push_back(candidate.name);
        reader_.error(error_id::unknown_series, member.key.span, "unknown series '" + about.name + "'",
                      did_you_mean(about.name, names));
      } else if (read_value(member.value, kind_of_series(*known), about.name, about)) {
        out_.series.push_back(std::move(about));
      }
    }
  }

  /// What the parts of an entry must be together.
  void check_entry(const YamlNode& node) {
    const YamlNode* columns = node.find("columns");
    const Span place = columns != nullptr ? columns->span : node.span;
    const auto has = [&](std::string_view key) { return columns != nullptr && columns->find(key) != nullptr; };
    if (info(out_.table).traits.entity && !has("id"))
      reader_.error(error_id::missing_key, place,
                    "an entry for " + std::string(info(out_.table).name) + " has no `id`");
    if (of_samples() && !has("time")) reader_.error(error_id::missing_key, place, "an entry for samples has no `time`");
    if (!has("end")) return;
    if (has("start") == has("dur"))
      reader_.error(
          has("start") ? error_id::contradicting_mapping : error_id::missing_key, columns->find("end")->span,
          has("start") ? "`start`, `dur` and `end` say one thing twice" : "`end` needs `start` or `dur` beside it");
  }

  // --- Values ---

  /// Reads `column`, or {column: ..., unit: ...}, or {value: ...}. `what` is what it becomes: "kernels.dur".
  bool read_value(const YamlNode& node, const ValueKind& kind, const std::string& what, MappedColumn& about) {
    MappedValue& value = about.value;
    if (node.is(Kind::scalar)) {
      value.cell = read_cell_name(node, map_, reader_);
      return check_unit(nullptr, node.span, kind, what, value);
    }
    if (!reader_.mapping(node, what)) return false;
    reader_.only_keys(node, "a value", map_keys::value);
    const YamlNode* cell = node.find("column");
    const YamlNode* constant = node.find("value");
    if (cell == nullptr && constant == nullptr) {
      reader_.error(error_id::missing_key, node.span, what + " has neither `column` nor `value`");
      return false;
    }
    if (cell != nullptr && constant != nullptr) {
      reader_.error(error_id::contradicting_mapping, constant->span, "a value is a column of the input or a constant");
      return false;
    }
    for (Reference& text : reader_.texts_of(node, "missing")) value.missing.push_back(std::move(text.rule));
    const bool formed = read_form(node, kind, what, value);
    if (constant != nullptr) return formed && read_constant(node, *constant, kind, what, value);
    value.cell = read_cell_name(*cell, map_, reader_);
    const bool united = check_unit(node.find("unit"), node.span, kind, what, value);
    return formed && united && read_words(node, kind, what, value);
  }

  bool read_form(const YamlNode& node, const ValueKind& kind, const std::string& what, MappedValue& value) {
    const YamlNode* as = node.find("as");
    if (as == nullptr) return true;
    const auto form = reader_.choice<CellForm>(*as, "as", map_keys::form_words());
    if (!form) return false;
    value.form = *form;
    const bool plain_number = kind.number() && kind.unit == Unit::none;
    const bool fits = *form == CellForm::hex ? plain_number : *form == CellForm::datetime ? kind.instant : names(what);
    if (!fits)
      reader_.error(error_id::wrong_mapping, as->span, what + " is no " + fitting(*form),
                    "it is " + described(what, kind));
    return fits;
  }

  /// Whether it is the id of something that could have a name instead.
  static bool names(std::string_view what) {
    for (const std::string_view ending : {".device", ".stream", ".thread"})
      if (what.ends_with(ending)) return true;
    return what == "devices.id" || what == "streams.id" || what == "threads.id";
  }
  static std::string described(std::string_view what, const ValueKind& kind) {
    return names(what) ? "an id" : kind_name(kind);
  }
  static std::string fitting(CellForm form) {
    switch (form) {
      case CellForm::hex: return "plain number";
      case CellForm::datetime: return "instant";
      default: return "device, stream or thread";
    }
  }

  bool read_constant(const YamlNode& node, const YamlNode& constant, const ValueKind& kind, const std::string& what,
                     MappedValue& value) {
    for (const std::string_view key : {"unit", "values"})
      if (const YamlNode* other = node.find(key)) {
        reader_.error(error_id::contradicting_mapping, other->span,
                      in_backticks(key) + " says how cells are read, and this is a constant", {},
                      kind.number() && kind.unit != Unit::none ? "write the unit behind the number" : "");
        return false;
      }
    value.constant = reader_.text(constant, "value");
    return constant.is(Kind::scalar) && check_constant(constant, value.constant, kind, what, value);
  }

  /// What a constant, or a text that another stands for, must be.
  bool check_constant(const YamlNode& node, const std::string& text, const ValueKind& kind, const std::string& what,
                      const MappedValue& value) {
    const bool good = says_missing(text, value, kind, map_) || value.form == CellForm::name ||
                      (value.form == CellForm::datetime ? adapters::parse_calendar_time(text).has_value()
                                                        : read_cell(text, value, kind, map_.decimal_comma).has_value());
    if (good) return true;
    const std::span<const std::string_view> words =
        kind.column.valid() ? info(kind.column).traits.words : std::span<const std::string_view>{};
    std::string help;
    for (const std::string_view word : words) help.append(help.empty() ? "it is one of " : ", ").append(word);
    if (kind.number() && kind.unit != Unit::none) help = "a number with its unit: " + units_of(kind.unit);
    reader_.error(error_id::wrong_mapping, node.span, "'" + text + "' is no value of " + what,
                  words.empty() ? "it is " + described(what, kind) : did_you_mean(text, {words.begin(), words.end()}),
                  std::move(help));
    return false;
  }

  bool read_words(const YamlNode& node, const ValueKind& kind, const std::string& what, MappedValue& value) {
    const YamlNode* words = node.find("values");
    if (words == nullptr) return true;
    if (!reader_.mapping(*words, "values")) return false;
    bool good = true;
    for (const YamlMember& member : words->members) {
      const std::string text = reader_.text(member.value, "values");
      good = member.value.is(Kind::scalar) && check_constant(member.value, text, kind, what, value) && good;
      value.words.emplace_back(member.key.text.text, text);
    }
    return good;
  }

  /// `place`: where a unit could stand that is not there.
  bool check_unit(const YamlNode* unit, const Span& place, const ValueKind& kind, const std::string& what,
                  MappedValue& value) {
    const bool needed = kind.number() && kind.unit != Unit::none && value.form == CellForm::plain;
    if (unit == nullptr) {
      if (needed)
        reader_.error(error_id::missing_key, place, what + " has no `unit`", "it is " + kind_name(kind),
                      "{column: ..., unit: " + units_of(kind.unit).substr(0, units_of(kind.unit).find(',')) +
                          "}; or `unit: cell` where the cells state theirs");
      return !needed;
    }
    if (!reader_.scalar(*unit, "unit")) return false;
    const std::string& name = unit->text.text;
    if (!needed) {
      reader_.error(error_id::wrong_mapping, unit->span, what + " has no unit",
                    "it is " + (value.form == CellForm::datetime ? "a time of the calendar" : kind_name(kind)));
      return false;
    }
    if (name == "cell") return true;
    const bool share = kind.unit == Unit::ratio && name == "ratio";
    const UnitInfo* known = find_unit(name);
    if (known == nullptr && !share) {
      std::vector<std::string_view> names;
      for (const UnitInfo& candidate : all_units()) names.push_back(candidate.name);
      reader_.error(error_id::unknown_unit, unit->span, "unknown unit '" + name + "'", did_you_mean(name, names),
                    what + " takes " + units_of(kind.unit));
      return false;
    }
    if (!share && !fits(*known, kind)) {
      reader_.error(error_id::wrong_mapping, unit->span, "`" + name + "` is no unit of " + what,
                    "it is " + kind_name(kind), "it takes " + units_of(kind.unit));
      return false;
    }
    value.unit = name;
    return true;
  }

  /// `%` is the only unit without a dimension.
  static bool fits(const UnitInfo& unit, const ValueKind& kind) {
    return unit.dimension == dimension_of(kind.unit) && unit.dimension.ratio == (kind.unit == Unit::ratio);
  }

  LoadedMap& map_;
  NodeReader& reader_;
  MappedRows out_;
};

}  // namespace

std::vector<std::string_view> mappable_tables() {
  std::vector<std::string_view> out;
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
    if (why_closed(TableId{t}).empty()) out.push_back(catalogue_tables[t].name);
  return out;
}

void read_map_rows(const YamlNode& rows, LoadedMap& map, NodeReader& reader) {
  if (!reader.sequence(rows, "rows")) return;
  if (rows.items.empty()) reader.error(error_id::missing_key, rows.span, "`rows` is empty: records give nothing");
  for (const YamlNode& item : rows.items) RowsReader(map, reader).read(item);
}

std::size_t read_cell_name(const YamlNode& node, LoadedMap& map, NodeReader& reader) {
  if (!reader.scalar(node, "column")) return 0;
  const std::string& name = node.text.text;
  if (map.format == LoadedMap::Format::csv && map.header == LoadedMap::Header::numbers) {
    const bool number = !name.empty() && name.size() < 6 && name.front() != '0' &&
                        std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!number)
      reader.error(error_id::wrong_mapping, node.span, "'" + name + "' is no number of a column", {},
                   "without a header, columns are 1, 2, ...");
  }
  if (map.format == LoadedMap::Format::csv && map.header == LoadedMap::Header::listed &&
      std::find(map.listed.begin(), map.listed.end(), name) == map.listed.end())
    reader.error(error_id::unknown_column, node.span, "unknown column '" + name + "' of the input",
                 did_you_mean(name, {map.listed.begin(), map.listed.end()}), "`header` lists the columns");
  const auto found = std::find(map.cells.begin(), map.cells.end(), name);
  if (found != map.cells.end()) return static_cast<std::size_t>(found - map.cells.begin());
  map.cells.push_back(name);
  return map.cells.size() - 1;
}

}  // namespace kdiag::mapping
