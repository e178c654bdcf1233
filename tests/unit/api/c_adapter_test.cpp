// SPDX-License-Identifier: Apache-2.0
// Adapters of C hosts on databases, which C99 alone cannot make.
#include <string>

#include <sqlite3.h>

#include <kdiag/kdiag.h>

#include "tests/catch.hpp"
#include "tests/support/folder.hpp"

namespace {

std::string seen_file;  ///< of the last read

int sniff_twins(void*, const kdiag_head* head) {
  return kdiag_head_has_table(head, "twins") != 0 && kdiag_head_has_table(head, "others") == 0 ? 99 : 0;
}

int read_one_kernel(void*, kdiag_reader* reader, kdiag_rows* rows, kdiag_run_info*) {
  seen_file = kdiag_reader_file(reader);
  const kdiag_row kernel = kdiag_rows_add(rows, "kernels");
  kdiag_rows_set_integer(rows, kernel, "dur", 7);
  return 0;
}

}  // namespace

TEST_CASE("an adapter of a C host knows a database by its tables and is told where it lies", "[api][builder]") {
  const kdiag::tests::Folder folder({});
  const std::string path = folder.path("twins.db");
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  REQUIRE(sqlite3_exec(database, "CREATE TABLE twins (id INTEGER)", nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  kdiag_adapter adapter{};
  adapter.size = sizeof adapter;
  adapter.id = "twins";
  adapter.sniff_head = sniff_twins;
  adapter.read = read_one_kernel;
  const kdiag_adapter* const adapters[] = {&adapter};
  kdiag_load_options options{};
  options.size = sizeof options;
  options.adapters = adapters;
  options.adapter_count = 1;
  kdiag_context* context = nullptr;
  REQUIRE(kdiag_context_new(&context) == KDIAG_OK);
  kdiag_facts* facts = nullptr;
  CHECK(kdiag_facts_load_path(context, path.c_str(), &options, &facts) == KDIAG_OK);
  CHECK(seen_file == path);
  CHECK(kdiag_facts_run_count(facts) == 1);
  kdiag_facts_free(facts);
  kdiag_context_free(context);
}
