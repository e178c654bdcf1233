// SPDX-License-Identifier: Apache-2.0
// Options that several verbs have in common, declared group by group: each verb takes those that mean something to it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/declare/output_formats.hpp"
#include "cli/options.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace kdiag::cli {

/// An option whose value `take` understands or refuses.
CLI::Option& add_parsed(CLI::App& app, const std::string& name, const std::string& type, const std::string& help,
                        const std::function<void(const std::string&)>& take);

/// Declares options and verbs, whose values go into `options`, which outlives it and the parsing.
class OptionGroups {
 public:
  /// `words` are the command line: a verb that is none of them has its name and help, but no options, of which a start
  /// would take most. Without `words` each verb has all.
  OptionGroups(Options& options, std::optional<std::vector<std::string>> words)
      : options_(options), words_(std::move(words)) {}

  /// A verb; `examples` are lines of a command and what it does, `declare` gives it its options.
  CLI::App& verb(CLI::App& parent, const std::string& name, const std::string& help, Verb verb,
                 const std::string& examples, const std::function<void(CLI::App&)>& declare);

  // What is judged.
  void traces(CLI::App& app, bool required);  ///< with `scope` and `times`
  void sides(CLI::App& app);                  ///< the two of a comparison, with `scope` and `times`
  void baseline(CLI::App& app);               ///< what is compared with another run
  void scope(CLI::App& app);                  ///< which part of traces is meant, and how they are read
  void times(CLI::App& app);                  ///< from when to when
  /// What the command may cost; `time` says what --max-time is of.
  void limits(CLI::App& app, const std::string& time = "How long the command may take (default: without limit)");

  // What judges it.
  void rules(CLI::App& app);   ///< which rules with which parameters, with `config` and `trust`
  void config(CLI::App& app);  ///< which project file holds
  void trust(CLI::App& app);   ///< what rules may do
  void rule_files(CLI::App& app, bool required, const OutputFormats& formats);  ///< with `trust` and `output`
  void rule_tests(CLI::App& app);                                               ///< with `trust` and `output`

  // What comes out.
  void output(CLI::App& app, const OutputFormats& formats);
  void layout(CLI::App& app);   ///< of text
  void report(CLI::App& app);   ///< how much is told, with `gates`, `policy` and `layout`
  void gates(CLI::App& app);    ///< when the exit code says no, with `fail_on`
  void fail_on(CLI::App& app);  ///< from which severity on
  void policy(CLI::App& app);   ///< findings that a team accepts or knows

  Options& options() { return options_; }

 private:
  Options& options_;
  std::optional<std::vector<std::string>> words_;
};

}  // namespace kdiag::cli
