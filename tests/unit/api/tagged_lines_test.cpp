// SPDX-License-Identifier: Apache-2.0
// Texts whose lines were tagged on their way, and inputs that give no row.
#include <algorithm>
#include <string>
#include <string_view>

#include <kdiag/kdiag.hpp>
#include <kdiag/note_ids.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

// A literal would bring its zero byte along.
Result<Facts> loaded(std::string_view name, std::string_view text) { return load_trace(name, text); }

bool has_note(const Facts& facts, std::string_view id) {
  const auto& notes = facts.inputs()[0].notes;
  return std::any_of(notes.begin(), notes.end(), [id](const NoteEntry& note) { return note.id == id; });
}

}  // namespace

TEST_CASE("a log is read although a launcher tagged its lines", "[api][tagged]") {
  const auto facts = loaded("gpu.csv",
                            "0: timestamp, index, utilization.gpu [%]\n"
                            "0: 2026/07/14 08:00:00.000, 0, 98 %\n"
                            "0: 2026/07/14 08:00:01.000, 0, 99 %\n");
  REQUIRE(facts);
  CHECK(facts->inputs()[0].adapter == "nvidia-smi-csv");
  CHECK(has_note(*facts, note_id::line_prefixes));
  CHECK_FALSE(has_note(*facts, note_id::no_rows));
}

TEST_CASE("a tag in brackets is no JSON", "[api][tagged]") {
  const auto facts = loaded("nccl.log",
                            "[1,0]<stdout>:#       size         count      type   redop    root     time   algbw   "
                            "busbw #wrong\n"
                            "[1,0]<stdout>:     1048576        262144     float     sum      -1    74.78   14.02   "
                            "24.54      0\n"
                            "[1,0]<stdout>:     2097152        524288     float     sum      -1    80.78   25.02   "
                            "44.54      0\n");
  REQUIRE(facts);
  CHECK(facts->inputs()[0].adapter == "nccl-tests");
  CHECK(has_note(*facts, note_id::line_prefixes));
}

TEST_CASE("of several processes the one is read that printed the table", "[api][tagged]") {
  const auto facts = loaded("serve.log",
                            "[36m(APIServer pid=1)[0m a\n[36m(APIServer pid=1)[0m b\n[36m(APIServer pid=1)[0m c\n"
                            "[36m(APIServer pid=1)[0m d\n[36m(APIServer pid=1)[0m e\n"
                            "[36m(Worker pid=2)[0m timestamp, index, utilization.gpu [%]\n"
                            "[36m(Worker pid=2)[0m 2026/07/14 08:00:00.000, 0, 98 %\n"
                            "[36m(APIServer pid=1)[0m f\n"
                            "[36m(Worker pid=2)[0m 2026/07/14 08:00:01.000, 0, 99 %\n");
  REQUIRE(facts);
  CHECK(facts->inputs()[0].adapter == "nvidia-smi-csv");
  CHECK(has_note(*facts, note_id::line_prefixes));
  CHECK(has_note(*facts, note_id::other_processes));
}

TEST_CASE("what nvprof printed is read in the comments of a program", "[api][tagged]") {
  const auto facts = loaded("intro.jl",
                            "# ==2574== Profiling result:\n"
                            "#             Type  Time(%)      Time     Calls       Avg       Min       Max  Name\n"
                            "#  GPU activities:  100.00%  247.61ms         1  247.61ms  247.61ms  247.61ms  add\n"
                            "#       API calls:  100.00%  247.8ms         1  247.8ms  247.8ms  247.8ms  cuCtxSync\n");
  REQUIRE(facts);
  CHECK(facts->inputs()[0].adapter == "nvprof");
  CHECK(has_note(*facts, note_id::line_prefixes));
  CHECK_FALSE(has_note(*facts, note_id::no_rows));
}

TEST_CASE("a kernel log is read of all nodes", "[api][tagged]") {
  const std::string node1 = "node1: [Wed Jul 31 23:14:18 2024] NVRM: Xid (PCI:0000:17:00): 31, pid=1, name=python3\n";
  const auto facts = loaded("nodes.log", node1 + node1 + node1 +
                                             "node2: [Wed Jul 31 23:16:20 2024] NVRM: Xid (PCI:0000:17:00): 79, pid=1, "
                                             "GPU has fallen off the bus.\n");
  REQUIRE(facts);
  CHECK(facts->inputs()[0].events == 4);
  CHECK_FALSE(has_note(*facts, note_id::line_prefixes));
  CHECK_FALSE(has_note(*facts, note_id::other_processes));
}

