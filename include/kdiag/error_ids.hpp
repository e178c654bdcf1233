// SPDX-License-Identifier: Apache-2.0
// Mistakes in rules, mappings and scripts (K1xx to K5xx and K74x, K75x): docs/errors.md has a section for each.
#pragma once

#include <string_view>

/// Ids are stable for ever and never reused; code says them by name.
namespace kdiag::error_id {

inline constexpr std::string_view unreadable_file = "K100";
inline constexpr std::string_view invalid_yaml = "K101";
inline constexpr std::string_view not_plain_text = "K102";
inline constexpr std::string_view repeated_key = "K103";
inline constexpr std::string_view anchor = "K104";
inline constexpr std::string_view yaml_tag = "K105";
inline constexpr std::string_view second_document = "K106";
inline constexpr std::string_view file_limit = "K107";
inline constexpr std::string_view wrong_kind_of_value = "K110";
inline constexpr std::string_view unknown_key = "K111";
inline constexpr std::string_view missing_key = "K112";
inline constexpr std::string_view unknown_word = "K113";
inline constexpr std::string_view invalid_name = "K114";
inline constexpr std::string_view edition = "K115";
inline constexpr std::string_view import_not_found = "K117";
inline constexpr std::string_view invalid_override = "K118";
inline constexpr std::string_view import_outside = "K119";
inline constexpr std::string_view syntax = "K120";
inline constexpr std::string_view expression_limit = "K121";
inline constexpr std::string_view broken_string = "K122";
inline constexpr std::string_view open_hole = "K123";
inline constexpr std::string_view not_formattable = "K140";
inline constexpr std::string_view wrong_type = "K201";
inline constexpr std::string_view mixed_types = "K202";
inline constexpr std::string_view mixed_comparison = "K203";
inline constexpr std::string_view wrong_arguments = "K204";
inline constexpr std::string_view column_without_aggregate = "K205";
inline constexpr std::string_view wrong_claim = "K206";
inline constexpr std::string_view several_timelines = "K207";
inline constexpr std::string_view inclusive_sum = "K208";
inline constexpr std::string_view invalid_regex = "K209";
inline constexpr std::string_view wrong_param_value = "K210";
inline constexpr std::string_view unknown_unit = "K220";
inline constexpr std::string_view impossible_fact = "K221";
inline constexpr std::string_view wrong_test_value = "K222";
inline constexpr std::string_view malformed_series = "K223";
inline constexpr std::string_view wrong_mapping = "K224";
inline constexpr std::string_view unknown_column = "K301";
inline constexpr std::string_view unknown_name = "K302";
inline constexpr std::string_view unknown_function = "K303";
inline constexpr std::string_view unknown_param = "K304";
inline constexpr std::string_view circular_name = "K305";
inline constexpr std::string_view defined_twice = "K306";
inline constexpr std::string_view column_named_twice = "K307";
inline constexpr std::string_view circular_symptom = "K308";
inline constexpr std::string_view unknown_series = "K309";
inline constexpr std::string_view unknown_subject = "K310";
inline constexpr std::string_view unknown_rule = "K311";
inline constexpr std::string_view taken_name = "K312";
inline constexpr std::string_view taken_old_id = "K313";
inline constexpr std::string_view doubt_of_no_health_rule = "K314";
inline constexpr std::string_view unstated_row = "K320";
inline constexpr std::string_view test_trace_unreadable = "K321";
inline constexpr std::string_view contradicting_test = "K322";
inline constexpr std::string_view unmappable_column = "K323";
inline constexpr std::string_view contradicting_mapping = "K324";
inline constexpr std::string_view never_used = "K401";
inline constexpr std::string_view unknown_link = "K402";
inline constexpr std::string_view old_id = "K403";
inline constexpr std::string_view constant_condition = "K404";
inline constexpr std::string_view unreachable_severity = "K405";
inline constexpr std::string_view fraction_equality = "K406";
inline constexpr std::string_view impossible_word = "K407";
inline constexpr std::string_view unknown_as_number = "K408";
inline constexpr std::string_view unlinked_tables = "K409";
inline constexpr std::string_view swallowed_comment = "K410";
inline constexpr std::string_view other_engine = "K411";
inline constexpr std::string_view param_without_value = "K412";
inline constexpr std::string_view plain_ratio = "K413";
inline constexpr std::string_view plain_braces = "K414";
inline constexpr std::string_view two_versions = "K316";
inline constexpr std::string_view no_advice = "K420";
inline constexpr std::string_view no_impact = "K421";
inline constexpr std::string_view no_tests = "K422";
inline constexpr std::string_view literal_threshold = "K423";
inline constexpr std::string_view detour = "K424";
inline constexpr std::string_view budget_exceeded = "K501";
inline constexpr std::string_view script_unusable = "K740";
inline constexpr std::string_view lua_off = "K741";
inline constexpr std::string_view invalid_lua = "K742";
inline constexpr std::string_view script_result = "K743";
inline constexpr std::string_view runs_lua = "K744";
inline constexpr std::string_view script_failed = "K750";
inline constexpr std::string_view script_limit = "K751";
inline constexpr std::string_view script_time = "K752";
inline constexpr std::string_view unknown_ladder = "K315";

}  // namespace kdiag::error_id
