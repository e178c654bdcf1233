// SPDX-License-Identifier: Apache-2.0
// The command kdiag: reads options, asks the library, prints.
#include <cstdio>
#include <exception>
#include <new>
#include <variant>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

int run(Options& options) {
  switch (options.verb) {
    case Verb::diagnose: return diagnose_traces(options);
    case Verb::compare: return compare_sides(options);
    case Verb::query: return answer_query(options);
    case Verb::explain: return explain_rule(options);
    case Verb::facts: return show_facts(options);
    case Verb::formats: return show_formats(options);
    case Verb::formats_check: return check_maps(options);
    case Verb::rules_check: return check_rules(options);
    case Verb::rules_test: return test_rule_files(options);
    case Verb::rules_list: return list_rules(options);
    case Verb::rules_show: return show_rule(options);
    case Verb::rules_docs: return document_rules(options);
    case Verb::rules_fmt: return format_rule_files(options);
    case Verb::rules_new: return make_rule(options);
    case Verb::rules_schema: return show_schema(options);
  }
  return exit_code::internal;
}

int run_command(int argc, const char* const* argv) {
  auto parsed = parse_options(argc, argv);
  if (const Stop* stop = std::get_if<Stop>(&parsed)) {
    if (stop->code != exit_code::ok) std::fputs(stop->text.c_str(), stderr);
    else if (write_output(stop->text, {})) return exit_code::usage;
    return stop->code;
  }
  return run(std::get<Options>(parsed));
}

}  // namespace
}  // namespace kdiag::cli

int main(int argc, char** argv) {
  kdiag::cli::catch_signals();
  try {
    return kdiag::cli::run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("kdiag: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kdiag: internal error: %s\n", error.what());
  }
  return kdiag::cli::exit_code::internal;
}
