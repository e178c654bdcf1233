// SPDX-License-Identifier: Apache-2.0
// The C interface: rows of facts, and facts built of them.
#include <algorithm>

#include "capi/c_handles.hpp"

struct kdiag_builder {
  kdiag_builder(std::string name, kdiag::RunInfo info) : builder(std::move(name), std::move(info)) {}
  kdiag::FactsBuilder builder;
  kdiag_rows rows{builder.rows()};
  bool built = false;
};

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

kdiag_row row_to_c(Row row) { return {row.table.index, row.index}; }
Row row_from_c(kdiag_row row) {
  const bool known = row.table < catalogue_tables.size();
  return {known ? TableId{static_cast<std::uint16_t>(row.table)} : TableId{}, row.index};
}

template <class Use>
void use_rows(kdiag_rows* rows, Use use) noexcept {
  if (rows == nullptr || (rows->sink != nullptr && rows->sink->cancelled())) return;  // nobody takes any more
  try {
    use(rows->rows);
  } catch (...) {
    rows->out_of_memory = true;
  }
}

template <class Make>
kdiag_row make_row(kdiag_rows* rows, Make make) noexcept {
  kdiag_row out = row_to_c(Row{});
  use_rows(rows, [&](FactRows& into) { out = row_to_c(make(into)); });
  return out;
}

/// The values of a column as C++ takes them. `texts` keeps those of a column of texts.
BulkColumn bulk_column(const kdiag_column_values& given, std::size_t rows, std::vector<std::string_view>& texts) {
  require(given.data != nullptr || given.count == 0, "the values of a column are NULL");
  require(given.texts != nullptr || given.text_count == 0, "the texts of a column are NULL");
  BulkColumn column{.name = text_or_none(given.column), .values = {}, .stride = given.stride};
  if (given.valid != nullptr) column.valid = {given.valid, rows};
  const auto values = [&]<class T>(const T*) { return std::span(static_cast<const T*>(given.data), given.count); };
  switch (given.type) {
    case KDIAG_COLUMN_INTEGER: column.values = values(static_cast<const std::int64_t*>(nullptr)); break;
    case KDIAG_COLUMN_SMALL_INTEGER: column.values = values(static_cast<const std::int32_t*>(nullptr)); break;
    case KDIAG_COLUMN_REAL: column.values = values(static_cast<const double*>(nullptr)); break;
    case KDIAG_COLUMN_BOOLEAN: column.values = values(static_cast<const bool*>(nullptr)); break;
    case KDIAG_COLUMN_STRING:
      for (const kdiag_string& text : std::span(given.texts, given.text_count))
        texts.push_back(view_of(text.data, text.size));
      column.texts = texts;
      [[fallthrough]];
    case KDIAG_COLUMN_REFERENCE: column.values = values(static_cast<const std::uint32_t*>(nullptr)); break;
    default: throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "there is no such type of column"};
  }
  return column;
}

/// The columns of an array of structs of the size that the first one states.
struct BulkColumns {
  BulkColumns(const kdiag_column_values* given, std::size_t count, std::size_t rows) : texts(count) {
    require(given != nullptr || count == 0, "the array of columns is NULL");
    const auto* at = reinterpret_cast<const char*>(given);
    for (std::size_t i = 0; i < count; ++i, at += given->size)
      columns.push_back(bulk_column(read_options(reinterpret_cast<const kdiag_column_values*>(at)), rows, texts[i]));
  }

  std::vector<std::vector<std::string_view>> texts;
  std::vector<BulkColumn> columns;
};

}  // namespace

kdiag_status kdiag_rows_add_columns(kdiag_rows* rows, const char* table, size_t count,
                                    const kdiag_column_values* columns, size_t column_count, uint32_t* made) {
  if (rows == nullptr) return KDIAG_ERROR_ARGUMENT;
  try {
    const BulkColumns given(columns, column_count, count);
    const std::span<std::uint32_t> numbers = made == nullptr ? std::span<std::uint32_t>{} : std::span(made, count);
    bool wanted = false;  // not once reading was cancelled
    use_rows(rows, [&](FactRows& into) {
      wanted = true;
      into.add_columns(text_or_none(table), count, given.columns, numbers);
    });
    if (!wanted) std::fill(numbers.begin(), numbers.end(), absent_index);
    return rows->out_of_memory ? KDIAG_ERROR_MEMORY : KDIAG_OK;
  } catch (const BadArgument& wrong) {
    return wrong.status;
  } catch (...) {
    rows->out_of_memory = true;
    return KDIAG_ERROR_MEMORY;
  }
}

