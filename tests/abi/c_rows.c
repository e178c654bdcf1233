/* SPDX-License-Identifier: Apache-2.0 */
/* The C interface: rows by key, their mistakes, and adapters of the host that tell more of their input. */
#include "check.h"

static size_t mistakes(const kdiag_rows *rows) {
  return kdiag_rows_check(context, rows) == KDIAG_OK ? 0 : kdiag_diagnostic_count(context);
}

static int first_mistake(const kdiag_rows *rows, const char *id, const char *title) {
  kdiag_diagnostic diagnostic = {sizeof diagnostic};
  return kdiag_rows_check(context, rows) == KDIAG_ERROR_INPUT &&
         kdiag_diagnostic_get(context, 0, &diagnostic) == KDIAG_OK && equals(diagnostic.id, id) &&
         strstr(diagnostic.title.data, title) != NULL;
}

static void test_keys(const kdiag_rules *rules) {
  kdiag_builder *builder = NULL;
  kdiag_facts *facts = NULL;
  kdiag_rows *rows;
  kdiag_row rank, other, device, kernel, op, outer, frame;
  CHECK(kdiag_builder_new(context, "keys", NULL, &builder) == KDIAG_OK);
  rows = kdiag_builder_rows(builder);
  rank = kdiag_rows_rank(rows, 3);
  other = kdiag_rows_rank(rows, 4);
  device = kdiag_rows_device_of(rows, rank, 0);
  CHECK(device.index != kdiag_rows_device_of(rows, other, 0).index);
  CHECK(device.index == kdiag_rows_device_of(rows, rank, 0).index);
  CHECK(kdiag_rows_count(rows, "devices") == 2 && kdiag_rows_count(rows, "kernls") == 0);
  CHECK(kdiag_rows_run(rows).table == 0 && kdiag_rows_run(rows).index == 0 && kdiag_rows_count(rows, "runs") == 1);
  kernel = kdiag_rows_add(rows, "kernels");
  kdiag_rows_set_integer(rows, kernel, "start", 100);
  kdiag_rows_set_integer(rows, kernel, "dur", 10);
  kdiag_rows_set_row(rows, kernel, "device", device);
  kdiag_rows_set_row(rows, kernel, "stream", kdiag_rows_stream(rows, device, 7));
  outer = kdiag_rows_frame(rows, "train.py", 8, "main", "line", NULL);
  frame = kdiag_rows_frame(rows, "model.py", 12, NULL, NULL, &outer);
  CHECK(frame.index == kdiag_rows_frame(rows, "model.py", 12, "", "", &outer).index);
  op = kdiag_rows_add(rows, "ops");
  kdiag_rows_set_text(rows, op, "name", "aten::mm", 8);
  kdiag_rows_set_integer(rows, op, "start", 50);
  kdiag_rows_set_integer(rows, op, "dur", 20);
  kdiag_rows_set_row(rows, op, "frame", frame);
  kdiag_rows_set_row(rows, op, "thread", kdiag_rows_thread_of(rows, rank, 1, 2));
  kdiag_rows_shift_times(rows, 1000);
  CHECK(mistakes(rows) == 0);
  CHECK(kdiag_builder_build(context, builder, NULL, &facts) == KDIAG_OK);
  kdiag_builder_free(builder);
  CHECK(holds(facts, rules, "all(kernels, device.rank.id == 3 and stream.id == 7)"));
  CHECK(holds(facts, rules, "all(ops, frame.file == \"model.py\" and frame.parent.function == \"main\")"));
  CHECK(holds(facts, rules, "all(ops, thread.rank.id == 3)"));
  CHECK(holds(facts, rules, "min(kernels, start) - min(ops, start) == 50ns"));
  kdiag_facts_free(facts);
}

