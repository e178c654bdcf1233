// SPDX-License-Identifier: Apache-2.0
#include "dsl/test_facts.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/parse_number.hpp"
#include "dsl/test_rows.hpp"

namespace kdiag {
namespace {

class FactReader {
 public:
  Result<Fragment> read(const RuleTest& test, const std::vector<TestTable>& tables) {
    TestRows stated = read_test_rows(tables, diagnostics_);
    rows_ = std::move(stated.rows);
    for (const TableId table : stated.tables) batch_.declare(table);
    if (diagnostics_.empty()) create();
    if (diagnostics_.empty())
      for (const ParsedRow& row : rows_) fill(row);
    if (!diagnostics_.empty()) {
      for (Diagnostic& diagnostic : diagnostics_) diagnostic.context = test.name;
      return std::move(diagnostics_);
    }
    Fragment out;
    out.info.label = test.name;
    out.info.producer = "test";
    out.info.clock = ClockDomain::device;
    out.adapter = "test";
    out.input = test.name;
    out.batches.emplace_back(0, std::move(batch_));
    return out;
  }

 private:
  void error(std::string_view id, const Span& span, std::string title, std::string label = {}, std::string help = {}) {
    diagnostics_.push_back(make_error(id, span, std::move(title), std::move(label), std::move(help)));
  }

  // --- Creating rows ------------------------------------------------------------------------------------------------

  /// What is found by key first, so that references find the rows that the test states.
  void create() {
    for (const TableId first : {table("runs"), table("ranks"), table("devices"), table("streams"), table("threads"),
                                table("frames"), table("steps")})
      for (ParsedRow& row : rows_)
        if (row.table == first) create(row);
    for (ParsedRow& row : rows_)
      if (row.rows.empty()) create(row);
  }

  void create(ParsedRow& row) {
    const std::size_t errors = diagnostics_.size();
    for (std::size_t i = 0; i < row.count && diagnostics_.size() == errors; ++i) {
      const Row made = create(row, i);
      row.rows.push_back(made);
      stated_[row.table.index].push_back({&row, i, made});
    }
  }

  Row create(const ParsedRow& row, std::size_t i) {
    if (row.table == table("runs")) return batch_.run();
    if (row.table == table("ranks")) return batch_.rank(id_of(row, "id", i));
    if (row.table == table("devices")) return batch_.device(id_of(row, "id", i), reference(row, "rank", i));
    if (row.table == table("streams")) {
      const Row device = reference(row, "device", i);
      return batch_.stream(device.index == absent_index ? batch_.device(0) : device, id_of(row, "id", i));
    }
    if (row.table == table("threads"))
      return batch_.thread(row.find("process") != nullptr ? id_of(row, "process", i) : 0, id_of(row, "id", i),
                           reference(row, "rank", i));
    if (row.table == table("frames")) {
      const auto text = [&row](std::string_view name) {
        const Cell* cell = row.find(name);
        return cell != nullptr ? std::get<std::string_view>(cell->value) : std::string_view{};
      };
      return batch_.frame(text("file"), row.find("line") != nullptr ? id_of(row, "line", i) : 0, text("function"),
                          text("how"), reference(row, "parent", i));
    }
    const Row made = batch_.add(row.table);
    if (row.table == table("steps") && row.find("index") != nullptr) steps_.try_emplace(id_of(row, "index", i), made);
    return made;
  }

  std::int64_t id_of(const ParsedRow& row, std::string_view column, std::size_t i) {
    const Cell* cell = row.find(column);
    if (cell == nullptr) {
      error(error_id::missing_key, row.place,
            "a row of " + std::string(info(row.table).name) + " needs its `" + std::string(column) + "`");
      return 0;
    }
    return std::get<Progression>(cell->value).at(i).integer();
  }

  // --- References ---------------------------------------------------------------------------------------------------

  Row reference(const ParsedRow& row, std::string_view column, std::size_t i) {
    const Cell* cell = row.find(column);
    return cell != nullptr ? resolve(row, *cell, i) : Row{};
  }

  /// What a reference of the i-th row of a series means.
  Row resolve(const ParsedRow& row, const Cell& cell, std::size_t i) {
    const TableId target = find_table(info(cell.column).target);
    const auto* series = std::get_if<Progression>(&cell.value);
    const std::string id_text = series != nullptr ? std::to_string(series->at(i).integer()) : std::string();
    const std::string_view text = series != nullptr ? id_text : std::get<std::string_view>(cell.value);
    const auto id = parse_number<std::int64_t>(text);
    if (target == table("runs")) return batch_.run();
    if (target == table("ranks") && id) return batch_.rank(*id);
    if (target == table("devices") || target == table("threads")) return of_rank(target, cell, text);
    if (target == table("streams") && id) {
      const Row device = reference(row, "device", i);
      return batch_.stream(device.index == absent_index ? batch_.device(0) : device, *id);
    }
    if (target == table("steps") && id) {
      const auto [found, added] = steps_.try_emplace(*id);
      if (added) {
        found->second = batch_.add(target);
        batch_.set(found->second, column("steps.index"), *id);
      }
      return found->second;
    }
    return by_place_or_name(target, cell, text, id);
  }