kdiag_row kdiag_rows_add(kdiag_rows* rows, const char* table) {
  return make_row(rows, [&](FactRows& into) { return into.add(text_or_none(table)); });
}
kdiag_row kdiag_rows_rank(kdiag_rows* rows, int64_t id) {
  return make_row(rows, [&](FactRows& into) { return into.batch().rank(id); });
}
kdiag_row kdiag_rows_run(kdiag_rows* rows) {
  return make_row(rows, [](FactRows& into) { return into.batch().run(); });
}
kdiag_row kdiag_rows_device(kdiag_rows* rows, int64_t id) {
  return make_row(rows, [&](FactRows& into) { return into.batch().device(id); });
}
kdiag_row kdiag_rows_device_of(kdiag_rows* rows, kdiag_row rank, int64_t id) {
  return make_row(rows, [&](FactRows& into) { return into.device(id, row_from_c(rank)); });
}
kdiag_row kdiag_rows_stream(kdiag_rows* rows, kdiag_row device, int64_t id) {
  return make_row(rows, [&](FactRows& into) { return into.stream(row_from_c(device), id); });
}
kdiag_row kdiag_rows_thread(kdiag_rows* rows, int64_t process, int64_t id) {
  return make_row(rows, [&](FactRows& into) { return into.batch().thread(process, id); });
}
kdiag_row kdiag_rows_thread_of(kdiag_rows* rows, kdiag_row rank, int64_t process, int64_t id) {
  return make_row(rows, [&](FactRows& into) { return into.thread(process, id, row_from_c(rank)); });
}
kdiag_row kdiag_rows_frame(kdiag_rows* rows, const char* file, int64_t line, const char* function, const char* how,
                           const kdiag_row* parent) {
  return make_row(rows, [&](FactRows& into) {
    return into.frame(text_or_none(file), line, text_or_none(function), text_or_none(how),
                      parent == nullptr ? Row{} : row_from_c(*parent));
  });
}
size_t kdiag_rows_count(const kdiag_rows* rows, const char* table) {
  const TableId id = find_table(text_or_none(table));
  return rows == nullptr || !id.valid() ? 0 : rows->rows.batch().rows(id);
}
void kdiag_rows_shift_times(kdiag_rows* rows, int64_t ns) {
  use_rows(rows, [ns](FactRows& into) { into.batch().shift_times(ns); });
}
kdiag_status kdiag_rows_check(kdiag_context* context, const kdiag_rows* rows) {
  return as_input_error(guarded(context, [&]() -> kdiag_status {
    require(rows != nullptr, "the rows are NULL");
    if (rows->out_of_memory) throw std::bad_alloc();
    const Diagnostics& mistakes = rows->rows.mistakes();
    return mistakes.empty() ? KDIAG_OK : fail(*context, mistakes);
  }));
}
void kdiag_rows_declare(kdiag_rows* rows, const char* table) {
  use_rows(rows, [&](FactRows& into) { into.declare(text_or_none(table)); });
}
void kdiag_rows_set_integer(kdiag_rows* rows, kdiag_row row, const char* column, int64_t value) {
  use_rows(rows, [&](FactRows& into) { into.set(row_from_c(row), text_or_none(column), value); });
}
void kdiag_rows_set_real(kdiag_rows* rows, kdiag_row row, const char* column, double value) {
  use_rows(rows, [&](FactRows& into) { into.set(row_from_c(row), text_or_none(column), value); });
}
void kdiag_rows_set_boolean(kdiag_rows* rows, kdiag_row row, const char* column, int value) {
  use_rows(rows, [&](FactRows& into) { into.set(row_from_c(row), text_or_none(column), value != 0); });
}
void kdiag_rows_set_text(kdiag_rows* rows, kdiag_row row, const char* column, const char* text, size_t size) {
  use_rows(rows,
           [&](FactRows& into) { into.set(row_from_c(row), text_or_none(column), std::string_view(text, size)); });
}
void kdiag_rows_set_row(kdiag_rows* rows, kdiag_row row, const char* column, kdiag_row value) {
  use_rows(rows, [&](FactRows& into) { into.set(row_from_c(row), text_or_none(column), row_from_c(value)); });
}

kdiag_status kdiag_builder_new(kdiag_context* context, const char* name, const kdiag_run_info* info,
                               kdiag_builder** builder) {
  if (builder != nullptr) *builder = nullptr;
  return guarded(context, [&]() -> kdiag_status {
    require(builder != nullptr, "there is no place for the result");
    *builder = new kdiag_builder(std::string(required_name(name)), read_run_info(read_options(info)));
    return KDIAG_OK;
  });
}

kdiag_rows* kdiag_builder_rows(kdiag_builder* builder) {
  return builder == nullptr || builder->built ? nullptr : &builder->rows;
}

kdiag_status kdiag_builder_build(kdiag_context* context, kdiag_builder* builder, const kdiag_load_options* options,
                                 kdiag_facts** facts) {
  return as_input_error(make_handle(context, facts, [&] {
    require(builder != nullptr && !builder->built, "the builder is NULL, or was built before");
    builder->built = true;
    if (builder->rows.out_of_memory) throw std::bad_alloc();
    const Loading loading(*context, options);
    return std::move(builder->builder).build(loading.options());
  }));
}

kdiag_status kdiag_builder_snapshot(kdiag_context* context, kdiag_builder* builder, const kdiag_load_options* options,
                                    kdiag_facts** facts) {
  return as_input_error(make_handle(context, facts, [&] {
    require(builder != nullptr && !builder->built, "the builder is NULL, or was built before");
    if (builder->rows.out_of_memory) throw std::bad_alloc();
    const Loading loading(*context, options);
    return builder->builder.snapshot(loading.options());
  }));
}

size_t kdiag_builder_drop_before(kdiag_builder* builder, int64_t time) {
  if (builder == nullptr || builder->built) return 0;
  std::size_t dropped = 0;
  try {
    dropped = builder->builder.drop_before(time);
  } catch (...) {
    builder->rows.out_of_memory = true;
  }
  return dropped;
}

void kdiag_builder_free(kdiag_builder* builder) { delete builder; }