static void test_mistakes(void) {
  const kdiag_row unknown = {4000, 5};
  kdiag_builder *builder = NULL;
  kdiag_facts *facts = NULL;
  kdiag_rows *rows;
  kdiag_row kernel, stream;

  CHECK(kdiag_builder_new(context, "streams", NULL, &builder) == KDIAG_OK);
  rows = kdiag_builder_rows(builder);
  kernel = kdiag_rows_add(rows, "kernels");
  kdiag_rows_set_integer(rows, kernel, "dur", 10);
  stream = kdiag_rows_stream(rows, kernel, 7);
  CHECK(first_mistake(rows, "K221", "refers to devices, and a row of kernels was given"));
  kdiag_rows_set_row(rows, kernel, "stream", stream); /* follows from it: no mistake of its own */
  kdiag_rows_set_integer(rows, stream, "priority", 1);
  CHECK(mistakes(rows) == 1);
  CHECK(kdiag_builder_build(context, builder, NULL, &facts) == KDIAG_ERROR_INPUT && facts == NULL);
  kdiag_builder_free(builder);

  CHECK(kdiag_builder_new(context, "no table", NULL, &builder) == KDIAG_OK);
  rows = kdiag_builder_rows(builder);
  kernel = kdiag_rows_add(rows, "kernels");
  kdiag_rows_set_integer(rows, unknown, "dur", 10);
  CHECK(first_mistake(rows, "K221", "'dur' was set in a row of no table"));
  kdiag_builder_free(builder);

  CHECK(kdiag_builder_new(context, "no value", NULL, &builder) == KDIAG_OK);
  rows = kdiag_builder_rows(builder);
  kdiag_rows_set_row(rows, kdiag_rows_add(rows, "kernels"), "device", unknown);
  CHECK(first_mistake(rows, "K221", "'kernels.device' was given a row of no table"));
  kdiag_builder_free(builder);

  CHECK(kdiag_builder_new(context, "owners", NULL, &builder) == KDIAG_OK);
  rows = kdiag_builder_rows(builder);
  kernel = kdiag_rows_add(rows, "kernels");
  kdiag_rows_device_of(rows, kernel, 0);
  kdiag_rows_thread_of(rows, kernel, 1, 1);
  kdiag_rows_frame(rows, "a.py", 1, "f", "line", &kernel);
  CHECK(mistakes(rows) == 3);
  kdiag_rows_frame(rows, "a.py", 1, "f", "lines", NULL);
  CHECK(mistakes(rows) == 4 && kdiag_rows_count(rows, "frames") == 0);
  CHECK(kdiag_rows_check(context, NULL) == KDIAG_ERROR_ARGUMENT);
  kdiag_builder_free(builder);
}

