// SPDX-License-Identifier: Apache-2.0
// Which adapter reads an input, and what is said of one that none reads.
#include "ingest/detect.hpp"
#include "ingest/recognise.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

Status read_nothing(Input&, FactSink&) { return ok_status(); }
constexpr Adapter sure{
    "sure", "", "", "", {}, [](const Head& head) { return head.bytes.starts_with("A") ? 80 : 0; }, read_nothing};
constexpr Adapter unsure{
    "unsure",    "",
    "",          "",
    {},          [](const Head& head) { return head.bytes.starts_with("A") || head.bytes.starts_with("B") ? 10 : 0; },
    read_nothing};
constexpr const Adapter* both[] = {&unsure, &sure};

Head text(std::string_view bytes) {
  Head head;
  head.bytes = bytes;
  head.complete = true;
  return head;
}

Head json(std::string_view bytes, std::vector<std::string_view> keys) {
  Head head = text(bytes);
  head.json = bytes.front();
  head.keys = std::move(keys);
  return head;
}

Head database(std::vector<std::string> tables) {
  Head head = text("SQLite format 3");
  head.tables = std::move(tables);
  return head;
}

}  // namespace

TEST_CASE("the surest adapter reads the input", "[api][detect]") {
  CHECK(detect(text("A"), both).adapter == &sure);
  CHECK(detect(text("B"), both).adapter == &unsure);
  CHECK(detect(text("C"), both).adapter == nullptr);
  CHECK(detect(text("A"), {}).adapter == nullptr);
}

