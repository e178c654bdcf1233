// SPDX-License-Identifier: Apache-2.0
// Verbs about a project: its file, its waivers, its packs.
#include <functional>

#include <CLI/CLI.hpp>

#include "cli/declare/option_groups.hpp"
#include "cli/declare/output_formats.hpp"
#include "cli/declare/verbs.hpp"
#include "cli/option_values.hpp"

namespace kdiag::cli {
namespace {

void declare_config(CLI::App& app, OptionGroups& groups) {
  CLI::App& config = *app.add_subcommand("config", "Show what the project file says");
  config.allow_extras();
  config.footer("Examples:\n  kdiag config show");
  groups.verb(config, "show", "Show what holds here, and where each value comes from", Verb::config_show,
              R"(  kdiag config show
  kdiag config show --config ci/kdiag.yaml --fail-on low
Exit code 3: the project file, or a rule file that it names, has errors.)",
              [&](CLI::App& show) {
                groups.rules(show);
                groups.baseline(show);
                groups.report(show);
                show.add_option("--map", groups.options().maps, "A mapping; repeatable")
                    ->type_name("FILE")
                    ->allow_extra_args(false);
                show.add_flag("--strict", groups.options().strict, "As of the command");
                groups.output(show, report_formats);
              });
}

void declare_waive(CLI::App& app, OptionGroups& groups) {
  groups.verb(app, "waive", "Write waivers of findings of a JSON report, for the project file", Verb::waive,
              R"(  kdiag --format json --output report.json trace.json
  kdiag waive report.json host.sync-stall --reason 'the loss is read on purpose' --until 2026-12-31
  kdiag waive report.json --reason 'accepted before the move' --write       all of them, into kdiag.yaml)",
              [&](CLI::App& waive) {
                waive
                    .add_option(
                        "report", groups.options().files,
                        "The report, and ids of rules or fingerprints of its findings; without these all of them")
                    ->type_name("REPORT [FINDING...]")
                    ->required();
                NewWaiver& waiver = groups.options().waiver;
                waive.add_option("--reason", waiver.reason, "Why they are accepted")->type_name("TEXT")->required();
                waive.add_option("--owner", waiver.owner, "Who answers for it")->type_name("NAME");
                add_parsed(waive, "--until", "DATE", "The last day on which it holds",
                           [&waiver](const std::string& text) { waiver.until = parse_date("--until", text); });
                waive.add_flag("--write", groups.options().write,
                               "Add them to the project file, which is made where there is none");
                groups.config(waive);
                groups.output(waive, text_only);
              });
}

/// A verb of `packs`: of the rules and the project file that it is about.
void pack_verb(CLI::App& packs, OptionGroups& groups, const std::string& name, const std::string& help, Verb verb,
               const std::string& examples, const std::function<void(CLI::App&)>& declare) {
  groups.verb(packs, name, help, verb, examples, [&](CLI::App& app) {
    groups.config(app);
    groups.trust(app);
    groups.output(app, text_only);
    declare(app);
  });
}

void declare_packs(CLI::App& app, OptionGroups& groups) {
  CLI::App& packs = *app.add_subcommand("packs", "Pin the packs of a project, and take new versions of them");
  packs.allow_extras();
  packs.footer(R"(Examples:
  kdiag packs lock                             pin what the project file names, in kdiag.lock
  kdiag packs update house-1.1.0.tar.gz        what the new version changes; --write takes it)");
  pack_verb(packs, groups, "lock", "Pin the packs that the project file names, in kdiag.lock beside it",
            Verb::packs_lock, R"(  kdiag packs lock
  kdiag packs lock --check                     change nothing; exit 3 where a pack is not what is pinned)",
            [&](CLI::App& lock) {
              lock.add_flag("--check", groups.options().check,
                            "Change nothing; exit 3 where a pack is not what is pinned");
            });
  pack_verb(packs, groups, "diff", "Show what a version of a pack changes: rules, thresholds, tests", Verb::packs_diff,
            R"(  kdiag packs diff house-1.1.0.tar.gz          against the pack of that name in the project
  kdiag packs diff house-1.0.0.zip ../house    two folders, rule files or archives)",
            [&](CLI::App& diff) {
              diff.add_option("packs", groups.options().files, "The new version, or the old and the new one")
                  ->type_name("PACK")
                  ->required()
                  ->expected(1, 2);
            });
  pack_verb(packs, groups, "update", "Show what a new version changes, and take it with --write", Verb::packs_update,
            R"(  kdiag packs update house-1.1.0.tar.gz
  kdiag packs update house-1.1.0.tar.gz --write
Exit code 4: a test of the new version fails.)",
            [&](CLI::App& update) {
              update.add_option("pack", groups.options().files, "A folder, rule file or archive")
                  ->type_name("PACK")
                  ->required()
                  ->expected(1);
              update.add_flag("--write", groups.options().write, "Put it in the place of the pack, and pin it");
              update.add_flag("--force", groups.options().force, "Take it although tests of its own fail");
            });
}

}  // namespace

void declare_project_verbs(CLI::App& app, OptionGroups& groups) {
  declare_config(app, groups);
  declare_waive(app, groups);
  declare_packs(app, groups);
}

}  // namespace kdiag::cli
