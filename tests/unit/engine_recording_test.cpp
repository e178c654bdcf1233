// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>

#include <kdiag/catalogue.hpp>

#include "engine/recording.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

bool names(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("hints name the tools of the devices' maker", "[engine][recording]") {
  CHECK(names(how_to_record("samples:sm_clock", "nvidia"), "nvidia-smi"));
  CHECK(names(how_to_record("samples:sm_clock", "amd"), "amd-smi"));
  CHECK(names(how_to_record("kernels.start", "ascend"), "torch_npu.profiler"));
  CHECK(names(how_to_record("api", "cambricon"), "ProfilerActivity.MLU"));
  CHECK(names(how_to_record("samples"), "nvidia-smi"));
  CHECK(names(how_to_record("samples", "some maker"), "amd-smi"));
  CHECK(how_to_record("no such fact", "amd").empty());
}

TEST_CASE("no hint names another maker's tool, and none is left with a gap", "[engine][recording]") {
  for (const std::string_view vendor : {"", "nvidia", "amd", "ascend", "cambricon"})
    for (const TableInfo& table : catalogue_tables)
      for (const ColumnInfo& column : catalogue_columns) {
        if (column.table != table.name) continue;
        const std::string hint = how_to_record(std::string(table.name) + "." + std::string(column.name), vendor);
        CAPTURE(vendor, table.name, column.name, hint);
        CHECK_FALSE(names(hint, "{"));
        if (vendor.empty() || vendor == "nvidia") continue;
        for (const char* tool : {"nvidia-smi", "nsys", "ncu "}) CHECK_FALSE(names(hint, tool));
      }
}
