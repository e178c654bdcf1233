// SPDX-License-Identifier: Apache-2.0
// Verbs about what kdiag reads.
#include <CLI/CLI.hpp>

#include "cli/declare/option_groups.hpp"
#include "cli/declare/output_formats.hpp"
#include "cli/declare/verbs.hpp"

namespace kdiag::cli {
namespace {

void declare_facts(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "facts", "Show which facts the traces hold", Verb::facts,
              R"(  kdiag facts trace.json                       tables and columns, and who supplied them
  kdiag facts trace.json kernels --format csv  the rows of a table, with keys by which tables are joined
  kdiag facts trace.json --format sqlite --output facts.db   all tables as one database
  kdiag facts --export facts.jsonl trace.json  what the traces state, as a file that kdiag reads again
  kdiag facts --catalogue                      every table and column there can be)",
              [&](CLI::App& facts) {
                CLI::Option* exported =
                    facts
                        .add_option("--export", groups.options().export_to,
                                    "Write what the traces state to a facts file; '-' for standard output")
                        ->type_name("OUT");
                facts.add_flag("--catalogue", groups.options().catalogue,
                               "All tables and columns there can be; no trace needed");
                groups.traces(facts, false);
                for (const char* part : {"--steps", "--within", "--from", "--to", "--rank", "--device"})
                  exported->excludes(facts.get_option(part));
                groups.output(facts, {{"text", Format::text},
                                      {"json", Format::json},
                                      {"csv", Format::csv},
                                      {"jsonl", Format::json_lines},
                                      {"sqlite", Format::sqlite}});
              });
}

void declare_summarize(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "summarize", "Write what the judgement of many ranks needs of a trace", Verb::summarize,
              R"(  kdiag summarize rank0.json --output rank0.kds
  kdiag fleet summaries/                       judge all of them as one job
  kdiag summarize job/ --into summaries/       one of each rank; those that are there are kept
  mpirun kdiag summarize job/ --into summaries/ --mpi-env      ranks are shared out among the processes
A summary is an input like any other, of some ten bytes a collective: steps, collectives, activities, totals by name,
and what the rules find in the trace of the rank.)",
              [&](CLI::App& summarize) {
                groups.rules(summarize);
                groups.traces(summarize, true);
                for (const char* part : {"--steps", "--within", "--from", "--to", "--rank", "--device"})
                  summarize.remove_option(summarize.get_option(part));  // a summary is of the whole trace
                groups.output(summarize, text_only);
                Options& options = groups.options();  // outlives the parsing
                CLI::Option* into =
                    summarize
                        .add_option("--into", options.into,
                                    "Write a summary of each rank to this folder; those that are there are kept")
                        ->type_name("DIR")
                        ->excludes(summarize.get_option("--output"));
                CLI::Option* part =
                    add_parsed(summarize, "--part", "I/N", "Of the ranks, by their names, every N-th from I on, from 0",
                               [&options](const std::string& text) { options.part = parse_part("--part", text); })
                        .needs(into);
                summarize
                    .add_flag_callback(
                        "--mpi-env", [&options] { options.part = part_of_process("--mpi-env"); },
                        "The part of this process of mpirun or srun")
                    ->needs(into)
                    ->excludes(part);
              });
}

void declare_formats(CLI::App& app, OptionGroups& groups) {
  CLI::App& formats =
      groups.verb(app, "formats", "List what kdiag reads and how to record it; check mappings", Verb::formats,
                  R"(  kdiag formats
  kdiag formats check mylog.yaml               what is wrong with a mapping of a format of your own)",
                  [&](CLI::App& list) { groups.output(list, text_only); });
  groups.verb(formats, "check", "Find what is wrong with mappings", Verb::formats_check,
              R"(  kdiag formats check mylog.yaml
  kdiag --map mylog.yaml log.csv               judge by it what is in the log
Exit code 3: a mapping has errors.)",
              [&](CLI::App& check) {
                check.add_option("files", groups.options().files, "Mapping files")->type_name("FILE")->required();
                groups.output(check, diagnostic_formats);
              });
}

void declare_limits(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "limits", "List what inputs may cost, and what happens then", Verb::limits, "  kdiag limits",
              [&](CLI::App& limits) { groups.output(limits, text_only); });
}

}  // namespace

void declare_input_verbs(CLI::App& app, OptionGroups& groups) {
  declare_facts(app, groups);
  declare_summarize(app, groups);
  declare_formats(app, groups);
  declare_limits(app, groups);
}

}  // namespace kdiag::cli