static void test_columns(const kdiag_rules *rules) {
  struct launch {
    int64_t start, duration;
  };
  const struct launch launches[3] = {{0, 5}, {10, 6}, {20, 7}};
  const unsigned char valid[3] = {1, 1, 0}, truths[3] = {1, 0, 2};
  const double occupancies[3] = {0.5, 0.25, 0.125};
  const int32_t registers[3] = {32, KDIAG_ABSENT_SMALL, 64};
  const uint32_t places[3] = {1, 0, 1};
  const int64_t ids[2] = {4, 4}, late = 25;
  const kdiag_string texts[2] = {{"gemm", 4}, {"relu", 4}};
  uint32_t device[2] = {9, 9}, made[3] = {9, 9, 9};
  kdiag_column_values columns[6];
  kdiag_builder *builder = NULL;
  kdiag_facts *facts = NULL, *again = NULL;
  kdiag_text *bytes = NULL;
  const char *data;
  size_t size = 0;
  kdiag_rows *rows;
  memset(columns, 0, sizeof columns);
  columns[0].size = sizeof columns[0];
  columns[0].column = "start", columns[0].type = KDIAG_COLUMN_INTEGER, columns[0].data = &launches[0].start;
  columns[0].count = 3, columns[0].stride = sizeof launches[0];
  columns[1] = columns[0];
  columns[1].column = "dur", columns[1].data = &launches[0].duration, columns[1].valid = valid;
  columns[2].size = columns[3].size = columns[4].size = columns[5].size = sizeof columns[0];
  columns[2].column = "occupancy", columns[2].type = KDIAG_COLUMN_REAL, columns[2].data = occupancies, columns[2].count = 3;
  columns[3].column = "name", columns[3].type = KDIAG_COLUMN_STRING, columns[3].data = places, columns[3].count = 3;
  columns[3].texts = texts, columns[3].text_count = 2;
  columns[4].column = "device", columns[4].type = KDIAG_COLUMN_REFERENCE, columns[4].data = device, columns[4].count = 1;
  columns[5].column = "regs", columns[5].type = KDIAG_COLUMN_SMALL_INTEGER, columns[5].data = registers, columns[5].count = 3;

  CHECK(kdiag_builder_new(context, "columns", NULL, &builder) == KDIAG_OK);
  rows = kdiag_builder_rows(builder);
  {
    kdiag_column_values id = {sizeof id, "id", KDIAG_COLUMN_INTEGER, NULL, 2, 0, NULL, NULL, 0};
    CHECK(kdiag_rows_add_columns(rows, "devices", 2, &id, 1, device) == KDIAG_ERROR_ARGUMENT);
    id.data = ids;
    CHECK(kdiag_rows_add_columns(rows, "devices", 2, &id, 1, device) == KDIAG_OK && device[0] == 0 && device[1] == 0);
  }
  CHECK(kdiag_rows_add_columns(rows, "kernels", 3, columns, 6, made) == KDIAG_OK && made[0] == 0 && made[2] == 2);
  CHECK(mistakes(rows) == 0);
  CHECK(kdiag_builder_snapshot(context, builder, NULL, &facts) == KDIAG_OK);
  CHECK(holds(facts, rules, "count(kernels) == 3 and count(kernels where dur is known) == 2"));
  CHECK(holds(facts, rules, "all(kernels, device.id == 4) and count(kernels where name == \"relu\") == 2"));
  CHECK(holds(facts, rules, "sum(kernels, occupancy) == 0.875 and count(kernels where regs is known) == 2"));

  CHECK(kdiag_facts_to_bytes(context, facts, &bytes) == KDIAG_OK);
  data = kdiag_text_data(bytes, &size);
  CHECK(kdiag_facts_from_bytes(context, data, size, &again) == KDIAG_OK);
  CHECK(holds(again, rules, "all(kernels, device.id == 4) and count(kernels where name == \"relu\") == 2"));
  kdiag_facts_free(again);
  CHECK(kdiag_facts_from_bytes(context, data, size - 1, &again) == KDIAG_ERROR_INPUT && again == NULL);
  CHECK(kdiag_facts_from_bytes(context, NULL, 0, &again) == KDIAG_ERROR_INPUT);
  kdiag_text_free(bytes);
  kdiag_facts_free(facts);

  CHECK(kdiag_builder_drop_before(builder, 20) == 2 && kdiag_rows_count(rows, "kernels") == 1);
  CHECK(kdiag_builder_drop_before(NULL, 0) == 0);
  columns[0].count = 2; /* for three rows; and a byte that is neither 0 nor 1 is true */
  columns[1].column = "is_sync", columns[1].type = KDIAG_COLUMN_BOOLEAN, columns[1].data = truths, columns[1].stride = 0;
  columns[1].valid = NULL;
  CHECK(kdiag_rows_add_columns(rows, "kernels", 3, columns, 1, NULL) == KDIAG_OK);
  CHECK(kdiag_rows_add_columns(rows, "api", 3, &columns[1], 1, NULL) == KDIAG_OK);
  CHECK(first_mistake(rows, "K222", "'kernels.start' was given 2 values for 3 rows"));
  CHECK(kdiag_builder_snapshot(context, builder, NULL, &facts) == KDIAG_ERROR_INPUT && facts == NULL);
  CHECK(kdiag_builder_snapshot(context, builder, NULL, &facts) == KDIAG_OK); /* told once */
  CHECK(holds(facts, rules, "count(kernels) == 4 and count(api where is_sync) == 2"));
  kdiag_facts_free(facts);
  columns[0].type = 99;
  CHECK(kdiag_rows_add_columns(rows, "kernels", 3, columns, 1, NULL) == KDIAG_ERROR_UNSUPPORTED);
  columns[0].size = 3;
  CHECK(kdiag_rows_add_columns(rows, "kernels", 3, columns, 1, NULL) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_rows_add_columns(rows, "kernels", 3, NULL, 1, NULL) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_rows_add_columns(NULL, "kernels", 0, NULL, 0, NULL) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_rows_add_columns(rows, "kernels", 0, NULL, 0, NULL) == KDIAG_OK);
  CHECK(kdiag_builder_drop_before(builder, late) > 0);
  kdiag_builder_free(builder);
}

void test_rows(const kdiag_rules *rules) {
  test_columns(rules);
  test_keys(rules);
  test_mistakes();
}

/* --- An adapter that makes two runs --------------------------------------------------------------------------- */

