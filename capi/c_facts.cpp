// SPDX-License-Identifier: Apache-2.0
// The C interface: facts, their inputs and their columns.
#include <kdiag/columns.hpp>
#include <kdiag/facts_bytes.hpp>
#include <kdiag/input.hpp>

#include "capi/c_handles.hpp"

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

template <class Load>
kdiag_status make_facts(kdiag_context* context, const kdiag_load_options* options, kdiag_facts** facts, Load load) {
  return as_input_error(make_handle(context, facts, [&] {
    const Loading loading(*context, options);
    return load(loading.options());
  }));
}

TraceInput to_input(const kdiag_input& input) {
  std::string name(required_name(input.name));
  switch (input.kind) {
    case KDIAG_INPUT_PATH: return TraceInput::path(std::move(name));
    case KDIAG_INPUT_MEMORY: return TraceInput::memory(std::move(name), view_of(input.bytes, input.byte_count));
    case KDIAG_INPUT_DESCRIPTOR: return TraceInput::descriptor(std::move(name), input.descriptor);
    case KDIAG_INPUT_CALLBACK:
      require(input.read != nullptr, "an input has no read callback");
      return TraceInput::callback(std::move(name), [read = input.read, user = input.user](std::span<char> buffer) {
        return read(user, buffer.data(), buffer.size());
      });
    default: throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "there is no such kind of input"};
  }
}

/// The structs of an array whose elements have the size that the first one states.
std::vector<TraceInput> read_input_array(const kdiag_input* inputs, std::size_t count) {
  require(inputs != nullptr || count == 0, "the array of inputs is NULL");
  std::vector<TraceInput> out;
  const auto* at = reinterpret_cast<const char*>(inputs);
  for (std::size_t i = 0; i < count; ++i, at += inputs->size)
    out.push_back(to_input(read_options(reinterpret_cast<const kdiag_input*>(at))));
  return out;
}

bool is_run(const kdiag_facts* facts, std::size_t run) { return facts != nullptr && run < run_count(facts->facts); }

std::optional<ColumnId> column_at(std::size_t table, std::size_t index) {
  if (table >= catalogue_tables.size()) return {};
  const ColumnRange range = columns_of(TableId{static_cast<std::uint16_t>(table)});
  if (index >= range.count) return {};
  return ColumnId{static_cast<std::uint16_t>(range.first + index)};
}

int c_type(ColumnType type) {
  switch (type) {
    case ColumnType::integer: return KDIAG_COLUMN_INTEGER;
    case ColumnType::small_integer: return KDIAG_COLUMN_SMALL_INTEGER;
    case ColumnType::real: return KDIAG_COLUMN_REAL;
    case ColumnType::boolean: return KDIAG_COLUMN_BOOLEAN;
    case ColumnType::string: return KDIAG_COLUMN_STRING;
    case ColumnType::reference: return KDIAG_COLUMN_REFERENCE;
  }
  return KDIAG_COLUMN_INTEGER;
}

/// The base unit of a column that holds quantities.
std::string_view unit_text(const ColumnInfo& column) {
  const bool number =
      column.type == ColumnType::integer || column.type == ColumnType::small_integer || column.type == ColumnType::real;
  return number ? base_unit(column.unit) : std::string_view();
}

}  // namespace

kdiag_status kdiag_map_load(kdiag_context* context, const char* name, const char* text, size_t size, kdiag_map** map) {
  return make_handle(context, map,
                     [&] { return load_map_text(required_name(name), view_of(text, size), &context->stop); });
}
kdiag_status kdiag_map_load_path(kdiag_context* context, const char* path, kdiag_map** map) {
  return make_handle(context, map, [&] { return load_map(required_name(path), &context->stop); });
}
const char* kdiag_map_name(const kdiag_map* map) { return map == nullptr ? "" : map->map.name().data(); }
kdiag_map* kdiag_map_retain(kdiag_map* map) { return retain(map); }
void kdiag_map_free(kdiag_map* map) { release(map); }

