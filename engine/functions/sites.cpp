// SPDX-License-Identifier: Apache-2.0
// Where in the user's source a row comes from.
#include "engine/checking/call_check.hpp"
#include "engine/eval/eval.hpp"
#include "engine/facts/library_frames.hpp"
#include "engine/functions/families.hpp"

namespace kdiag {
namespace {

PlanPtr check_site(CallCheck& call) {
  if (call.written().size() != 1) return call.wrong("needs 1 argument");
  const PlanPtr row = call.argument(0);
  if (!row) return nullptr;
  if (!row->type.is(Kind::reference) && !(row->type.is(Kind::table) && !row->type.schema))
    return call.misfit(0, row, "a row");
  return call.result(types::reference(kdiag::table("frames")), {row});
}

/// From any row to its operator, from there to its frame, and on to the first caller that is not a library's.
Value user_frame(const FactStore& store, RowRef row) {
  constexpr std::string_view steps[] = {"frame", "op", "call", "launch", "kernel"};
  const TableId frames = table("frames");
  for (int hops = 0; hops < 4 && row.table != frames; ++hops) {
    bool moved = false;
    for (const std::string_view step : steps) {
      const ColumnId column = find_column(info(row.table).name, step);
      if (!column.valid() || info(column).type != ColumnType::reference) continue;
      const std::uint32_t next = store.index(column, row.row);
      if (next == absent_index) continue;
      row = {target_of(column), next};
      moved = true;
      break;
    }
    if (!moved) break;
  }
  if (row.table != frames) return unknown_fact("ops.frame", "no source frames were recorded for it");
  const std::uint32_t frame = first_user_frame(store, row.row);
  if (frame != absent_index) return {.data = RowRef{frames, frame}, .columns = {column("ops.frame").index}};
  return unknown_reason("all its frames are a library's");
}

Value eval_site(Evaluator& evaluator, const Plan& plan) {
  const Value of_row = evaluator.eval(*plan.args[0]);
  RowRef row;
  if (const auto* reference = of_row.as<RowRef>()) row = *reference;
  else if (const auto* table = of_row.as<TableRows>()) {
    if (table->size() == 0) return unknown_reason("no rows");
    row = {table->base, frame_of(*table).at(0)};
  } else return of_row;
  return user_frame(evaluator.run().store(), row);
}

RowValues site_rows(Evaluator& evaluator, const Plan& plan, const RowFrame& frame) {
  RowValues out = evaluator.rows_of(*plan.args[0], frame);
  for (std::uint32_t& row : std::get<std::vector<std::uint32_t>>(out.data)) {
    if (row == absent_index) continue;
    evaluator.run().stop_if_cancelled();
    const Value site = user_frame(evaluator.run().store(), {plan.args[0]->type.table, row});
    const auto* found = site.as<RowRef>();
    row = found != nullptr ? found->row : absent_index;
    merge_causes(out.causes, site.causes());
  }
  return out;
}

constexpr FunctionTraits reads_frames{.reads = table("frames")};

constexpr Function site_table[] = {
    {"site", "site(row) -> frame",
     "The user's source frame of a row, or of the first row of a table; library frames are passed over.",
     "site(top(ops, 1, dur))", check_site, eval_site, site_rows, reads_frames},
};

}  // namespace

FunctionFamily site_functions() { return site_table; }

}  // namespace kdiag