static kdiag_status describe(kdiag_reader *reader, int number, int64_t world_size) {
  char label[16]; /* gone when this returns */
  kdiag_run_info info = {sizeof info};
  kdiag_status status;
  snprintf(label, sizeof label, "run %d", number);
  info.label = label;
  info.producer = label;
  info.has_world_size = world_size > 0;
  info.world_size = world_size;
  status = kdiag_reader_run(reader, &info);
  memset(label, '?', sizeof label);
  return status;
}

static void add_kernel(kdiag_rows *rows, int64_t start, int64_t duration) {
  const kdiag_row kernel = kdiag_rows_add(rows, "kernels");
  kdiag_rows_set_integer(rows, kernel, "start", start);
  kdiag_rows_set_integer(rows, kernel, "dur", duration);
}

static int twin_sniff(void *user, const kdiag_head *head) {
  size_t size = 0;
  const char *bytes = kdiag_head_bytes(head, &size);
  (void)user;
  return kdiag_head_json(head) == '{' && kdiag_head_has_key(head, "twins") && !kdiag_head_has_key(head, "twin") &&
                 !kdiag_head_has_table(head, "twins") && kdiag_head_complete(head) && size > 8 && bytes[0] == '{'
             ? 99
             : 0;
}

static int twin_read(void *user, kdiag_reader *reader, kdiag_rows *rows, kdiag_run_info *info) {
  kdiag_run_info wrong = {sizeof wrong};
  char buffer[64];
  (void)user;
  wrong.clock = 77;
  info->label = "not used";
  CHECK(strcmp(kdiag_reader_name(reader), "twins.json") == 0 && kdiag_reader_file(reader)[0] == 0);
  CHECK(kdiag_reader_threads(reader) == 1 && kdiag_head_json(kdiag_reader_head(reader)) == '{');
  CHECK(kdiag_reader_run(reader, NULL) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_reader_run(reader, &wrong) == KDIAG_ERROR_ARGUMENT);
  if (kdiag_reader_read(reader, buffer, sizeof buffer) < 0) return 1;
  CHECK(describe(reader, 1, 8) == KDIAG_OK);
  add_kernel(rows, 0, 100);
  CHECK(describe(reader, 2, 0) == KDIAG_OK);
  CHECK(kdiag_rows_count(rows, "kernels") == 0);
  add_kernel(rows, 1000000000, 50);
  kdiag_reader_count_events(reader, 2);
  CHECK(kdiag_reader_note(reader, "K602", "line 3", 5) == KDIAG_OK);
  CHECK(kdiag_reader_note(reader, "K99", NULL, 1) == KDIAG_ERROR_ARGUMENT);
  CHECK(kdiag_reader_note(reader, NULL, NULL, 1) == KDIAG_ERROR_ARGUMENT);
  return 0;
}

static int failing_read(void *user, kdiag_reader *reader, kdiag_rows *rows, kdiag_run_info *info) {
  (void)user, (void)info;
  add_kernel(rows, 0, 1);
  kdiag_reader_fail(reader, "its index is of version 9");
  return 0;
}

static int wrong_clock_read(void *user, kdiag_reader *reader, kdiag_rows *rows, kdiag_run_info *info) {
  (void)user, (void)reader;
  add_kernel(rows, 0, 1);
  info->clock = 77;
  return 0;
}

/* Names a column that there is none of. */
static int misspelt_read(void *user, kdiag_reader *reader, kdiag_rows *rows, kdiag_run_info *info) {
  (void)user, (void)reader, (void)info;
  kdiag_rows_set_integer(rows, kdiag_rows_add(rows, "kernels"), "duration", 1);
  return 0;
}

static int append(void *user, const char *bytes, size_t size) {
  char *text = user;
  if (strlen(text) + size >= 20000) return 0;
  strncat(text, bytes, size);
  return 1;
}

static int database_sniff(void *user, const kdiag_head *head) {
  return kdiag_head_has_table(head, user) ? 99 : 0;
}