kdiag_status kdiag_facts_load(kdiag_context* context, const char* name, const char* bytes, size_t size,
                              kdiag_facts** facts) {
  return make_facts(context, nullptr, facts, [&](const LoadOptions& loading) {
    return load_trace(required_name(name), std::span<const char>(view_of(bytes, size)), loading);
  });
}
kdiag_status kdiag_facts_load_path(kdiag_context* context, const char* path, const kdiag_load_options* options,
                                   kdiag_facts** facts) {
  return make_facts(context, options, facts,
                    [&](const LoadOptions& loading) { return load_trace(required_name(path), loading); });
}
kdiag_status kdiag_facts_load_inputs(kdiag_context* context, const kdiag_input* inputs, size_t count,
                                     const kdiag_load_options* options, kdiag_facts** facts) {
  return make_facts(context, options, facts,
                    [&](const LoadOptions& loading) { return load_inputs(read_input_array(inputs, count), loading); });
}
kdiag_facts* kdiag_facts_retain(kdiag_facts* facts) { return retain(facts); }
void kdiag_facts_free(kdiag_facts* facts) { release(facts); }

size_t kdiag_facts_input_count(const kdiag_facts* facts) { return facts == nullptr ? 0 : facts->facts.inputs().size(); }

kdiag_status kdiag_facts_input(const kdiag_facts* facts, size_t input, kdiag_input_info* out) {
  if (facts == nullptr) return KDIAG_ERROR_ARGUMENT;
  return write_element(facts->facts.inputs(), input, out, [](kdiag_input_info& info, const InputEntry& entry) {
    info.path = string_of(entry.path);
    info.adapter = string_of(entry.adapter);
    info.producer = string_of(entry.producer);
    info.role = string_of(name_of(entry.role));
    info.events = entry.events;
    info.notes = entry.notes.size();
  });
}

kdiag_status kdiag_facts_note(const kdiag_facts* facts, size_t input, size_t note, kdiag_note* out) {
  if (input >= kdiag_facts_input_count(facts)) return KDIAG_ERROR_ARGUMENT;
  return write_element(facts->facts.inputs()[input].notes, note, out, [](kdiag_note& info, const NoteEntry& entry) {
    info.id = string_of(entry.id);
    info.severity = string_of(name_of(entry.severity));
    info.text = string_of(entry.text);
    info.count = entry.count;
  });
}

kdiag_status kdiag_facts_text(kdiag_context* context, const kdiag_facts* facts, kdiag_text** text) {
  return make_handle(context, text, [&]() -> Result<std::string> { return facts_text(facts_in(facts)); });
}
kdiag_status kdiag_facts_json(kdiag_context* context, const kdiag_facts* facts, kdiag_text** json) {
  return make_handle(context, json, [&]() -> Result<std::string> { return facts_json(facts_in(facts)); });
}

kdiag_status kdiag_facts_export(kdiag_context* context, const char* const* paths, size_t count, kdiag_write_fn write,
                                void* user) {
  return kdiag_facts_export_with(context, paths, count, nullptr, write, user);
}
kdiag_status kdiag_facts_export_with(kdiag_context* context, const char* const* paths, size_t count,
                                     const kdiag_load_options* options, kdiag_write_fn write, void* user) {
  return as_input_error(guarded(context, [&]() -> kdiag_status {
    require(write != nullptr, "there is no write callback");
    const Loading loading(*context, options);
    const Status written = export_facts(
        read_names(paths, count), [&](std::string_view piece) { return write(user, piece.data(), piece.size()) != 0; },
        loading.options());
    return written ? KDIAG_OK : fail(*context, written.error());
  }));
}

kdiag_status kdiag_facts_to_bytes(kdiag_context* context, const kdiag_facts* facts, kdiag_text** bytes) {
  return make_handle(context, bytes, [&]() -> Result<std::string> { return facts_to_bytes(facts_in(facts)); });
}
kdiag_status kdiag_facts_from_bytes(kdiag_context* context, const char* bytes, size_t size, kdiag_facts** facts) {
  return as_input_error(make_handle(context, facts, [&] { return facts_from_bytes(view_of(bytes, size)); }));
}