TEST_CASE("formats that are not read yet are called by their name", "[api][detect]") {
  const auto [head, name] = GENERATE(table<Head, std::string>({
      {database({"CommAnalyzerMatrix"}), "Ascend analysis"},
      {text("type,time ms,percent\nbusy_time,1.5,20\n"), "TraceLens"},
      {text("bin_start,bin_end,count\n1.9,2.0,1\n2.0,2.1,0\n"), "TraceLens"},
      {text("op category,Count,total_direct_kernel_time_ms\nGEMM,1,2\n"), "TraceLens"},
      {json("{\"job_meta\": {}, \"step_t_base\": 1, \"launch_slowdown\": {}}",
            {"job_meta", "step_t_base", "launch_slowdown"}),
       "stragglers"},
      {json("{\"trem\": 2.1, \"tadd\": 2.2, \"tori\": 2.1, \"tideal\": 1.8, \"Mw\": 0.03}",
            {"trem", "tadd", "tori", "tideal", "Mw"}),
       "stragglers"},
      {text("   Name    Self CPU %      Self CPU    # of Calls  \n"), "torch.profiler"},
      {text("   Name   Self CUDA  Self CUDA %  CUDA total  CUDA time avg\n"), "torch.profiler"},
      {text("---Overview Summary------\nTime unit: ms\nEvent Type   Calls  CPU Time  Ratio (%)\n"), "Paddle"},
      {text("----->     Profiling Report     <-----\nPlace: CPU\nTime unit: ms\n"), "Paddle"},
      {text("Profile Statistics.\nName   Total Count  Time (ms)\n"), "MXNet"},
      {text("[I] === Performance summary ===\n[I] Throughput: 310 qps\n"), "trtexec"},
      {json("[{\"children\": [], \"frame\": {\"name\": \"ROOT\"}, \"metrics\": {\"count\": 0}}]", {}), "Proton"},
      {text("[Rank 0] time (ms) | fwd_microstep: 82.4 | bwd_microstep: 120.1\n"), "DeepSpeed"},
      {text(" iteration 10/ 100 | elapsed time per iteration (ms): 812.1 |\n"), "log of training"},
      {text(
           "[loggers.py:123] Engine 000: Avg generation throughput: 81.0 tokens/s, Running: 4 reqs, Waiting: 0 reqs\n"),
       "vLLM"},
      {text("Decode batch. #running-req: 1, #token: 512, token usage: 0.00, gen throughput (token/s): 79.5\n"),
       "SGLang"},
      {text("============ Serving Benchmark Result ============\n"), "benchmark of a server"},
      {text("BACKEND_ZE | 1 Hostnames | 1 Processes |\n   Name |  Time | Time(%) | Calls |\n"), "iprof"},
      {text("== L0 Backend ==\n\nKernel, Calls, Time (ns), Time (%)\n\"k\", 1, 10, 100\n"), "unitrace"},
      {text("Elapsed Time: 9.4s\n    GPU Time, % of Elapsed time: 96.7%\n"), "VTune"},
      {text("ROCPROFV3 SUMMARY:\n"), "rocprofv3"},
      {text("GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-1)\n"), "list of GPUs"},
      {text("timestamp, pid, process_name\n"), "processes"},
      {text("\"Kind\",\"Operation\",\"Agent_Id\",\"Allocation_Size\",\"Address\",\"Start_Timestamp\"\n"),
       "allocations"},
      {text("\"Kernel Name\",\"Invocations\",\"Section Name\",\"Metric Name\"\n"), "summary of Nsight Compute"},
      {text("   ncalls  tottime  percall  cumtime  percall filename:lineno(function)\n"), "cProfile"},
      {text("|  Action              |  Mean duration (s) |  Total time (s) |\n"), "Lightning"},
      {text("Timer unit: 1e-09 s\n\nLine #      Hits         Time  Per Hit   % Time  Line Contents\n"),
       "line_profiler"},
      {text("====\nTRITON KERNELS BANDWIDTH INFO (./wk/cwkj.py)\n0.160ms  0.453 GB  2826.25GB/s\n"), "Inductor"},
      {text("l1tex__m_xbar2l1tex_read_sectors   Counter   sector   # of sectors requested\n"), "metrics"},
      {text("+----+\n| npu-smi 23.0.rc2    Version: 23.0.rc2 |\n"), "npu-smi"},
      {text("| N/A   40C    P0    60W / 250W |   5000MiB / 16000MiB |      0%      Default |\n"), "number the GPUs"},
      {text("| API | Total Time (ns) |\n|---|---|\n| `cudaMalloc` | 15,000 |\n"), "somebody made"},
      {text("    SW Power Cap     : Active\nGPU Power Readings\n    Average Power Draw   : 80.00 W\n"),
       "nvidia-smi -q"},
      {text("+----+\n| HL-SMI Version:   hl-1.15.1-fw-49.0.0.0 |\n"), "hl-smi"},
      {text("| Device ID           | 0   |\n| GPU Power (W)  | avg: 50.0 |\n"), "xpu-smi"},
      {text("GPU: 0\n    USAGE:\n        GFX_ACTIVITY: 99 %\n"), "amd-smi"},
      {text("GPU  XCP  POWER   GPU_T   MEM_T   GFX_CLK   GFX%\n"), "amd-smi"},
      {text("[  312.774536] amdgpu 0000:28:00.0: GPU reset begin!. Source:  1\n"), "kernel"},
      {text("DCU     Temp     AvgPwr     PwrCap     VRAM%      DCU%\n"), "hy-smi"},
      {text("    mthreads-gmi:1.12.1            Driver Version:2.7.0\n"), "mthreads-gmi"},
      {text("mx-smi  version: 2.1.6\n"), "mx-smi"},
      {text("+----+\n| CNMON v5.10.6 |\n"), "cnmon"},
      {text("+----+\n| IX-ML: 4.1.0       Driver Version: 4.1.0 |\n"), "ixsmi"},
      {text("TPU Chips\n"), "tpu-info"},
      {text("Stream Id,Task Id,Hit Rate,Victim Rate,Op Name\n2,3,0.5,0.1,Add\n"), "cache hits"},
      {text("Name,Input Shapes,Call Stack,Host Self Duration(us),Host Total Duration(us),Device Self Duration(us)\n"),
       "operators of an Ascend profiler"},
      {text("Name,Size(KB),Allocation Time(us),Release Time(us)\n"), "allocated"},
      {text("Component,Timestamp(us),Total Reserved(MB),Device\n"), "memory in use"},
      {json("{\"hloInfoMap\": {}, \"podStatsSequence\": {\"podStatsMap\": []}}", {"hloInfoMap"}),
       "comparison of chips"},
      {json("{\"hloModule\": {\"name\": \"m\", \"computations\": []}}", {"hloModule"}), "graph of operators"},
      {json("[{\"cols\": [{\"id\": \"stepnum\", \"type\": \"string\"}], \"rows\": []}]", {}), "page of xprof"},
      {text("GPU 0: NVIDIA A100 (UUID: GPU-9c6b)\n11.7%  proc'd: 4474 (17545 Gflop/s)   errors: 0   temps: 51 C\n"),
       "gpu-burn"},
      {text("Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n   D\\D     0      1\n"), "p2pBandwidthLatencyTest"},
      {text("nvbandwidth Version: v0.6\nBuilt from Git version: v0.6\n"), "nvbandwidth"},
      {json("{\"byCategory\": {\"name\": \"byCategory\", \"metrics\": {\"time\": 1}}}", {"byCategory"}),
       "tree of operators"},
      {text("| NVITOP 1.3.2       Driver Version: 535.104.05 |\n"), "nvitop"},
      {text("[0] NVIDIA A100-SXM4-80GB | 39\u00B0C,   0 % |     2 / 81920 MB |\n"), "gpustat"},
      {json("{\n  \"schema\": \"kdiag.report/1\"", {"schema"}), "report of kdiag"},
      {json("{\"TraceProcessEvent\": {}}", {"TraceProcessEvent"}), "JSON export of Nsight Systems"},
      {json("{\"query_time\": \"\", \"gpus\": []}", {"query_time", "gpus"}), "gpustat"},
      {text("# HELP go_goroutines Goroutines\n# TYPE go_goroutines gauge\n"), "Prometheus"},
  }));
  CAPTURE(name);
  const Diagnostic error = recognise(head);
  CHECK(error.id == "K692");
  CHECK(error.title.find(name) != std::string::npos);
  CHECK_FALSE(error.help.empty());
}