void test_adapters(const char *folder, const kdiag_rules *rules) {
  static char exported[20000];
  const char *const path = "twins.json";
  kdiag_adapter adapter = {sizeof adapter};
  const kdiag_adapter *const adapters[] = {&adapter};
  kdiag_load_options options = {sizeof options};
  kdiag_input_info info = {sizeof info};
  kdiag_note note = {sizeof note};
  kdiag_facts *facts = NULL, *abnormal = NULL;
  kdiag_map *map = NULL;
  char map_path[4096];
  FILE *file = fopen(path, "wb");
  if (file == NULL) return;
  fputs("{\"twins\": [1, 2]}", file);
  fclose(file);
  adapter.id = "twins";
  adapter.sniff_head = twin_sniff;
  adapter.read = twin_read;
  options.adapters = adapters;
  options.adapter_count = 1;
  kdiag_context_set_threads(context, 1);

  CHECK(kdiag_facts_load_path(context, path, &options, &facts) == KDIAG_OK);
  CHECK(kdiag_facts_run_count(facts) == 2);
  CHECK(kdiag_facts_input(facts, 0, &info) == KDIAG_OK && info.events == 2);
  CHECK(equals(info.producer, "run 1"));
  CHECK(kdiag_facts_note(facts, 0, 0, &note) == KDIAG_OK && note.count == 5);
  CHECK(equals(note.id, "K602") && strstr(note.text.data, "line 3") != NULL);
  kdiag_facts_free(facts);

  CHECK(kdiag_facts_export_with(context, &path, 1, &options, append, exported) == KDIAG_OK);
  CHECK(strstr(exported, "\"run 1\"") != NULL && strstr(exported, "\"run 2\"") != NULL);
  CHECK(strstr(exported, "\"world_size\": 8") != NULL);
  CHECK(kdiag_facts_export(context, &path, 1, append, exported) == KDIAG_ERROR_INPUT); /* nobody knows the format */

  CHECK(kdiag_sides_load_both(context, path, &options, &facts, &abnormal) == KDIAG_OK);
  CHECK(holds(facts, rules, "sum(kernels, dur) == 100ns") && holds(abnormal, rules, "sum(kernels, dur) == 50ns"));
  kdiag_facts_free(facts);
  kdiag_facts_free(abnormal);
  CHECK(kdiag_sides_load(context, &path, 1, &path, 1, &options, &facts, &abnormal) == KDIAG_ERROR_INPUT);
  CHECK(facts == NULL && abnormal == NULL && strstr(kdiag_last_error(context), "K733") != NULL);
  CHECK(kdiag_sides_load_both(context, path, &options, &facts, NULL) == KDIAG_ERROR_ARGUMENT);

  adapter.read = failing_read;
  CHECK(kdiag_facts_load_path(context, path, &options, &facts) == KDIAG_ERROR_INPUT);
  CHECK(strstr(kdiag_last_error(context), "'twins' of the host: its index is of version 9") != NULL);
  adapter.read = wrong_clock_read;
  CHECK(kdiag_facts_load_path(context, path, &options, &facts) == KDIAG_ERROR_INPUT);
  CHECK(strstr(kdiag_last_error(context), "there is no such clock") != NULL);
  adapter.read = misspelt_read; /* a mistake of the input, though rules have the same code for theirs */
  CHECK(kdiag_facts_load_path(context, path, &options, &facts) == KDIAG_ERROR_INPUT);
  CHECK(strstr(kdiag_last_error(context), "K301") != NULL);
  CHECK(kdiag_facts_export_with(context, &path, 1, &options, append, exported) == KDIAG_ERROR_INPUT);
  CHECK(kdiag_sides_load_both(context, path, &options, &facts, &abnormal) == KDIAG_ERROR_INPUT);
  adapter.sniff_head = NULL;
  CHECK(kdiag_facts_load_path(context, path, &options, &facts) == KDIAG_ERROR_ARGUMENT);
  adapter.sniff_head = database_sniff;
  adapter.user = (void *)"twins";
  CHECK(kdiag_facts_load_path(context, path, &options, &facts) == KDIAG_ERROR_INPUT); /* it is no database */
  CHECK(kdiag_head_bytes(NULL, NULL)[0] == 0 && kdiag_reader_head(NULL) == NULL);
  kdiag_context_set_threads(context, 0);
  remove(path);

  snprintf(map_path, sizeof map_path, "%s/maps/trainer_log.yaml", folder);
  CHECK(kdiag_map_load_path(context, map_path, &map) == KDIAG_OK);
  CHECK(kdiag_map_retain(map) == map && strcmp(kdiag_map_name(map), "trainer-log") == 0);
  kdiag_map_free(map);
  CHECK(strcmp(kdiag_map_name(map), "trainer-log") == 0);
  kdiag_map_free(map);
  CHECK(kdiag_map_load_path(context, "no/such/map.yaml", &map) != KDIAG_OK && map == NULL);
}