// --- Columns --------------------------------------------------------------------------------------------------------

size_t kdiag_table_count(void) { return catalogue_tables.size(); }

kdiag_status kdiag_table(size_t table, kdiag_table_info* out) {
  return write_element(catalogue_tables, table, out, [table](kdiag_table_info& about, const TableInfo& known) {
    about.name = string_of(known.name);
    about.doc = string_of(known.doc);
    about.columns = columns_of(TableId{static_cast<std::uint16_t>(table)}).count;
    about.since = string_of(known.since);
    about.entity = known.traits.entity ? 1 : 0;
  });
}

kdiag_status kdiag_column(size_t table, size_t column, kdiag_column_info* out) {
  const auto id = column_at(table, column);
  if (!id) return KDIAG_ERROR_ARGUMENT;
  const ColumnInfo& known = info(*id);
  kdiag_column_info about{};
  about.name = string_of(known.name);
  about.doc = string_of(known.doc);
  about.target = string_of(known.target);
  about.unit = string_of(unit_text(known));
  about.type = c_type(known.type);
  about.since = string_of(known.since);
  about.transient = known.traits.transient ? 1 : 0;
  return write_info(about, out);
}

size_t kdiag_series_count(void) { return std::size(catalogue_series); }

kdiag_status kdiag_series(size_t series, kdiag_series_info* out) {
  return write_element(std::span(catalogue_series), series, out, [](kdiag_series_info& about, const SeriesInfo& known) {
    about.name = string_of(known.name);
    about.doc = string_of(known.doc);
    about.unit = string_of(base_unit(known.unit));
  });
}

size_t kdiag_facts_run_count(const kdiag_facts* facts) { return facts == nullptr ? 0 : run_count(facts->facts); }

int64_t kdiag_facts_rows(const kdiag_facts* facts, size_t run, size_t table) {
  if (!is_run(facts, run) || table >= catalogue_tables.size()) return -1;
  const auto rows = row_count(facts->facts, run, TableId{static_cast<std::uint16_t>(table)});
  return rows ? static_cast<std::int64_t>(*rows) : -1;
}

kdiag_status kdiag_facts_part(kdiag_context* context, const kdiag_facts* facts, size_t run, size_t table,
                              uint32_t* rows, size_t room, size_t* count) {
  return guarded(context, [&]() -> kdiag_status {
    require(is_run(facts, run) && table < catalogue_tables.size(), "there is no such run or table");
    require(count != nullptr, "there is no place for the result");
    const std::vector<std::uint32_t> part = rows_in_part(facts->facts, run, TableId{static_cast<std::uint16_t>(table)});
    *count = part.size();
    if (rows != nullptr) std::copy_n(part.begin(), std::min(room, part.size()), rows);
    return KDIAG_OK;
  });
}

kdiag_status kdiag_facts_column(const kdiag_facts* facts, size_t run, size_t table, size_t column,
                                kdiag_column_data* out) {
  const auto id = column_at(table, column);
  if (!is_run(facts, run) || !id) return KDIAG_ERROR_ARGUMENT;
  kdiag_column_data data{};
  data.type = c_type(info(*id).type);
  data.provider = string_of(column_provider(facts->facts, run, *id));
  std::visit(
      [&](const auto& values) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
          data.data = values.data();
          data.rows = values.size();
        }
      },
      column_values(facts->facts, run, *id));
  return write_info(data, out);
}

size_t kdiag_facts_string_count(const kdiag_facts* facts, size_t run) {
  return is_run(facts, run) ? text_count(facts->facts, run) : 0;
}

kdiag_string kdiag_facts_string(const kdiag_facts* facts, size_t run, uint32_t id) {
  if (!is_run(facts, run) || id >= text_count(facts->facts, run)) return string_of({});
  return string_of(text_of(facts->facts, run, id));
}
