// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic_table.hpp"

#include <algorithm>
#include <iterator>

#include <kdiag/error_ids.hpp>

namespace kdiag {
namespace {

constexpr DiagnosticInfo diagnostics[] = {
    // --- K1xx: the file and its syntax ---
    {error_id::unreadable_file, "the rule file cannot be read",
     "It is missing, a folder, not readable, or larger than 1 MiB."},
    {error_id::invalid_yaml, "not valid YAML",
     "YAML gives some characters a meaning; an expression that holds them stands in a block: `when: |` and the text "
     "indented on the next line."},
    {error_id::not_plain_text, "not plain text", "Rule files are UTF-8 without control characters."},
    {error_id::repeated_key, "a key stands twice", "YAML would silently keep one of the two values."},
    {error_id::anchor, "anchors, aliases and merge keys are refused",
     "`&`, `*` and `<<` make files hard to read and small files very large; write the values out."},
    {error_id::yaml_tag, "YAML tags are refused",
     "`!` begins a tag and would cut off a part of an expression; write `not`."},
    {error_id::second_document, "a second document",
     "A rule file is one YAML document; what stands behind `---` would be lost."},
    {error_id::file_limit, "a limit is exceeded", "1 MiB and 64 levels for a file, 100 problems shown for one."},
    {error_id::wrong_kind_of_value, "a value of the wrong kind",
     "A list, a mapping or a single value stands where another kind belongs, or nothing stands there."},
    {error_id::unknown_key, "unknown key",
     "A misspelt key would be a rule that silently does less. Keys of your own begin with `x-`."},
    {error_id::missing_key, "a key is missing",
     "A rule needs `rule`, `title`, and `when` or `script`; a define `name` and `expr`; a test `facts` or `trace`, and "
     "`expect` or "
     "`eval`."},
    {error_id::unknown_word, "a word that is not one of those allowed",
     "Roles, severities, types, outcomes, `true` and `false` are fixed words, spelt exactly."},
    {error_id::invalid_name, "not a name or an id",
     "Names are letters, digits and `_`; ids of rules are area.name, each part in lower case with hyphens."},
    {error_id::edition, "the edition of the language",
     "A rule file begins with `kdiag: 1`, a test file with `kdiag_test: 1`, a mapping with `kdiag_map: 1`."},
    {error_id::import_not_found, "an import that cannot be followed",
     "`import` takes `std` and paths of rule files, relative to the file that imports them."},
    {error_id::invalid_override, "an override of what cannot be overridden",
     "`set` takes params, severity and enabled, of a pack params alone; `append` takes except, recommend and tags."},
    {error_id::import_outside, "an import from another folder",
     "Rules import files that lie below the folders of the files that were named, where links lead. Anything else "
     "could "
     "be a file that its owner does not show."},
    {error_id::syntax, "syntax error in an expression", "The expression cannot continue at the marked token."},
    {error_id::expression_limit, "an expression beyond the limits",
     "16 KiB of text, 128 levels of nesting, 10,000 parts (defines written out), 32 names in a chain; name parts of it "
     "with `let`."},
    {error_id::broken_string, "a broken string or regular expression",
     "It is not closed on its line, or has an escape or flag that does not exist."},
    {error_id::open_hole, "a hole of a text is not closed",
     "`${` begins an expression that `}` ends; a dollar sign before a brace is `$$`."},
    {error_id::not_formattable, "the file cannot be formatted",
     "Formatting changes nothing but blanks; where a text would change with them, the file is left as it is."},
    // --- K2xx: types and units ---
    {error_id::wrong_type, "a value of the wrong type",
     "The place needs a condition, a table, a single value or another type than the expression has."},
    {error_id::mixed_types, "types that do not go together",
     "Operands, list items, branches or arguments must be of one type and dimension."},
    {error_id::mixed_comparison, "a comparison of different things",
     "Only values of one dimension compare: time with time, bytes with bytes. A bare 0 fits any."},
    {error_id::wrong_arguments, "wrong arguments of a function",
     "Their number or their types are not those of the signature that is shown."},
    {error_id::column_without_aggregate, "a column of a group without an aggregate",
     "A group has many values in a column: take sum, max, ... of it, or make it a key."},
    {error_id::wrong_claim, "a claim, a confidence or a location of the wrong type",
     "impact and gain need a time, [low, high] or intervals; confidence a number from 0 to 1; location a "
     "frame; one_off intervals, of an impact of intervals, on a device."},
    {error_id::several_timelines, "several timelines at once",
     "Interval functions work on one timeline: add `for_each: device` (or rank, thread)."},
    {error_id::inclusive_sum, "inclusive times are added",
     "Totals of operators contain those of their children; filter by one name or take outermost()."},
    {error_id::invalid_regex, "an invalid regular expression", "The syntax is that of RE2."},
    {error_id::wrong_param_value, "a value that does not fit its parameter",
     "A parameter's value has its type and dimension and lies in its range."},
    {error_id::unknown_unit, "unknown unit",
     "ns us ms s min, B KB KiB .. TiB, Hz .. GHz, B/s .. TiB/s, FLOP .. PFLOP, FLOP/s .. PFLOP/s, W, J, degC, %; upper "
     "and lower case matter."},
    {error_id::impossible_fact, "a value that a fact cannot have",
     "Times are whole nanoseconds; times, bytes and whole numbers have 64 bits; rows, texts and columns are those of "
     "the same batch and table."},
    {error_id::wrong_test_value, "a value of a test that does not fit",
     "Facts have the unit and type of their column: `dur: 5us`; what an `eval` equals has those of its expression; "
     "`impact` is time."},
    {error_id::malformed_series, "a malformed series of rows in a test",
     "first+step*count, such as 0us+20us*1000; all series of a row have one length."},
    {error_id::wrong_mapping, "a mapping that does not fit its column",
     "What a mapping gives to a column has the unit and type of the column; `kdiag facts --catalogue` lists them."},
    // --- K3xx: names ---
    {error_id::unknown_column, "unknown column", "`kdiag facts --catalogue` lists the columns of every table."},
    {error_id::unknown_name, "unknown name or table",
     "Names are tables, lets, defines and columns of the table that is filtered."},
    {error_id::unknown_function, "unknown function", "docs/language.md lists the functions."},
    {error_id::unknown_param, "unknown parameter", "Parameters are declared under `params` and used as $name."},
    {error_id::circular_name, "a name that depends on itself", "lets and defines must not form a circle."},
    {error_id::defined_twice, "defined twice", "Ids of rules and names of defines are unique over all loaded files."},
    {error_id::column_named_twice, "a column is named twice",
     "Each key and column of a group or selection has a name of its own."},
    {error_id::circular_symptom, "a rule that is a symptom of itself",
     "`explains` and `symptom_of` must not form a circle."},
    {error_id::unknown_series, "unknown series or flag", "`kdiag facts --catalogue` lists the series of samples."},
    {error_id::unknown_subject, "unknown kind of subject",
     "`for_each` is run, rank, device, stream, step, thread, kernel, op, function, group, or `kernels group by "
     "(class)`: a table and some of its columns."},
    {error_id::unknown_rule, "unknown rule", "`kdiag rules list` shows the ids of all loaded rules."},
    {error_id::taken_name, "a name that is taken",
     "A define cannot be called like a table, a function or a subject, nor its parameter like a column that it reads."},
    {error_id::taken_old_id, "an old id that is not free",
     "An id under `replaces` belongs to one rule and is no rule any more."},
    {error_id::doubt_of_no_health_rule, "a doubt of a rule that is not about the recording",
     "`doubts` takes confidence from other rules and `caps` severity: only those of role health may."},
    {error_id::unknown_ladder, "unknown ladder",
     "`severity: {ladder: NAME, of: VALUE}` names a ladder that `ladders` of a loaded file define."},
    {error_id::two_versions, "two versions of one pack",
     "Packs of one name state different versions, and their rules would judge side by side: which of them somebody "
     "meant "
     "nobody can tell."},
    {error_id::unstated_row, "a test refers to a row that it does not state",
     "Rows are referred to by id, by their number from 0 or by name."},
    {error_id::test_trace_unreadable, "the trace of a test cannot be read",
     "Its path is relative to the file of the test."},
    {error_id::contradicting_test, "parts of a test that contradict each other",
     "A test has facts or a trace, a rule ends a run in one way, and severity and impact belong to a finding."},
    {error_id::unmappable_column, "a table or column that cannot be mapped",
     "kdiag derives some facts itself, and links rows that have no id."},
    {error_id::contradicting_mapping, "parts of a mapping that contradict each other",
     "A value is a column or a constant, a span has two of start, dur and end, and instants are of one clock."},
    // --- K4xx: lint ---
    {error_id::never_used, "never used", "A let, define or parameter that nothing uses is often a misspelt one."},
    {error_id::unknown_link, "a link to an unknown rule",
     "`explains`, `symptom_of` or `unless` names a rule that no loaded pack defines."},
    {error_id::old_id, "an old id", "The rule has another id now; the old one still works."},
    {error_id::constant_condition, "a condition that never changes",
     "It is true or false whatever the trace says: a literal, or comparisons that exclude each other or leave nothing "
     "out."},
    {error_id::unreachable_severity, "a severity that is never reached",
     "The first tier that holds decides, and an earlier one always holds where this one does."},
    {error_id::fraction_equality, "a fraction compared for equality",
     "Quotients and means are rounded; two that should be equal often differ in the last digit."},
    {error_id::impossible_word, "a word that the column never holds",
     "The catalogue lists all words of the column, and this is none of them."},
    {error_id::unknown_as_number, "an unrecorded fact taken for a number",
     "`coalesce` and `default` with a number at the end make a condition answer where nobody knows."},
    {error_id::unlinked_tables, "rows of two tables without a link",
     "Every row would be compared with every other: link both by an equality or by their times."},
    {error_id::swallowed_comment, "a comment in a folded block",
     "`>` joins the lines, so that the comment swallows those behind it; begin the block with `|`."},
    {error_id::other_engine, "a pack for another kdiag",
     "`engine` of the pack does not admit this version: its rules were left out; the others run."},
    {error_id::param_without_value, "a parameter without a value",
     "It has no `default`, and nothing sets it: what asks for it is unknown, and the rule inconclusive."},
    {error_id::plain_ratio, "a ratio without a percent sign",
     "A plain number above 1 is a multiple: 20 is 2000 %, not 20 %."},
    {error_id::plain_braces, "a hole without its dollar sign",
     "`{device.name}` is printed as it stands; `${device.name}` is its value."},
    // Notes for authors: only `kdiag rules check` prints them.
    {error_id::no_advice, "a rule without advice", "A finding should say what to do: `recommend`."},
    {error_id::no_impact, "a cause without an impact",
     "Shares, ranking and nesting of a finding come from its `impact`."},
    {error_id::no_tests, "a rule without tests", "A rule worth shipping has tests: fired, clear and inconclusive."},
    {error_id::literal_threshold, "a threshold that is no parameter",
     "Parameters can be set with `--set` and overrides; literals cannot."},
    {error_id::detour, "a detour around a word of the language",
     "`is true`, `is false`, `is known` and `x if c` say what `default(c, false)`, `defined(x)` and "
     "`x / (if c then 1 else 0)` say."},
    // --- K7xx: Lua (K700-K729 are notes of traces) ---
    {error_id::script_unusable, "a script that cannot be used",
     "`script:` names a `.lua` file below the folder of the pack, no larger than 1 MiB, in the place of `when`."},
    {error_id::lua_off, "Lua is off", "The rule needs Lua, and `--no-lua`, the program or the build has none."},
    {error_id::invalid_lua, "no valid Lua", "A script is Lua 5.4 in source form; the message is Lua's."},
    {error_id::script_result, "a script that does not return what it should",
     "It returns a table with a function `detect`; beside it the keys of a rule when it is a rule file, else nothing."},
    // A note for authors: only `kdiag rules check` prints it.
    {error_id::runs_lua, "a rule that runs Lua",
     "It cannot do harm, but what it does is said by a program and not by an expression."},
};

}  // namespace

std::span<const DiagnosticInfo> diagnostic_table() { return diagnostics; }

const DiagnosticInfo* diagnostic_info(std::string_view id) {
  const auto* found = std::find_if(std::begin(diagnostics), std::end(diagnostics),
                                   [id](const DiagnosticInfo& row) { return row.id == id; });
  return found == std::end(diagnostics) ? nullptr : found;
}

}  // namespace kdiag
