// SPDX-License-Identifier: Apache-2.0
// Which texts begin like JSON and go on like it.
#include <string_view>

#include "adapters/io/head_json.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using adapters::json_start;

TEST_CASE("JSON is told by its first characters, however it is laid out", "[adapters][json]") {
  for (const std::string_view text : {"{", "{}", " \n{\n  \"traceEvents\": [", "{\"a\": 1}\n{\"a\": 2}\n"})
    CHECK(json_start(text) == '{');
  for (const std::string_view text : {"[", "[]", "[\n{\"ph\": \"X\"}", "[{\"ph\"", "[[1, 2]]", "[\"a\", 1]", "[1, 2]",
                                      "[1,\n2]", "[-1.5]", "[null, true]", "[1, 2],\n[3]"})
    CHECK(json_start(text) == '[');
}

TEST_CASE("tags in front of a log and dictionaries of Python are no JSON", "[adapters][json]") {
  for (const std::string_view text :
       {"[INFO] profiling", "[1,0]<stdout>:Hello", "[5/8] Executing 'cuda_api_sum' stats report",
        "[2026-03-05 10:00:00] GPU 0", "[Matrix Multiply Using CUDA] - Starting...", "[rank0]: step 3", "[node7] text",
        "[36m(WorkerDict pid=7)[0m step", "[1;36m(a pid=7)", "{'loss': 2.1}", "{loss: 2.1}", "", "text", "(1)"})
    CHECK(json_start(text) == 0);
}
