// SPDX-License-Identifier: Apache-2.0
// JSON documents of rocprofv3 (`-f json`): an array of processes under "rocprofiler-sdk-tool", each with its agents,
// the names of what it traced, and one array per kind of record. Times are ns of the machine's clock since it was
// started. Spec: serialization and output writers of rocprofiler-sdk. Read record by record: documents reach gigabytes.
#include <kdiag/adapter.hpp>

#include "adapters/amd/rocprof/json_document.hpp"

namespace kdiag::adapters {
namespace {

int sniff(const Head& head) { return head.json == '{' && head.has_key("rocprofiler-sdk-tool") ? 90 : 0; }

Status read(Input& input, FactSink& sink) {
  rocprof::JsonDocument document(sink);
  read_records(input, sink, document);
  document.finish();
  return ok_status();
}

constexpr std::string_view provides[] = {"devices", "streams", "threads", "steps",       "kernels",
                                         "copies",  "api",     "ops",     "annotations", "comms"};

}  // namespace

extern const Adapter rocprof_json;
const Adapter rocprof_json{
    .id = "rocprof-json",
    .title = "JSON documents of rocprofv3: kernels, copies, calls, markers",
    .example =
        "{\"rocprofiler-sdk-tool\": [{\"metadata\": {\"pid\": 717, ...}, \"agents\": [...], \"buffer_records\": "
        "{...}}]}",
    .record = "rocprofv3 --kernel-trace --memory-copy-trace --hip-runtime-trace --marker-trace -f json -d out -- ./app",
    .provides = provides,
    .sniff = sniff,
    .read = read,
};

}  // namespace kdiag::adapters
