// SPDX-License-Identifier: Apache-2.0
// Recordings that a profiler writes to several files, as inputs.
#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>
#include <kdiag/tools.hpp>

#include "engine/facts/loaded_facts.hpp"
#include "tests/catch.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using kdiag::tests::ArchiveFile;
using kdiag::tests::Folder;
using kdiag::tests::integer_of;

namespace {

// Two kernels of 100 and 50 us and a collective of 30 us, 300 us after the start of a step of 1 ms.
const std::string timeline =
    R"([{"ph": "M", "name": "process_name", "pid": 1, "args": {"name": "Python"}},
{"ph": "M", "name": "process_name", "pid": 2, "args": {"name": "Ascend Hardware"}},
{"ph": "M", "name": "process_labels", "pid": 2, "args": {"labels": "NPU 3"}},
{"ph": "M", "name": "process_name", "pid": 3, "args": {"name": "HCCL"}},
{"ph": "M", "name": "process_labels", "pid": 3, "args": {"labels": "NPU 3"}},
{"ph": "M", "name": "process_name", "pid": 4, "args": {"name": "CANN"}},
{"ph": "X", "name": "ProfilerStep#5", "pid": 1, "tid": 1, "ts": "1736408883000000.000", "dur": 1000, "cat": "cpu_op"},
{"ph": "X", "name": "AscendCL@aclrtSynchronizeStream", "pid": 4, "tid": 1, "ts": "1736408883000010.000", "dur": 5},
{"ph": "X", "name": "matmul", "pid": 2, "tid": 2, "ts": "1736408883000300.000", "dur": 100, "args": {"Task Type": "AI_CORE"}},
{"ph": "X", "name": "add", "pid": 2, "tid": 2, "ts": "1736408883000400.000", "dur": 50, "args": {"Task Type": "AI_CORE"}},
{"ph": "X", "name": "hcom_allReduce__586_0_1", "pid": 3, "tid": 0, "ts": "1736408883000500.000", "dur": 30}])";
const std::string kernel_details =
    "Step Id,Name,Type,Accelerator Core,Start Time(us),Duration(us),Wait Time(us)\n"
    "5,matmul,MatMulV2,AI_CORE,1736408883000300.0\t,100,0\n"
    "5,add,Add,AI_VECTOR_CORE,1736408883000400.0\t,50,0\n"
    "5,hcom_allReduce__586_0_1,hcom_allReduce_,HCCL,1736408883000500.0\t,30,0\n";
const std::string kernel_totals =
    "OP Type,Core Type,Count,Total Time(us),Min Time(us),Avg Time(us),Max Time(us),Ratio(%)\n"
    "MatMulV2,AI_CORE,1,100,100,100,100,66\nAdd,AI_VECTOR_CORE,1,50,50,50,50,33\n";
const std::string call_totals =
    "Level,API Name,Time(us),Count,Avg(us),Min(us),Max(us),Variance\nacl,aclrtSynchronizeStream,5,1,5,5,5,0\n";
const std::string step_account =
    "Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free\n5,150,30,0,30,820\n";
const std::string collectives =
    R"json({"step5": {"p2p": {}, "collective": {"hcom_allReduce__586_0_1@77586": {"Communication Time Info":
{"Start Timestamp(us)": 1736408883000500.0, "Elapse Time(ms)": 0.03}}}}})json";

std::string info_of_rank(int rank) { return R"({"config": {}, "rank_id": )" + std::to_string(rank) + "}"; }

std::vector<ArchiveFile> recording(const std::string& folder) {
  return {{folder + "/ASCEND_PROFILER_OUTPUT/api_statistic.csv", call_totals},
          {folder + "/ASCEND_PROFILER_OUTPUT/communication.json", collectives},
          {folder + "/ASCEND_PROFILER_OUTPUT/kernel_details.csv", kernel_details},
          {folder + "/ASCEND_PROFILER_OUTPUT/op_statistic.csv", kernel_totals},
          {folder + "/ASCEND_PROFILER_OUTPUT/step_trace_time.csv", step_account},
          {folder + "/ASCEND_PROFILER_OUTPUT/trace_view.json", timeline}};
}

std::size_t note_count(const Facts& facts, std::string_view id) {
  std::size_t count = 0;
  for (const InputEntry& input : facts.inputs())
    for (const NoteEntry& note : input.notes) count += note.id == id ? 1 : 0;
  return count;
}

std::string rocprof_kernels(int correlation) {
  return "\"Kind\",\"Agent_Id\",\"Queue_Id\",\"Kernel_Name\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
         "\"KERNEL_DISPATCH\",1,1,\"gemm\"," +
         std::to_string(correlation) + ",5000,7000\n";
}
const std::string rocprof_calls =
    "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
    "\"HIP_RUNTIME_API\",\"hipLaunchKernel\",9,9,4,1000,2000\n";
const std::string rocprof_hsa_calls =
    "\"Domain\",\"Function\",\"Process_Id\",\"Thread_Id\",\"Correlation_Id\",\"Start_Timestamp\",\"End_Timestamp\"\n"
    "\"HSA_CORE_API\",\"hsa_signal_create\",9,9,3,500,600\n";
const std::string rocprof_totals =
    "\"Name\",\"Calls\",\"TotalDurationNs\",\"AverageNs\",\"Percentage\",\"MinNs\",\"MaxNs\"\n\"gemm\",1,2000,2000,100,"
    "2000,2000\n";

}  // namespace