TEST_CASE("unknown inputs are described by what can be seen", "[api][detect]") {
  const auto [head, looks] = GENERATE(table<Head, std::string>({
      {json("{\"a\": 1, \"b\\u001b\": 2}", {"a", "b\x1b"}), "JSON object with keys 'a', 'b?'"},
      {json("{}", {}), "JSON object without keys"},
      {json("[\n  1,\n  2]", {}), "JSON array that begins '[ 1, 2]'"},
      {database({"songs", "albums"}), "SQLite database with tables 'songs', 'albums'"},
      {database({}), "SQLite database that has no tables or is damaged"},
      {text("time,load,heat\n1,2,3\n"), "CSV with the header 'time,load,heat'"},
      {text("time,load\n1,2\n"), "CSV with the header 'time,load'"},
      {text("\n\nHello world\nmore"), "text that begins 'Hello world'"},
      {text("Hello, world\nmore"), "text that begins 'Hello, world'"},
      {text("\u52A0\u4E0Apin \u540E\xFF\u202E\n"), "text that begins '\u52A0\u4E0Apin \u540E?\\u202e'"},
      {text("{'loss': 2.1, 'epoch': 0.01}\n"), "text that begins '{'loss': 2.1"},
      {text("[1,0]<stdout>:Hello\n"), "text that begins '[1,0]<stdout>:Hello'"},
      {text(std::string_view("\x7F"
                             "ELF\x02\x01\x01\0",
                             8)),
       "binary data that begins 7F 45 4C 46 02 01 01 00"},
      {text(" \n"), "blank"},
  }));
  const Diagnostic error = recognise(head);
  CHECK(error.id == "K691");
  CAPTURE(error.title);
  CHECK(error.title.find(looks) != std::string::npos);
}

TEST_CASE("JSON that ends inside of a value is called cut off", "[api][detect]") {
  const auto called_cut = [](std::string_view bytes, bool complete) {
    Head head = json(bytes, {"a"});
    head.complete = complete;
    return recognise(head).title.find("cut off") != std::string::npos;
  };
  CHECK(called_cut("{\"a\": [{\"b\": 1}", true));
  CHECK(called_cut("{\"a\": \"}", true));
  CHECK_FALSE(called_cut("{\"a\": \"[\\\"{\"}\n{\"a\": 2}\n", true));
  CHECK_FALSE(called_cut("{\"a\": [{\"b\": 1}", false));
}

TEST_CASE("tables of one's own are told of mappings, and nothing else is", "[api][detect]") {
  const auto speaks_of_mappings = [](const Head& head) {
    return recognise(head).help.find("--map") != std::string_view::npos;
  };
  CHECK(speaks_of_mappings(text("time,load,heat\n1,2,3\n")));
  CHECK(speaks_of_mappings(text("time,load\n1,2\n")));
  CHECK(speaks_of_mappings(text("time;load;heat\n1;2;3\n")));
  CHECK(speaks_of_mappings(text("time\tload\theat\n1\t2\t3\n")));
  CHECK(speaks_of_mappings(json("{\"a\": 1}\n{\"a\": 2}\n", {"a"})));
  CHECK_FALSE(speaks_of_mappings(json("{\"a\": 1}", {"a"})));
  CHECK_FALSE(speaks_of_mappings(json("{\n  \"a\": 1\n}\n", {"a"})));
  CHECK_FALSE(speaks_of_mappings(text("Hello world\nmore")));
  CHECK_FALSE(speaks_of_mappings(text("Hello, world\nmore")));
  CHECK_FALSE(speaks_of_mappings(database({"songs"})));
}