TEST_CASE("a table is read behind the tag of a process and the header of its logger", "[api][tagged]") {
  const std::string tag = "(EngineCore_DP0 pid=17) INFO 11-05 13:22:49 [gpu_worker.py:210] ";
  const auto facts = loaded("serve.log", tag + "--------  ------------  ------------  ------------\n" + tag +
                                             "    Name    Self CPU %      Self CPU    # of Calls\n" +
                                             "(APIServer pid=9) INFO 11-05 13:22:49 [launcher.py:44] listening\n" +
                                             tag + "--------  ------------  ------------  ------------\n" + tag +
                                             "aten::mm       100.00%      10.000ms             3\n" + tag +
                                             "--------  ------------  ------------  ------------\n" + tag +
                                             "Self CPU time total: 10.000ms\n");
  REQUIRE(facts);
  CHECK(facts->inputs()[0].adapter == "torch-key-averages");
  CHECK(has_note(*facts, note_id::line_prefixes));
  CHECK_FALSE(has_note(*facts, note_id::no_rows));
}

TEST_CASE("an input that gives no row says so", "[api][tagged]") {
  const auto facts = loaded("gpu.csv", "timestamp, index, utilization.gpu [%]\n");
  REQUIRE(facts);
  CHECK(has_note(*facts, note_id::no_rows));
  const std::string text = to_text(diagnose(*facts, *builtin_rules()));
  CHECK(text.find("no row of it could be read") != std::string::npos);
  CHECK(text.find("is clear") == std::string::npos);
}

TEST_CASE("messages of a logger are no log of nvidia-smi without a header", "[api][detect]") {
  const auto facts = loaded("run.log",
                            "2022-07-21 10:02:20,460 | INFO | Executing: train.py\n"
                            "2022-07-21 10:02:21,975 | INFO | Done, rc 0\n");
  REQUIRE_FALSE(facts);
  CHECK(facts.error()[0].id == "K691");
}

TEST_CASE("rows that were read and left out are not called unreadable", "[api][tagged]") {
  const auto check = [](const auto& facts) {
    REQUIRE(facts);
    CHECK(has_note(*facts, note_id::rows_without_place));
    CHECK_FALSE(has_note(*facts, note_id::no_rows));
    CHECK(to_text(diagnose(*facts, *builtin_rules())).find("has a place among the facts") != std::string::npos);
  };
  const auto without_cuda = loaded("osrt.csv",
                                   "Time (%),Total Time (ns),Num Calls,Avg (ns),Min (ns),Max (ns),Name\n"
                                   "60.0,6000,3,2000.0,1000,3000,poll\n");
  REQUIRE_FALSE(without_cuda);
  CHECK(without_cuda.error()[0].id == "K638");
  check(loaded("mig.prom",
               "DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu=\"0\",UUID=\"GPU-1\",modelName=\"NVIDIA A30\","
               "GPU_I_PROFILE=\"2g.12gb\",GPU_I_ID=\"1\"} 0.381124\n"));
  check(loaded("samples.json", R"([{"ph": "P", "name": "main", "pid": 1, "tid": 1, "ts": 1.0, "id": "0x1"}])"));
}

TEST_CASE("a document that ends within a line is told as cut, wherever that is", "[api][tagged]") {
  const std::string block =
      "```\n\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\"\n\"scale(float*)\",2,600,300.0,60.0\n``"
      "`";
  const auto is_cut = [](const std::string& name, const std::string& text) {
    const auto facts = loaded(name, text);
    REQUIRE(facts);
    return has_note(*facts, note_id::input_cut);
  };
  CHECK(is_cut("totals.md", block + "\n\nThe other process"));
  CHECK_FALSE(is_cut("totals.md", block + "\n\nThe other process has none.\n"));
  CHECK_FALSE(is_cut("totals.md", block));
  const std::string report =
      "CUDA API Statistics (nanoseconds)\n\n"
      "Time(%)      Total Time       Calls         Average         Minimum         Maximum  Name\n"
      "-------  --------------  ----------  --------------  --------------  --------------  ----------\n"
      "  100.0            3530           6           588.3             174            2234  cudaMemcpy\n\n";
  CHECK(is_cut("stats.txt", report + "Time(%)      Total Time       Calls    "));
  CHECK_FALSE(is_cut("stats.txt", report));
}

TEST_CASE("a log with a header of its own is no log of nvidia-smi without one", "[api][detect]") {
  const auto facts = loaded("gpu.csv",
                            "timestamp,gpu_number,load_pct,power_w\n"
                            "2026/03/28 07:01:15.523,0,0,71.43\n2026/03/28 07:03:15.752,0,0,70.61\n");
  REQUIRE_FALSE(facts);
  CHECK(facts.error().front().id == "K691");
  CHECK(facts.error().front().help.find("--map") != std::string::npos);
}
