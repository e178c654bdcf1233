// SPDX-License-Identifier: Apache-2.0
// The command kdiag: reads options, asks the library, prints.
#include <cstdio>
#include <exception>
#include <new>
#include <variant>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <kdiag/deadline.hpp>
#include <kdiag/refusal_ids.hpp>

#include "cli/command.hpp"
#include "cli/output.hpp"
#include "cli/replaced_input.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

/// Whether the command goes on to wait for somebody after it has read a trace.
bool waits_for_questions(const Options& options) {
  return options.verb == Verb::mcp || options.verb == Verb::lsp ||
         (options.verb == Verb::query && options.subject.empty());
}

/// Memory that was freed stays in the process: pages that the system takes back and gives anew cost more than they are
/// worth in one that is over soon (docs/performance.md). Blocks of up to 32 MB, the most that glibc takes, come from
/// the heap.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int megabyte = 1 << 20;
  ::mallopt(M_MMAP_THRESHOLD, 32 * megabyte);
  ::mallopt(M_TRIM_THRESHOLD, 1024 * megabyte);
#endif
}

int run(Options& options) {
  switch (options.verb) {
    case Verb::diagnose: return diagnose_traces(options);
    case Verb::compare: return compare_sides(options);
    case Verb::trend: return show_trend(options);
    case Verb::plan: return plan_recordings(options);
    case Verb::annotate: return annotate_file(options);
    case Verb::query: return answer_query(options);
    case Verb::explain: return explain_rule(options);
    case Verb::facts: return show_facts(options);
    case Verb::summarize: return summarize_traces(options);
    case Verb::fleet: return judge_fleet(options);
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
    case Verb::limits: return show_limits(options);
    case Verb::lsp: return serve_editor();
    case Verb::config_show: return show_config(options);
    case Verb::waive: return write_waivers(options);
    case Verb::packs_lock: return lock_packs(options);
    case Verb::packs_diff: return diff_packs(options);
    case Verb::packs_update: return update_pack(options);
    case Verb::mcp: return serve_assistant(options);
    case Verb::help: break;  // answered while the command line is read
  }
  return exit_code::internal;
}

/// What a signal kept from being read is no mistake in it.
int run_until_interrupted(Options& options) {
  const int code = run(options);
  return interrupted && code == exit_code::rules ? exit_code::interrupted : code;
}

/// The time limit stops the command as Ctrl-C does, and is told from it by the exit code. That of a server is for each
/// of its calls.
int run_in_time(Options& options) {
  if (options.most_ms == 0 || options.verb == Verb::mcp) return run_until_interrupted(options);
  const Deadline deadline(interrupted, options.most_ms);
  const int code = run_until_interrupted(options);
  if (code != exit_code::interrupted || !deadline.passed()) return code;
  Diagnostic error;
  error.id = refusal_id::out_of_time;
  error.title = deadline.watched() ? "the command took longer than --max-time"
                                   : "--max-time cannot be kept: the system gives no thread that looks at the clock";
  error.help = deadline.watched() ? "Raise the limit, or judge a part: --steps, --device, fewer files."
                                  : "Raise the limit of processes (ulimit -u), or leave --max-time away.";
  complain(options, Diagnostics{error});
  return exit_code::usage;
}

int run_command(int argc, const char* const* argv) {
  auto parsed = parse_options(argc, argv);
  if (const Stop* stop = std::get_if<Stop>(&parsed)) {
    if (stop->code != exit_code::ok) std::fputs(stop->text.c_str(), stderr);
    else if (write_output(stop->text, {})) return exit_code::usage;
    return stop->code;
  }
  Options& options = std::get<Options>(parsed);
  options.rule_options.cancel = &interrupted;
  if (waits_for_questions(options)) options.load.release_memory = true;
  else keep_freed_memory();
  return replaces_an_input(options) ? exit_code::usage : run_in_time(options);
}

}  // namespace
}  // namespace kdiag::cli

int main(int argc, char** argv) {
  kdiag::cli::open_standard_streams();
  kdiag::cli::catch_signals();
  try {
    return kdiag::cli::run_command(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs(  // as a diagnostic looks; there is no memory to make one
        "error[K767]: out of memory\n help: Give less at a time, or more memory; --max-memory refuses inputs before.\n",
        stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "kdiag: internal error: %s\n", error.what());
  }
  return kdiag::cli::exit_code::internal;
}