  /// `0` or `rank:0`. The id alone means the only stated one that has it, whatever its rank.
  Row of_rank(TableId target, const Cell& cell, std::string_view text) {
    const std::size_t colon = text.find(':');
    const auto id = parse_number<std::int64_t>(colon == std::string_view::npos ? text : text.substr(colon + 1));
    if (!id) return nothing(cell, "write the id, or rank:id");
    const auto make = [&](Row rank) {
      return target == table("devices") ? batch_.device(*id, rank) : batch_.thread(0, *id, rank);
    };
    if (colon != std::string_view::npos) {
      const auto rank = parse_number<std::int64_t>(text.substr(0, colon));
      return rank ? make(batch_.rank(*rank)) : nothing(cell, "write the id, or rank:id");
    }
    std::vector<Row> found;
    for (const Stated& stated : stated_[target.index])
      if (const Cell* own = stated.row->find("id");
          own != nullptr && std::get<Progression>(own->value).at(stated.i) == Number(*id))
        found.push_back(stated.made);
    if (found.size() > 1) {
      error(error_id::unstated_row, cell.source->span,
            "several " + std::string(info(target).name) + " have the id " + std::to_string(*id), {}, "write rank:id");
      return {};
    }
    return found.empty() ? make({}) : found.front();
  }

  Row by_place_or_name(TableId target, const Cell& cell, std::string_view text, std::optional<std::int64_t> place) {
    const std::vector<Stated>& rows = stated_[target.index];
    if (place && *place >= 0 && static_cast<std::size_t>(*place) < rows.size())
      return rows[static_cast<std::size_t>(*place)].made;
    const std::string_view name = target == table("frames") ? "function" : target == table("comms") ? "op" : "name";
    for (const Stated& stated : rows)
      if (const Cell* named = stated.row->find(name);
          named != nullptr && std::get<std::string_view>(named->value) == text)
        return stated.made;
    return nothing(cell, "write the number of the row, from 0, or its " + std::string(name));
  }

  Row nothing(const Cell& cell, std::string help) {
    error(error_id::unstated_row, cell.source->span,
          "the test states no such row of " + std::string(info(cell.column).target), {}, std::move(help));
    return {};
  }

  // --- Values -------------------------------------------------------------------------------------------------------

  void fill(const ParsedRow& row) {
    for (const Cell& cell : row.cells) {
      if (info(cell.column).type == ColumnType::reference) {
        refer(row, cell);
        continue;
      }
      for (std::size_t i = 0; i < row.count; ++i) set(row.rows[i], cell, i);
    }
    if (row.table == table("samples") && row.find("value") != nullptr && row.find("unit") == nullptr) {
      const SeriesInfo* series = find_series(std::get<std::string_view>(row.find("series")->value));
      for (const Row at : row.rows) batch_.set(at, column("samples.unit"), base_unit_name(dimension_of(series->unit)));
    }
  }

  void refer(const ParsedRow& row, const Cell& cell) {
    const bool one_for_all = !std::holds_alternative<Progression>(cell.value);
    Row target;
    for (std::size_t i = 0; i < row.count; ++i) {
      if (i == 0 || !one_for_all) target = resolve(row, cell, i);
      if (target.index == absent_index) return;  // one error is enough
      batch_.set(row.rows[i], cell.column, target);
    }
  }

  void set(Row at, const Cell& cell, std::size_t i) {
    switch (info(cell.column).type) {
      case ColumnType::string: batch_.set(at, cell.column, std::get<std::string_view>(cell.value)); break;
      case ColumnType::boolean: batch_.set(at, cell.column, std::get<bool>(cell.value)); break;
      case ColumnType::real: batch_.set(at, cell.column, std::get<Progression>(cell.value).at(i).real()); break;
      default: batch_.set(at, cell.column, std::get<Progression>(cell.value).at(i).integer());
    }
  }

  struct Stated {
    const ParsedRow* row = nullptr;
    std::size_t i = 0;
    Row made;
  };

  Batch batch_;
  Diagnostics diagnostics_;
  std::vector<ParsedRow> rows_;
  std::vector<std::vector<Stated>> stated_ = std::vector<std::vector<Stated>>(catalogue_tables.size());
  std::map<std::int64_t, Row> steps_;  ///< by index
};

}  // namespace

Result<Fragment> test_facts(const RuleTest& test, TestRun run) {
  static const std::vector<TestTable> none;
  const std::vector<TestTable>& of_baseline = test.baseline ? test.baseline->facts : none;
  return FactReader().read(test, run == TestRun::judged ? test.facts : of_baseline);
}

}  // namespace kdiag
