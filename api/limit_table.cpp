// SPDX-License-Identifier: Apache-2.0
#include "api/limit_table.hpp"

#include <cstdint>
#include <string_view>

#include <kdiag/error_ids.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>
#include <kdiag/tools.hpp>

#include "adapters/google/perfetto/packets.hpp"
#include "adapters/io/decoder.hpp"
#include "adapters/io/input.hpp"
#include "adapters/io/sqlite.hpp"
#include "adapters/io/unpack_budget.hpp"
#include "adapters/json/json.hpp"
#include "adapters/json/json_envelope.hpp"
#include "adapters/rows/python_frames.hpp"
#include "adapters/text/csv.hpp"
#include "adapters/text/xml_scanner.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "dsl/test_facts.hpp"
#include "dsl/yaml_tree.hpp"
#include "ingest/assemble.hpp"
#include "ingest/collect_sink.hpp"
#include "ingest/walk_folder.hpp"
#include "packs/rule_files.hpp"

namespace kdiag {
namespace {

std::string size(std::uint64_t bytes) {
  std::size_t unit = 0;
  constexpr std::string_view units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  for (; bytes >= 1024 && bytes % 1024 == 0 && unit + 1 < std::size(units); ++unit) bytes /= 1024;
  return std::to_string(bytes) + " " + std::string(units[unit]);
}

}  // namespace

std::vector<LimitInfo> limit_table() {
  using namespace adapters;
  const std::string refused = "the input that brings more is refused; others are judged";
  const std::string rest_lost = "the rest of the input is not read";
  const std::string skipped = "the record is skipped and counted";
  const LuaLimits lua;
  return {
      {"memory for facts, records and unpacking, of all inputs together",
       "a quarter of the least of: the machine's memory, the control group's, `ulimit -v`",
       "`--max-memory`; `LoadLimits::bytes`", refused, refusal_id::too_many_facts},
      {"rows of facts, of all inputs together", "no limit", "`LoadLimits::rows`", refused, refusal_id::too_many_facts},
      {"runs of one input that are judged at a time", std::to_string(most_runs), "", "the inputs are refused",
       refusal_id::too_many_facts},
      {"runs of all inputs together that are judged at a time", std::to_string(most_runs_together), "",
       "the inputs are refused", refusal_id::too_many_facts},
      {"runs of one input that are read", std::to_string(most_runs_read), "", refused, refusal_id::too_many_facts},
      {"bytes out of compressed files and archives, of all inputs together", size(default_load_limits().unpacked),
       "`--max-unpacked`; `LoadLimits::unpacked`", rest_lost, note_id::unpack_limit},
      {"how many times the size of all that was given may be unpacked",
       std::to_string(most_times_unpacked) + ", above " + size(harmless_unpacked_bytes), "", rest_lost,
       note_id::unpacks_too_far},
      {"memory of one decoder", size(most_decoder_bytes) + "; zstd " + size(most_zstd_window_bytes) + " of window",
       "`--max-memory`, if it is less", rest_lost, note_id::unpack_memory},
      {"layers of compression", std::to_string(most_layers), "", "the input is refused", refusal_id::too_many_layers},
      {"files of a folder or archive", std::to_string(most_members), "", "the folder or archive is refused",
       refusal_id::too_many_files},
      {"time of the command", "no limit", "`--max-time`; `Deadline`", "the command ends", refusal_id::out_of_time},
      {"one event of a JSON trace", size(EventOptions{}.max_event_bytes), "", skipped, note_id::record_too_large},
      {"one member around the events, and all of them", size(most_member_bytes) + ", " + size(most_members_bytes), "",
       "the member is dropped", note_id::record_too_large},
      {"one JSON document that is read as a whole", size(most_document_bytes), "", skipped, note_id::record_too_large},
      {"one record of CSV", size(CsvOptions{}.max_record_bytes), "", skipped, note_id::record_too_large},
      {"levels of a JSON document that is read as a whole", std::to_string(deepest_value), "", skipped,
       note_id::unreadable_record},
      {"one tag or text of XML", size(most_xml_piece_bytes), "", rest_lost, note_id::input_cut},
      {"one packet of a Perfetto trace", size(perfetto::largest_packet), "", skipped, note_id::record_too_large},
      {"packets that stand compressed in one", size(perfetto::largest_unpacked), "", "they are skipped and counted",
       note_id::stream_damaged},
      {"frames of a Python stack", std::to_string(most_frames), "", "the innermost are kept", ""},
      {"tables and indices of an SQLite database", std::to_string(most_schema_entries), "", "the input is refused",
       refusal_id::database_unreadable},
      {"one value of an SQLite database", size(longest_database_value), "", "the rest of its table is not read",
       note_id::database_damaged},
      {"text that a query of an SQLite database reads", std::to_string(most_times_text) + " times the file", "",
       "the rest of its table is not read", note_id::database_damaged},
      {"a report that is read again (`--known`, `waive`)", size(most_report_bytes), "", "it is refused",
       refusal_id::no_report},
      {"a file of rules or tests, a mapping, a project file", size(most_yaml_bytes), "", "it is refused",
       error_id::unreadable_file},
      {"levels of YAML", std::to_string(deepest_yaml), "", "the file is refused", error_id::file_limit},
      {"an expression",
       size(most_expression_bytes) + ", " + std::to_string(deepest_expression) + " levels, " +
           std::to_string(most_expression_nodes) + " parts",
       "", "its file is refused", error_id::expression_limit},
      {"rule files that import each other in a chain", std::to_string(deepest_import), "", "the import is refused",
       error_id::import_not_found},
      {"files of a pack (`packs`), and all of them", std::to_string(most_pack_files) + ", " + size(most_pack_bytes), "",
       "the pack is refused", refusal_id::no_pack},
      {"rows that a test of a rule states", std::to_string(most_test_rows), "", "its file is refused",
       error_id::malformed_series},
      {"a Lua rule, for each subject",
       std::to_string(lua.instructions / 1'000'000) + " million instructions, " + size(lua.memory_bytes) + ", " +
           std::to_string(lua.wall_ms) + " ms, " + size(lua.output_bytes) + " of output",
       "`RuleOptions::lua_limits`", "the rule fails", ""},
  };
}

std::string limits_text() {
  std::string text = "| limit | unless it is set | set by | what happens then | id |\n|---|---|---|---|---|\n";
  for (const LimitInfo& row : limit_table())
    text += "| " + row.name + " | " + row.most + " | " + row.set_by + " | " + row.then + " | " + std::string(row.id) +
            " |\n";
  return text;
}

}  // namespace kdiag
