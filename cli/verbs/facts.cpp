// SPDX-License-Identifier: Apache-2.0
// kdiag facts and formats: what traces hold, and what can be read.
#include "cli/verbs.hpp"

#include <memory>
#include <optional>

#include <kdiag/fact_tables.hpp>
#include <kdiag/tools.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/read_traces.hpp"
#include "cli/timeline.hpp"

namespace kdiag::cli {

namespace {

/// `kdiag facts --export`.
int write_facts(Options& options) {
  if (!load_maps(options)) return exit_code::rules;
  std::unique_ptr<Progress> progress = show_progress(options);
  OutputStream output(options.export_to == "-" ? std::string() : options.export_to);
  const Status status = export_facts(
      options.files, [&output](std::string_view piece) { return output.write(piece); }, options.load);
  progress.reset();
  if (interrupted) return exit_code::interrupted;
  if (!status) {
    complain(options, status.error());
    return exit_code::usage;
  }
  return finish(options, output, exit_code::ok);
}

/// `kdiag facts TRACE [TABLE] --format csv|jsonl|sqlite`.
int write_tables(const Options& options, const Facts& facts) {
  OutputStream output(options.output);
  const auto write = [&output](std::string_view piece) { return output.write(piece); };
  const TableFormat format = options.format == Format::csv ? TableFormat::csv : TableFormat::json_lines;
  const Status status = options.format == Format::sqlite
                            ? write_fact_database(facts, write, &interrupted)
                            : write_fact_table(facts, options.subject, format, write, &interrupted);
  if (interrupted) return exit_code::interrupted;
  if (!status) {
    complain(options, status.error());
    return exit_code::usage;
  }
  return finish(options, output, unreadable(options, facts));
}

}  // namespace

int show_facts(Options& options) {
  if (options.catalogue) return print(options, catalogue_text(), exit_code::ok);
  if (!options.export_to.empty()) return write_facts(options);
  if (options.format == Format::sqlite && refuses_terminal(options, "a database")) return exit_code::usage;
  int code = exit_code::ok;
  const std::optional<Facts> facts = load(options, code);
  if (!facts) return code;
  if (writes_one_table(options) || options.format == Format::sqlite) return write_tables(options, *facts);
  return print(options, options.format == Format::json ? facts_json(*facts) : facts_text(*facts),
               unreadable(options, *facts));
}

int show_formats(const Options& options) { return print(options, formats_text(), exit_code::ok); }

int show_limits(const Options& options) { return print(options, limits_text(), exit_code::ok); }

}  // namespace kdiag::cli
