// SPDX-License-Identifier: Apache-2.0
// How people name subjects and rows, and how machines do.
#include <kdiag/format.hpp>

#include <algorithm>

#include "engine/eval/run_context.hpp"

namespace kdiag {

std::string RunContext::label(RowRef row) const {
  if (row.row == absent_index) return {};
  const TableInfo& about = info(row.table);
  const auto number = [&](std::string_view column_name) -> std::string {
    const ColumnId id = find_column(about.name, column_name);
    if (!id.valid()) return {};
    const std::int64_t value =
        info(id).type == ColumnType::small_integer
            ? (store_.small(id, row.row) == absent_small ? absent_integer : store_.small(id, row.row))
            : store_.integer(id, row.row);
    return value == absent_integer ? std::string{} : std::to_string(value);
  };
  const auto numbered = [&](std::string_view noun) {
    const std::string value = number(about.traits.key);
    return std::string(noun) + (value.empty() ? "?" : " " + value);
  };
  switch (about.traits.role) {
    case TableRole::device: {
      const std::string_view kind = store_.text(column("devices.kind"), row.row);
      const std::uint32_t rank = store_.index(column("devices.rank"), row.row);
      const std::string_view address = store_.text(column("devices.address"), row.row);
      const std::string_view noun = kind.empty() ? "GPU" : kind;
      const std::string own = address.empty() ? numbered(noun) : std::string(noun) + " " + std::string(address);
      return rank == absent_index ? own : label({table("ranks"), rank}) + " " + own;
    }
    case TableRole::rank: return numbered("rank");
    case TableRole::step: return numbered("step");
    case TableRole::stream: return numbered("stream");
    case TableRole::thread: {
      const std::string_view text = store_.text(column("threads.name"), row.row);
      return text.empty() ? numbered("thread") : std::string(text);
    }
    case TableRole::frame: {
      std::string out{store_.text(column("frames.file"), row.row)};
      if (const std::string line = number("line"); !line.empty()) out += ":" + line;
      const std::string_view function = store_.text(column("frames.function"), row.row);
      if (!function.empty()) out += (out.empty() ? "" : " ") + std::string(function);
      return out;
    }
    default: break;
  }
  for (std::string_view candidate : {"name", "label", "series", "op", "kind"})
    if (const ColumnId id = find_column(about.name, candidate); id.valid() && info(id).type == ColumnType::string)
      if (const std::string_view text = store_.text(id, row.row); !text.empty()) return std::string(text);
  return std::string(about.name) + " row " + std::to_string(row.row);
}

std::string RunContext::key_text(ColumnId key, std::uint32_t row) const {
  switch (info(key).type) {
    case ColumnType::string: return std::string(store_.text(key, row));
    case ColumnType::integer: return std::to_string(store_.integer(key, row));
    case ColumnType::small_integer: return std::to_string(store_.small(key, row));
    case ColumnType::real: return format_number(store_.real(key, row));
    case ColumnType::boolean: return store_.index(key, row) == 1 ? "true" : "false";
    case ColumnType::reference: return label(RowRef{target_of(key), store_.index(key, row)});
  }
  return {};
}

std::string RunContext::keys_of_group(const Subject& subject, bool places) const {
  std::string out;
  for (const ColumnId key : subject.groups->spec().keys) {
    if (SubjectGroups::optional(key) != places) continue;
    if (!out.empty()) out += ", ";
    const bool named = info(key).type == ColumnType::reference || subject.kind != SubjectKind::group;
    const std::string text = key_text(key, subject.row);
    out += named ? text : std::string(info(key).name) + " " + text;
  }
  return out;
}

std::string RunContext::name_of_thing(const Subject& subject) const { return keys_of_group(subject, false); }

std::string RunContext::group_label(const Subject& subject) const {
  const std::string things = keys_of_group(subject, false), places = keys_of_group(subject, true);
  const auto& keys = subject.groups->spec().keys;
  const bool several = std::any_of(keys.begin(), keys.end(), [&](const ColumnId key) {
    return SubjectGroups::optional(key) && store_.rows(target_of(key)) > 1;
  });
  if (things.empty()) return places;
  return things + (several && !places.empty() ? " on " + places : "");
}

std::string RunContext::label(const Subject& subject) const {
  switch (subject.kind) {
    case SubjectKind::run: {
      const std::string_view text = store_.text(column("runs.label"), 0);
      return text.empty() ? "run" : std::string(text);
    }
    case SubjectKind::step: {
      std::string out = label(RowRef{table("steps"), subject.row});
      if (subject.device != absent_index) out += " on " + label(RowRef{table("devices"), subject.device});
      return out;
    }
    case SubjectKind::stream:
      return (subject.device == absent_index ? "" : label(RowRef{table("devices"), subject.device}) + " ") +
             label(RowRef{table("streams"), subject.row});
    case SubjectKind::kernel:
    case SubjectKind::op:
    case SubjectKind::function:
    case SubjectKind::group: return group_label(subject);
    default: return label(RowRef{SubjectSpec(subject.kind).table, subject.row});
  }
}

std::string RunContext::id(const Subject& subject) const {
  if (subject.kind == SubjectKind::run) return "run";
  const auto number = [&](ColumnId column, std::uint32_t row) -> std::string {
    if (row == absent_index) return "";
    const std::int64_t value =
        info(column).type == ColumnType::small_integer ? store_.small(column, row) : store_.integer(column, row);
    return value == absent_integer || value == absent_small ? "?" : std::to_string(value);
  };
  const auto join = [](const std::string& a, const std::string& b) { return a.empty() ? b : a + "/" + b; };
  const std::string rank = number(column("ranks.id"), subject.rank);
  switch (subject.kind) {
    case SubjectKind::rank: return rank;
    case SubjectKind::device: return join(rank, number(column("devices.id"), subject.device));
    case SubjectKind::stream:
      return join(join(rank, number(column("devices.id"), subject.device)), number(column("streams.id"), subject.row));
    case SubjectKind::step:
      return join(join(rank, number(column("devices.id"), subject.device)), number(column("steps.index"), subject.row));
    case SubjectKind::thread: return join(rank, number(column("threads.id"), subject.row));
    default: break;
  }
  std::string out;
  for (const ColumnId key : subject.groups->spec().keys) {
    std::string part;
    const TableId target = target_of(key);
    if (target == table("ranks")) part = rank;
    else if (target == table("devices")) part = join(rank, number(column("devices.id"), subject.device));
    else part = key_text(key, subject.row);
    // The place first, as for other subjects: "0/gemm".
    if (SubjectGroups::optional(key)) out = part.empty() ? out : part + (out.empty() ? "" : "/" + out);
    else out = join(out, part);
  }
  return out;
}

}  // namespace kdiag
