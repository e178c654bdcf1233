// SPDX-License-Identifier: Apache-2.0
// The C interface: facts, their inputs and their columns.
#include <kdiag/columns.hpp>
#include <kdiag/input.hpp>

#include "api/c_handles.hpp"

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

/// Tells the host what was odd in the inputs.
void log_notes(const kdiag_context& context, const Facts& facts) {
  if (context.log == nullptr) return;
  for (const InputEntry& input : facts.inputs())
    for (const NoteEntry& note : input.notes) {
      const int level = note.severity == "info"    ? KDIAG_LEVEL_NOTE
                        : note.severity == "error" ? KDIAG_LEVEL_ERROR
                                                   : KDIAG_LEVEL_WARNING;
      context.log(context.log_user, level, note.id.c_str(), (input.path + ": " + note.text).c_str());
    }
}

template <class Load>
kdiag_status make_facts(kdiag_context* context, const kdiag_load_options* options, kdiag_facts** facts, Load load) {
  return make_handle(context, facts, [&] {
    const Loading loading(*context, options);
    Result<Facts> loaded = load(loading.options());
    if (loaded) log_notes(*context, *loaded);
    return loaded;
  });
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
  if (!number) return "";
  switch (column.unit) {
    case Unit::none: return "1";
    case Unit::time: return "ns";
    case Unit::bytes: return "bytes";
    case Unit::frequency: return "Hz";
    case Unit::bandwidth: return "B/s";
    case Unit::power: return "W";
    case Unit::temperature: return "degC";
    case Unit::ratio: return "ratio";
  }
  return "";
}

}  // namespace

kdiag_status kdiag_map_load(kdiag_context* context, const char* name, const char* text, size_t size, kdiag_map** map) {
  return make_handle(context, map, [&] { return load_map_text(required_name(name), view_of(text, size)); });
}
void kdiag_map_free(kdiag_map* map) { delete map; }

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
  if (input >= kdiag_facts_input_count(facts)) return KDIAG_ERROR_ARGUMENT;
  const InputEntry& entry = facts->facts.inputs()[input];
  kdiag_input_info info{};
  info.path = string_of(entry.path);
  info.adapter = string_of(entry.adapter);
  info.producer = string_of(entry.producer);
  info.role = string_of(entry.role);
  info.events = entry.events;
  info.notes = entry.notes.size();
  return write_info(info, out);
}

kdiag_status kdiag_facts_note(const kdiag_facts* facts, size_t input, size_t note, kdiag_note* out) {
  if (input >= kdiag_facts_input_count(facts)) return KDIAG_ERROR_ARGUMENT;
  const InputEntry& entry = facts->facts.inputs()[input];
  if (note >= entry.notes.size()) return KDIAG_ERROR_ARGUMENT;
  kdiag_note info{};
  info.id = string_of(entry.notes[note].id);
  info.severity = string_of(entry.notes[note].severity);
  info.text = string_of(entry.notes[note].text);
  info.count = entry.notes[note].count;
  return write_info(info, out);
}

kdiag_status kdiag_facts_text(kdiag_context* context, const kdiag_facts* facts, kdiag_text** text) {
  return make_handle(context, text, [&]() -> Result<std::string> {
    require(facts != nullptr, "the facts are NULL");
    return facts_text(facts->facts);
  });
}
kdiag_status kdiag_facts_json(kdiag_context* context, const kdiag_facts* facts, kdiag_text** json) {
  return make_handle(context, json, [&]() -> Result<std::string> {
    require(facts != nullptr, "the facts are NULL");
    return facts_json(facts->facts);
  });
}

kdiag_status kdiag_facts_export(kdiag_context* context, const char* const* paths, size_t count, kdiag_write_fn write,
                                void* user) {
  return guarded(context, [&]() -> kdiag_status {
    require(write != nullptr, "there is no write callback");
    const Loading loading(*context, nullptr);
    const Status written = export_facts(
        read_names(paths, count), [&](std::string_view piece) { return write(user, piece.data(), piece.size()) != 0; },
        loading.options());
    return written ? KDIAG_OK : fail(*context, written.error());
  });
}

// --- Columns --------------------------------------------------------------------------------------------------------

size_t kdiag_table_count(void) { return catalogue_tables.size(); }

kdiag_status kdiag_table(size_t table, kdiag_table_info* out) {
  if (table >= catalogue_tables.size()) return KDIAG_ERROR_ARGUMENT;
  kdiag_table_info about{};
  about.name = string_of(catalogue_tables[table].name);
  about.doc = string_of(catalogue_tables[table].doc);
  about.columns = columns_of(TableId{static_cast<std::uint16_t>(table)}).count;
  return write_info(about, out);
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
  return write_info(about, out);
}

size_t kdiag_facts_run_count(const kdiag_facts* facts) { return facts == nullptr ? 0 : run_count(facts->facts); }

int64_t kdiag_facts_rows(const kdiag_facts* facts, size_t run, size_t table) {
  if (!is_run(facts, run) || table >= catalogue_tables.size()) return -1;
  const auto rows = row_count(facts->facts, run, TableId{static_cast<std::uint16_t>(table)});
  return rows ? static_cast<std::int64_t>(*rows) : -1;
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
