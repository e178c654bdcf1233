// SPDX-License-Identifier: Apache-2.0
// The verbs. Each does what the options say and returns the exit code.
#pragma once

#include "cli/options.hpp"

namespace kdiag::cli {

int diagnose_traces(Options& options);
int compare_sides(Options& options);
int show_trend(Options& options);
int plan_recordings(Options& options);
int annotate_file(Options& options);
int answer_query(Options& options);
int explain_rule(Options& options);
int show_facts(Options& options);
int summarize_traces(Options& options);
int judge_fleet(Options& options);
int show_formats(const Options& options);
int show_limits(const Options& options);
int serve_editor();
int show_config(Options& options);
int write_waivers(const Options& options);
int lock_packs(const Options& options);
int diff_packs(const Options& options);
int update_pack(const Options& options);
int check_maps(const Options& options);
int check_rules(const Options& options);
int test_rule_files(const Options& options);
int list_rules(const Options& options);
int show_rule(const Options& options);
int document_rules(const Options& options);
int format_rule_files(const Options& options);
int make_rule(Options& options);
int show_schema(const Options& options);
int serve_assistant(const Options& options);

}  // namespace kdiag::cli
