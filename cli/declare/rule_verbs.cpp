// SPDX-License-Identifier: Apache-2.0
// Verbs for who writes rules.
#include <CLI/CLI.hpp>

#include "cli/declare/option_groups.hpp"
#include "cli/declare/output_formats.hpp"
#include "cli/declare/verbs.hpp"

namespace kdiag::cli {
namespace {

void declare_checks(CLI::App& rules, OptionGroups& groups) {
  groups.verb(rules, "check", "Find what is wrong with rule files", Verb::rules_check,
              R"(  kdiag rules check throttle.yaml
  kdiag rules check rules/ --werror            all files of a folder; warnings fail too
  kdiag rules check rules/ --format github     beside the lines of a change, in a workflow
Exit code 3: errors, warnings under --werror, or no rule files.)",
              [&](CLI::App& check) {
                groups.rule_files(check, true, diagnostic_formats);
                check.add_flag("--werror", groups.options().werror, "Exit 3 on warnings too");
              });
  groups.verb(rules, "test", "Run the tests of rules", Verb::rules_test,
              R"(  kdiag rules test throttle.yaml               inside these rules
  kdiag rules test rules/ --coverage           and test files below a folder; what was never seen
  kdiag rules test                             those of the built-in rules
Exit code 4: a test failed, or there are none.)",
              [&](CLI::App& test) { groups.rule_tests(test); });
  groups.verb(rules, "fmt", "Format rule files in place; - from standard input to output", Verb::rules_fmt,
              R"(  kdiag rules fmt throttle.yaml rules/
  kdiag rules fmt --check rules/               change nothing, print a diff
  kdiag rules fmt - < throttle.yaml
Exit code 3: a file has errors, or would change under --check.)",
              [&](CLI::App& fmt) {
                fmt.add_option("files", groups.options().files, "Rule files, or folders of them")
                    ->type_name("FILE")
                    ->required();
                fmt.add_flag("--check", groups.options().check,
                             "Change nothing; print a diff and exit 3 when something would change");
                fmt.add_flag("--quiet", groups.options().quiet, "Do not name the files that were changed");
              });
}

void declare_lists(CLI::App& rules, OptionGroups& groups) {
  groups.verb(rules, "list", "List the rules", Verb::rules_list, R"(  kdiag rules list
  kdiag rules list --area gpu
  kdiag rules list --rules throttle.yaml --format json)",
              [&](CLI::App& list) {
                list.add_option("--area", groups.options().area, "Those whose id begins so: gpu of gpu.low-utilization")
                    ->type_name("AREA");
                list.add_option("--tag", groups.options().tag, "Those that have this tag")->type_name("TAG");
                groups.rules(list);
                groups.output(list, text_or_json);
              });
  groups.verb(rules, "show", "Show what a rule is about, decides and needs, and its text", Verb::rules_show,
              "  kdiag rules show host.sync-stall", [&](CLI::App& show) {
                show.add_option("rule", groups.options().subject, "Id of the rule")->type_name("RULE")->required();
                groups.rules(show);
                groups.output(show, text_only);
              });
  groups.verb(rules, "docs", "Write Markdown pages about rules", Verb::rules_docs,
              R"(  kdiag rules docs host.sync-stall
  kdiag rules docs --rules throttle.yaml --output site/rules     a page per rule, and index.md)",
              [&](CLI::App& docs) {
                docs.add_option("rule", groups.options().subject,
                                "Id of the rule; without, all of them, and --output is a folder")
                    ->type_name("RULE");
                groups.rules(docs);
                groups.output(docs, text_only);
              });
}

void declare_schema(CLI::App& rules, OptionGroups& groups) {
  groups.verb(rules, "schema", "Print the JSON Schema of rule files, test files and mappings, for editors",
              Verb::rules_schema, "  kdiag rules schema --output rules.schema.json",
              [&](CLI::App& schema) { groups.output(schema, text_only); });
}

void declare_new(CLI::App& rules, OptionGroups& groups) {
  groups.verb(rules, "new", "Print a rule file to start from, or with --from a test cut out of a trace",
              Verb::rules_new,
              R"(  kdiag rules new team.slow-input --output slow_input.yaml
  kdiag rules new --from trace.json --rule host.sync-stall      a test to paste under `tests`
  kdiag rules new --from slow.json --baseline good.json --rule changed.sync-cost)",
              [&](CLI::App& create) {
                create.add_option("rule,--rule", groups.options().subject, "Id of the rule: area.name")
                    ->type_name("RULE")
                    ->required();
                create
                    .add_option("--from", groups.options().files,
                                "Cut the smallest facts that keep what the rule says of this trace")
                    ->type_name("TRACE")
                    ->allow_extra_args(false);
                create.add_flag("--force", groups.options().force, "Replace the file of --output");
                groups.rules(create);
                groups.scope(create);
                groups.baseline(create);
                groups.output(create, text_only);
              });
}

}  // namespace

void declare_rule_verbs(CLI::App& app, OptionGroups& groups) {
  CLI::App& rules = *app.add_subcommand("rules", "Check, test, format, list and write rules");
  rules.allow_extras();
  rules.footer(R"(Examples:
  kdiag rules new team.slow-input --output slow_input.yaml      a rule to start from
  kdiag rules check slow_input.yaml                             what is wrong with it
  kdiag rules test slow_input.yaml                              run its tests
`kdiag rules VERB --help` shows more of each.)");
  declare_checks(rules, groups);
  declare_lists(rules, groups);
  declare_new(rules, groups);
  declare_schema(rules, groups);
}

}  // namespace kdiag::cli