TEST_CASE("the files of an Ascend recording are one run that counts nothing twice", "[api][recordings]") {
  const Folder folder(recording("localhost_1_ascend_pt"));
  const Result<Facts> facts = load_trace(folder.path());
  REQUIRE(facts);
  REQUIRE(facts->loaded().runs.size() == 1);
  CHECK(facts->loaded().runs[0].label == "localhost_1_ascend_pt");
  CHECK(integer_of(*facts, "count(kernels)") == 3);
  CHECK(integer_of(*facts, "count(comms)") == 1);
  CHECK(integer_of(*facts, "count(steps)") == 1);
  CHECK(integer_of(*facts, "count(devices)") == 1);
  CHECK(integer_of(*facts, "sum(kernel_stats, calls)") == 3);
  CHECK(integer_of(*facts, "sum(api_stats, calls)") == 1);
  CHECK(integer_of(*facts, "busy(kernels)") == 180'000);
  CHECK(note_count(*facts, "K708") == 5);

  const std::string path = folder.path();
  std::string text;
  REQUIRE(export_facts({&path, 1}, [&text](std::string_view piece) {
    text += piece;
    return true;
  }));
  const Result<Facts> exported = load_trace("x.facts", std::span<const char>(text));
  REQUIRE(exported);
  CHECK(integer_of(*exported, "count(notes where id == \"K708\")") == 5);
}

TEST_CASE("without a timeline the tables of an Ascend recording complete one another", "[api][recordings]") {
  std::vector<ArchiveFile> files = recording("a_ascend_pt");
  files.pop_back();
  const Folder folder(files);
  const Result<Facts> facts = load_trace(folder.path());
  REQUIRE(facts);
  REQUIRE(facts->loaded().runs.size() == 1);
  CHECK(integer_of(*facts, "count(kernels)") == 3);
  CHECK(integer_of(*facts, "count(comms)") == 1);
  CHECK(integer_of(*facts, "sum(api_stats, total)") == 5'000);
  CHECK(integer_of(*facts, "sum(kernel_stats, calls)") == 3);  // with the collective, which op_statistic.csv leaves out
}

TEST_CASE("the ranks of Ascend recordings stand beside them", "[api][recordings]") {
  std::vector<ArchiveFile> files = recording("host_1_2024_ascend_pt");
  for (ArchiveFile& file : recording("host_2_2024_ascend_pt")) files.push_back(std::move(file));
  files.push_back({"host_1_2024_ascend_pt/profiler_info_4.json", info_of_rank(4)});
  files.push_back({"host_2_2024_ascend_pt/profiler_info_5.json", info_of_rank(5)});
  const Folder folder(files);
  const Result<Facts> facts = load_trace(folder.path());
  REQUIRE(facts);
  REQUIRE(facts->loaded().runs.size() == 1);
  CHECK(facts->loaded().runs[0].label == "host_1_2024_ascend_pt and 1 more");
  CHECK(integer_of(*facts, "count(ranks where id == 4)") == 1);
  CHECK(integer_of(*facts, "count(ranks where id == 5)") == 1);
  CHECK(integer_of(*facts, "count(kernels)") == 6);
  CHECK(integer_of(*facts, "count(devices)") == 2);
  const Result<Facts> chosen = load_trace(folder.path() + "#1");
  REQUIRE(chosen);
  CHECK(integer_of(*chosen, "count(kernels)") == 6);
}

TEST_CASE("two Ascend recordings of one rank are two runs", "[api][recordings]") {
  std::vector<ArchiveFile> files = recording("before/rank0_ascend_pt");
  for (ArchiveFile& file : recording("after/rank0_ascend_pt")) files.push_back(std::move(file));
  const Folder folder(files);
  const Result<Facts> facts = load_trace(folder.path());
  REQUIRE(facts);
  CHECK(facts->loaded().runs.size() == 2);
  CHECK(note_count(*facts, "K681") == 1);
}

TEST_CASE("rocprof's files of one process are one run, given one by one", "[api][recordings]") {
  const Folder folder({{"a_kernel_trace.csv", rocprof_kernels(4)},
                       {"a_hip_api_trace.csv", rocprof_calls},
                       {"a_hsa_api_trace.csv", rocprof_hsa_calls},
                       {"a_kernel_stats.csv", rocprof_totals},
                       {"b_hip_api_trace.csv", rocprof_calls},
                       {"hip_api_trace.csv", rocprof_calls}});
  SECTION("with their calls linked") {
    const std::string paths[] = {folder.path("a_kernel_trace.csv"), folder.path("a_hip_api_trace.csv"),
                                 folder.path("a_hsa_api_trace.csv"), folder.path("a_kernel_stats.csv")};
    const Result<Facts> facts = load_traces(paths);
    REQUIRE(facts);
    REQUIRE(facts->loaded().runs.size() == 1);
    CHECK(facts->loaded().runs[0].label == "a");
    CHECK(integer_of(*facts, "count(api)") == 2);
    CHECK(integer_of(*facts, "count(kernels)") == 1);
    CHECK(integer_of(*facts, "count(kernels where launch.name == \"hipLaunchKernel\")") == 1);
    CHECK(integer_of(*facts, "sum(kernel_stats, calls)") == 1);
    CHECK(note_count(*facts, "K708") == 1);
  }
  SECTION("and no others") {
    const std::string other = GENERATE("b_hip_api_trace.csv", "hip_api_trace.csv");
    const std::string paths[] = {folder.path("a_kernel_trace.csv"), folder.path(other)};
    const Result<Facts> facts = load_traces(paths);
    REQUIRE(facts);
    CHECK(facts->loaded().runs.size() == 2);
  }
}
