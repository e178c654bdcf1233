// SPDX-License-Identifier: Apache-2.0
// What was odd about an input that could be read (K6xx and K7xx): docs/notes.md has a line for each.
#pragma once

#include <string_view>

/// Ids are stable for ever and never reused; code says them by name.
namespace kdiag::note_id {

inline constexpr std::string_view input_cut = "K600";
inline constexpr std::string_view stream_damaged = "K601";
inline constexpr std::string_view unreadable_record = "K602";
inline constexpr std::string_view malformed_value = "K603";
inline constexpr std::string_view unknown_kind = "K604";
inline constexpr std::string_view text_repaired = "K605";
inline constexpr std::string_view negative_duration = "K606";
inline constexpr std::string_view record_too_large = "K607";
inline constexpr std::string_view bytes_after_end = "K608";
inline constexpr std::string_view input_unreadable = "K609";
inline constexpr std::string_view read_failed = "K618";
inline constexpr std::string_view impossible_time = "K619";
inline constexpr std::string_view records_dropped = "K621";
inline constexpr std::string_view time_unknown = "K622";
inline constexpr std::string_view unknown_counter = "K623";
inline constexpr std::string_view out_of_memory = "K624";
inline constexpr std::string_view profiler_errors = "K625";
inline constexpr std::string_view profiler_warnings = "K626";
inline constexpr std::string_view zero_start = "K627";
inline constexpr std::string_view no_device_work = "K628";
inline constexpr std::string_view second_document = "K629";
inline constexpr std::string_view database_damaged = "K630";
inline constexpr std::string_view write_ahead_log = "K631";
inline constexpr std::string_view range_without_end = "K633";
inline constexpr std::string_view graphs_as_whole = "K634";
inline constexpr std::string_view profiler_reported_errors = "K635";
inline constexpr std::string_view report_left_out = "K636";
inline constexpr std::string_view repeated_report_row = "K637";
inline constexpr std::string_view unused_report = "K639";
inline constexpr std::string_view unused_event = "K640";
inline constexpr std::string_view guessed_device_row = "K641";
inline constexpr std::string_view closed_range = "K642";
inline constexpr std::string_view end_without_begin = "K643";
inline constexpr std::string_view numbered_ranks = "K644";
inline constexpr std::string_view metric_not_number = "K646";
inline constexpr std::string_view tool_advice = "K647";
inline constexpr std::string_view unused_metric = "K648";
inline constexpr std::string_view decimal_comma = "K649";
inline constexpr std::string_view unused_view = "K650";
inline constexpr std::string_view no_view = "K651";
inline constexpr std::string_view plugin_advice = "K652";
inline constexpr std::string_view average_step = "K653";
inline constexpr std::string_view repeated_view = "K654";
inline constexpr std::string_view unknown_phase = "K655";
inline constexpr std::string_view no_log_row = "K661";
inline constexpr std::string_view assumed_times = "K662";
inline constexpr std::string_view assumed_device = "K663";
inline constexpr std::string_view device_lost = "K664";
inline constexpr std::string_view few_clock_reasons = "K665";
inline constexpr std::string_view unknown_log_column = "K666";
inline constexpr std::string_view shared_device = "K667";
inline constexpr std::string_view device_numbers_differ = "K668";
inline constexpr std::string_view assumed_date_order = "K669";
inline constexpr std::string_view cut_names = "K670";
inline constexpr std::string_view utilization_out_of_range = "K671";
inline constexpr std::string_view unknown_table_column = "K672";
inline constexpr std::string_view assumed_clock_unit = "K674";
inline constexpr std::string_view report_of_two_runs = "K675";
inline constexpr std::string_view impossible_statistic = "K676";
inline constexpr std::string_view unfinished_collectives = "K677";
inline constexpr std::string_view missing_tasks = "K678";
inline constexpr std::string_view serialised_kernels = "K679";
inline constexpr std::string_view several_runs = "K680";
inline constexpr std::string_view rank_taken = "K681";
inline constexpr std::string_view unranked_input = "K682";
inline constexpr std::string_view times_apart = "K683";
inline constexpr std::string_view assumed_time_zone = "K684";
inline constexpr std::string_view samples_not_aligned = "K685";
inline constexpr std::string_view samples_apart = "K686";
inline constexpr std::string_view samples_of_no_run = "K687";
inline constexpr std::string_view ambiguous_device = "K688";
inline constexpr std::string_view steps_set_apart = "K689";
inline constexpr std::string_view files_skipped = "K701";
inline constexpr std::string_view hidden_files_skipped = "K702";
inline constexpr std::string_view rank_from_name = "K703";
inline constexpr std::string_view archive_damaged = "K704";
inline constexpr std::string_view unpacks_too_far = "K707";
inline constexpr std::string_view repeated_recording = "K708";
inline constexpr std::string_view value_left_out = "K711";
inline constexpr std::string_view dangling_reference = "K712";
inline constexpr std::string_view unmapped_column = "K720";
inline constexpr std::string_view mapping_unused = "K721";
inline constexpr std::string_view mapped_column_missing = "K722";
inline constexpr std::string_view matched_by_name = "K730";
inline constexpr std::string_view no_counterpart = "K731";
inline constexpr std::string_view several_baselines = "K732";
inline constexpr std::string_view sides_by_name = "K734";
inline constexpr std::string_view unpack_limit = "K765";
inline constexpr std::string_view unpack_memory = "K766";
inline constexpr std::string_view no_cuda_call = "K770";
inline constexpr std::string_view severe_diagnostic = "K771";
inline constexpr std::string_view driver_gave_no_records = "K772";
inline constexpr std::string_view unused_metadata = "K775";
inline constexpr std::string_view rows_not_printed = "K777";
inline constexpr std::string_view rows_not_listed = "K778";
inline constexpr std::string_view totals_assumed = "K779";
inline constexpr std::string_view no_rows = "K780";
inline constexpr std::string_view line_prefixes = "K781";
inline constexpr std::string_view host_totals_not_printed = "K782";
inline constexpr std::string_view no_summary = "K783";
inline constexpr std::string_view wrong_results = "K784";
inline constexpr std::string_view average_launch = "K785";
inline constexpr std::string_view rows_without_place = "K786";
inline constexpr std::string_view instance_metrics = "K787";
inline constexpr std::string_view other_processes = "K788";
inline constexpr std::string_view missing_dispatches = "K793";

/// Whether a note says that nothing was read of its input.
constexpr bool says_nothing_read(std::string_view id) {
  return id == input_unreadable || id == no_rows || id == rows_without_place;
}

}  // namespace kdiag::note_id
