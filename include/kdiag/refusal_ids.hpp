// SPDX-License-Identifier: Apache-2.0
// Why an input, a call or the command ends without a result (K6xx and K7xx): docs/notes.md has a line for each.
#pragma once

#include <string_view>

/// Ids are stable for ever and never reused; code says them by name.
namespace kdiag::refusal_id {

inline constexpr std::string_view no_such_file = "K610";
inline constexpr std::string_view no_permission = "K611";
inline constexpr std::string_view is_folder = "K612";
inline constexpr std::string_view empty = "K613";
inline constexpr std::string_view git_lfs_pointer = "K614";
inline constexpr std::string_view nsys_report = "K615";
inline constexpr std::string_view container = "K616";
inline constexpr std::string_view utf16 = "K617";
inline constexpr std::string_view no_event_array = "K620";
inline constexpr std::string_view database_unreadable = "K632";
inline constexpr std::string_view no_known_report = "K638";
inline constexpr std::string_view no_kernel_profiled = "K645";
inline constexpr std::string_view no_times = "K656";
inline constexpr std::string_view no_header = "K660";
inline constexpr std::string_view no_table_header = "K673";
inline constexpr std::string_view interrupted = "K690";
inline constexpr std::string_view unknown_format = "K691";
inline constexpr std::string_view format_not_read = "K692";
inline constexpr std::string_view no_such_run = "K693";
inline constexpr std::string_view empty_selection = "K694";
inline constexpr std::string_view no_records = "K695";
inline constexpr std::string_view no_input = "K696";
inline constexpr std::string_view usage = "K697";
inline constexpr std::string_view command_failed = "K698";
inline constexpr std::string_view no_test_to_cut = "K699";
inline constexpr std::string_view no_trace_inside = "K705";
inline constexpr std::string_view too_many_files = "K706";
inline constexpr std::string_view too_many_layers = "K709";
inline constexpr std::string_view facts_file_version = "K710";
inline constexpr std::string_view side_is_not_one_run = "K733";
inline constexpr std::string_view too_many_facts = "K761";
inline constexpr std::string_view host_adapter_failed = "K762";
inline constexpr std::string_view host_function = "K763";
inline constexpr std::string_view facts_file_output = "K764";
inline constexpr std::string_view out_of_time = "K768";
inline constexpr std::string_view ncu_report = "K773";
inline constexpr std::string_view no_accelerator_recording = "K774";
inline constexpr std::string_view metadata_alone = "K776";
inline constexpr std::string_view no_report = "K789";
inline constexpr std::string_view no_lock = "K790";
inline constexpr std::string_view lock_mismatch = "K791";
inline constexpr std::string_view no_pack = "K792";

}  // namespace kdiag::refusal_id
