// SPDX-License-Identifier: Apache-2.0
// Verbs that judge traces, or ask what a judgement rests on.
#include <CLI/CLI.hpp>

#include "cli/declare/option_groups.hpp"
#include "cli/declare/output_formats.hpp"
#include "cli/declare/verbs.hpp"

namespace kdiag::cli {
namespace {

void declare_compare(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "compare", "Compare two runs: which is slower, and where the difference went", Verb::compare,
              R"(  kdiag compare normal.json abnormal.json
  kdiag compare runs.json#1 runs.json#2        two runs of one file; with two in all, kdiag compare runs.json
  kdiag compare --normal a/rank0.json --normal a/rank1.json --abnormal b/
  kdiag compare before.json after.json --anchor Scheduler.run_batch
  kdiag compare batch8.json batch32.json --per images=8,32
  kdiag compare before.json after.json --fail-above 5% --fail-above idle.host_sync=10ms
  kdiag compare --normal mon.json --normal tue.json --normal wed.json --abnormal thu.json
Exit code 1 under --fail-on: a regression, or a new or grown finding, of that severity. A regression is critical from
40 % on, high from 20 %, medium from 10 %, else low. Exit code 5 under --strict: the verdict is inconclusive.
`kdiag --baseline A B --gate changes` has the same exit codes.)",
              [&](CLI::App& compare) {
                groups.rules(compare);
                groups.sides(compare);
                groups.output(compare, report_formats);
                groups.report(compare);
              });
}

void declare_trend(CLI::App& app, OptionGroups& groups) {
  groups.verb(
      app, "trend", "Find the run since which a program is slower, in a history of runs", Verb::trend,
      R"(  kdiag trend nightly/                         each file or folder in it is a run, in the order of names
  kdiag trend monday.jsonl tuesday.jsonl ...   in the order given; 8 runs and more
Exit code 1 under --fail-on: the last change is a regression of that severity. Exit code 5 under --strict: too few runs.)",
      [&](CLI::App& trend) {
        groups.traces(trend, true);
        trend.add_option("--anchor", groups.options().compare.anchor, "The user range that is one cycle, in all runs")
            ->type_name("RANGE");
        groups.output(trend, {{"text", Format::text}, {"json", Format::json}, {"markdown", Format::markdown}});
        groups.fail_on(trend);
      });
}

void declare_fleet(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "fleet", "Judge many ranks as one job: which of them the others wait for, and why", Verb::fleet,
              R"(  kdiag fleet summaries/                       those that kdiag summarize wrote, and traces
  kdiag fleet rank0.json rank1.json --jobs 2   traces are summarised first, so many at a time
  kdiag fleet job/ --slurm work/               jobs of Slurm: an array that summarises traces, and one that judges them
Rules of other packs: --select 'comm.*' --select 'fleet.*'.)",
              [&](CLI::App& fleet) {
                groups.rules(fleet);
                groups.traces(fleet, true);
                fleet
                    .add_option("--jobs", groups.options().jobs,
                                "Traces that are summarised at a time (default: all cores, at most 8)")
                    ->type_name("N")
                    ->check(CLI::Range(1, 1024).description(""));
                groups.output(fleet, report_formats);
                groups.report(fleet);
                Options& options = groups.options();
                CLI::Option* slurm = fleet
                                         .add_option("--slurm", options.slurm,
                                                     "Judge nothing here: write jobs of Slurm to this folder that do")
                                         ->type_name("DIR");
                fleet.add_option("--chunks", options.chunks, "Tasks of the array that summarises (default: 100)")
                    ->type_name("N")
                    ->check(CLI::Range(1, 1000).description(""))
                    ->needs(slurm);
                fleet.add_flag("--submit", options.submit, "Hand these jobs to Slurm")->needs(slurm);
              });
}

void declare_plan(CLI::App& app, OptionGroups& groups) {
  groups.verb(
      app, "plan", "Say what to record next, so that rules which could not tell are settled", Verb::plan,
      R"(  kdiag plan trace.json                        the fewest recordings, their commands and costs
  kdiag plan trace.json --for clock.throttled  for this rule alone)",
      [&](CLI::App& plan) {
        plan.add_option("--for", groups.options().plan_for, "For this rule; repeatable")
            ->type_name("RULE")
            ->allow_extra_args(false);
        groups.rules(plan);
        groups.traces(plan, true);
        groups.output(
            plan,
            {{"text", Format::text}, {"json", Format::json}, {"markdown", Format::markdown}, {"html", Format::html}});
        groups.layout(plan);
      });
}

void declare_annotate(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "annotate", "Add the findings to a Kineto or Chrome trace, for the viewer at hand", Verb::annotate,
              R"(  kdiag annotate trace.json --output annotated.json.gz
All other bytes of the trace stay as they are. For other formats: kdiag --format perfetto.)",
              [&](CLI::App& annotate) {
                annotate.add_option("trace", groups.options().files, "The trace: one file")
                    ->type_name("TRACE")
                    ->required()
                    ->expected(1);
                groups.rules(annotate);
                groups.scope(annotate);
                groups.times(annotate);
                groups.output(annotate, text_only);
              });
}

void declare_query(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "query", "Answer an expression on each run, or ask for expressions", Verb::query,
              R"(  kdiag query 'sum(kernels, dur)' trace.json
  kdiag query 'top(kernel_stats, 10, total)' trace.json
  kdiag query 'idle group by (cause) select (total = sum(dur))' trace.json --format csv
  kdiag query --in host.sync-stall stall trace.json        a name of a rule, for each of its subjects
  kdiag query trace.json                       ask for expressions (Tab completes, `help` helps))",
              [&](CLI::App& query) {
                query
                    .add_option("expression", groups.options().subject,
                                "An expression of the rule language; without it, a prompt")
                    ->type_name("EXPR");
                groups.rules(query);
                groups.traces(query, false);
                groups.baseline(query);
                CLI::Option* in = query.add_option("--in", groups.options().in_rule.rule,
                                                   "Ask in the place of a rule: its parameters and lets can be named");
                in->type_name("RULE");
                query
                    .add_option("--subject", groups.options().in_rule.subject,
                                "With --in: one of the rule's subjects, by its name or id in reports: 'GPU 0'")
                    ->type_name("NAME")
                    ->needs(in);
                query
                    .add_option("--run", groups.options().in_rule.run,
                                "With --in: one of several runs, by its id in reports: A")
                    ->type_name("ID")
                    ->needs(in);
                query.add_flag("--wide", groups.options().wide,
                               "Show names in full, however long the lines get on a terminal");
                groups.output(query, {{"text", Format::text}, {"json", Format::json}, {"csv", Format::csv}});
              });
}

void declare_explain(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "explain", "Show why a rule fired or not; without a trace, what it needs", Verb::explain,
              R"(  kdiag explain host.sync-stall trace.json     the values behind its outcome
  kdiag explain clock.throttled                which facts it needs and how to record them)",
              [&](CLI::App& explain) {
                explain.add_option("rule", groups.options().subject, "Id of the rule")->type_name("RULE")->required();
                groups.rules(explain);
                groups.traces(explain, false);
                groups.baseline(explain);
                groups.output(explain, text_only);
              });
}

}  // namespace

void declare_judging_verbs(CLI::App& app, OptionGroups& groups) {
  declare_compare(app, groups);
  declare_trend(app, groups);
  declare_fleet(app, groups);
  declare_plan(app, groups);
  declare_annotate(app, groups);
  declare_query(app, groups);
  declare_explain(app, groups);
}

}  // namespace kdiag::cli
