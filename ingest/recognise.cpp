// SPDX-License-Identifier: Apache-2.0
#include "ingest/recognise.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>

#include <kdiag/refusal_ids.hpp>

#include "base/escape.hpp"
#include "base/utf8.hpp"

namespace kdiag {
namespace {

/// A format that is known by its content but not read. All of `marks` must occur.
struct Refused {
  enum class Kind : std::uint8_t {
    sqlite,  ///< marks: how table names begin
    object,  ///< marks: keys of a JSON object
    json,    ///< marks: anywhere in the beginning of JSON
    text,    ///< marks: anywhere in the beginning of anything else, which is searched without its quotes
  };
  Kind kind;
  std::array<std::string_view, 2> marks;
  std::string_view name;
  std::string_view help = {};  ///< what to give instead
};

constexpr std::string_view torch_only =
    "Record with torch.profiler, with the device's activities (ProfilerActivity.CUDA or its own).";
constexpr std::string_view use_query =
    "Record telemetry with nvidia-smi --query-gpu=timestamp,index,clocks.sm,utilization.gpu,power.draw --format=csv "
    "-lms 100.";
constexpr std::string_view use_amd_smi = "Record with `amd-smi metric --json` or `--csv`; repeat it for a series.";
constexpr std::string_view use_xpu_smi = "Record with `xpu-smi dump -d -1 -m 0,1,2,3,5,18 -i 1`.";
constexpr std::string_view use_nsys =
    "Record with `nsys profile` and give what `nsys export -t sqlite FILE.nsys-rep` writes.";
constexpr std::string_view use_nccl_tests =
    "Record with nccl-tests (all_reduce_perf -b 8 -e 8G -f 2 -g 8), whose collectives kdiag compares with the links.";
constexpr std::string_view use_iprof = "Record a timeline with `iprof -l -- ./app` and give its .pftrace file.";
constexpr std::string_view use_jax =
    "Record with jax.profiler or torch_xla's profiler and give plugins/profile/*/*.xplane.pb.";
constexpr std::string_view use_paddle =
    "Give the timeline that paddle.profiler.export_chrome_tracing(\"log\") writes; `kdiag formats` lists others.";
constexpr std::string_view use_mxnet =
    "Give the timeline that mx.profiler.dump() writes to the file of mx.profiler.set_config(filename=...).";
constexpr std::string_view use_server =
    "Record the server with torch.profiler (vLLM: VLLM_TORCH_PROFILER_DIR, SGLang: SGLANG_TORCH_PROFILER_DIR), or with "
    "nsys.";
constexpr std::string_view use_ascend_folder =
    "Give the folder that it lies in, with trace_view.json and kernel_details.csv.";
constexpr std::string_view use_original = "Give the trace that it was made of.";

using enum Refused::Kind;
// First match wins: the more special stand first. Signatures: what the tools' own writers print.
constexpr Refused refused[] = {
    {sqlite, {"CommAnalyzer"}, "an Ascend analysis database of bandwidths alone"},
    {json,
     {"\"kdiag.report/"},
     "a report of kdiag",
     "Give the trace that it was made of; --known compares with a report."},
    {object, {"schema", "nodes"}, "a PyTorch execution trace (a graph without times)", torch_only},
    {object, {"segments", "device_traces"}, "a snapshot of PyTorch's memory", torch_only},
    {object, {"query_time", "gpus"}, "what gpustat prints", use_query},
    {object, {"$schema", "profiles"}, "a speedscope profile of the host", torch_only},
    {json, {"\"resultType\"", "\"metric\""}, "an answer of the Prometheus HTTP API", use_query},
    {json, {"\"TraceProcessEvent\""}, "a JSON export of Nsight Systems", use_nsys},
    {json, {"\"cols\"", "\"stepnum\""}, "a table that a page of xprof shows", use_jax},
    {json, {"\"byCategory\"", "\"metrics\""}, "a tree of operators that a page of xprof shows", use_jax},
    {json, {"\"podStatsSequence\""}, "a comparison of chips that a page of xprof shows", use_jax},
    {json, {"\"hloModule\"", "\"computations\""}, "a graph of operators that a page of xprof shows", use_jax},
    {json,
     {"\"metrics\"", "\"frame\""},
     "a tree of scopes of Triton's Proton",
     "Record a timeline: proton.start(NAME, data=\"trace\"), torch.profiler, or nsys."},
    {object, {"launch_slowdown", "step_t_base"}, "a what-if analysis of stragglers", use_original},
    {object, {"tideal", "tori"}, "a what-if analysis of stragglers", use_original},
    {text, {"_matching_event", "Event Type"}, "a table of events that Pipit made of a trace", use_original},
    {text, {"bin_start,bin_end,count"}, "a table that TraceLens made of a trace", use_original},
    {text, {"type,time ms,percent"}, "a table that TraceLens made of a trace", use_original},
    {text, {"total_direct_kernel_time"}, "a table that TraceLens made of a trace", use_original},
    {text, {"Parent op category", "Kernel duration"}, "a table that TraceLens made of a trace", use_original},
    {text, {"Stream Id,Task Id,Hit Rate"}, "a table of cache hits of an Ascend profiler", use_ascend_folder},
    {text,
     {"Host Self Duration(us)", "Device Self Duration(us)"},
     "a table of operators of an Ascend profiler without their start",
     use_ascend_folder},
    {text,
     {"Allocation Time(us)", "Release Time(us)"},
     "a table of what operators of an Ascend profiler allocated",
     use_ascend_folder},
    {text, {"Component,Timestamp(us),"}, "a table of memory in use of an Ascend profiler", use_ascend_folder},
    {text,
     {"Self CPU %", "# of Calls"},
     "a table of totals of torch.profiler without the host's times or the calls, or whose columns cannot be told apart",
     "Give its lines as they were printed, with those of dashes, or the timeline: "
     "prof.export_chrome_trace(\"trace.json\")."},
    {text,
     {"Self CUDA %", "CUDA time avg"},
     "a table of totals of torch.profiler without the host's times or the calls, or whose columns cannot be told apart",
     "Give all of its columns as they were printed, or the timeline: prof.export_chrome_trace(\"trace.json\")."},
    {text, {"Summary----", "Time unit: "}, "a summary that Paddle's profiler printed", use_paddle},
    {text, {"Profiling Report", "Time unit: "}, "a summary that Paddle's profiler printed", use_paddle},
    {text, {"Profile Statistics", "Total Count"}, "a table that MXNet's profiler printed", use_mxnet},
    {text,
     {"=== Performance summary ===", "Throughput"},
     "a summary of trtexec without the time of inferences on the device",
     use_nsys},
    {text, {"time (ms) | fwd"}, "times of steps that DeepSpeed logged", torch_only},
    {text, {"DeepSpeed Flops Profiler"}, "a summary of DeepSpeed's flops profiler", torch_only},
    {text, {"elapsed time per iteration (ms)"}, "a log of training with times of steps", torch_only},
    {text, {"Avg generation throughput: ", " reqs"}, "a log of vLLM with its throughput", use_server},
    {text, {"#running-req: ", "gen throughput"}, "a log of SGLang with its throughput", use_server},
    {text, {"Serving Benchmark Result"}, "what a benchmark of a server printed", use_server},
    {text, {" Hostnames | ", "Time(%) | Calls"}, "a tally that THAPI's iprof printed", use_iprof},
    {text, {"== L0 Backend ==", "Kernel,"}, "a summary that unitrace printed", use_iprof},
    {text, {"GPU Time, % of Elapsed"}, "a summary that VTune printed", use_iprof},
    {text,
     {"ROCPROFV3 SUMMARY"},
     "a summary that rocprofv3 printed",
     "Record with `rocprofv3 --sys-trace --output-format csv` and give its files."},
    {text,
     {"Allocation_Size,Address"},
     "a table of rocprofv3 on allocations alone",
     "Give the tables of kernels and copies beside it, too."},
    {text,
     {"Invocations,Section Name"},
     "a summary of Nsight Compute",
     "Run `ncu --import FILE.ncu-rep --csv --page raw > FILE.csv` and pass the .csv file."},
    {text, {"ncalls  tottime", "cumtime"}, "a profile of Python on the host (cProfile)", torch_only},
    {text, {"Action ", "Mean duration (s)"}, "a report of Lightning's simple profiler", torch_only},
    {text, {"Timer unit: ", "Line #"}, "a profile of Python's lines (line_profiler)", torch_only},
    {text,
     {"TRITON KERNELS BANDWIDTH INFO"},
     "a table of the bandwidths of Triton's kernels that PyTorch Inductor logged",
     torch_only},
    {text,
     {"l1tex__", "# of sectors requested"},
     "a list of the metrics that Nsight Compute knows",
     "Profile with `ncu --set full ./app` and give what `ncu --import FILE.ncu-rep --csv --page raw` writes."},
    {text,
     {"| npu-smi "},
     "what npu-smi info prints",
     "Record with msprof or torch_npu.profiler, and telemetry with `npu-smi info watch -d 1`."},
    {text,
     {"| HL-SMI "},
     "what hl-smi prints",
     "Record telemetry with hl-smi --query-aip=timestamp,index,uuid,name,utilization.aip,temperature.aip,memory.used,"
     "memory.total,power.draw --format=csv -l 1."},
    {text, {"| Device ID ", "GPU "}, "what xpu-smi prints", use_xpu_smi},
    {text, {"| AMD-SMI "}, "what amd-smi prints", use_amd_smi},
    {text, {"GFX_ACTIVITY: "}, "what amd-smi prints", use_amd_smi},
    {text, {"GFX_CLK ", "POWER "}, "what amd-smi prints", use_amd_smi},
    {text, {"amdgpu 0000:"}, "a log of the Linux kernel with messages of AMD's driver", use_amd_smi},
    {text, {"DCU%", "VRAM%"}, "what hy-smi prints", torch_only},
    {text, {"mthreads-gmi"}, "what mthreads-gmi prints", torch_only},
    {text, {"MTBios"}, "what mthreads-gmi prints", torch_only},
    {text, {"mx-smi "}, "what mx-smi prints", torch_only},
    {text, {"| MX-SMI "}, "what mx-smi prints", torch_only},
    {text, {"| IX-ML: "}, "what ixsmi prints", torch_only},
    {text, {"| CNMON "}, "what cnmon prints", torch_only},
    {text, {"TPU Chips"}, "what tpu-info prints", use_jax},
    {text, {"TPU Runtime Utilization"}, "what tpu-info prints", use_jax},
    {text, {"NVITOP "}, "what nvitop prints", use_query},
    {text, {"\u00B0C,", " MB |"}, "what gpustat prints", use_query},
    {text, {"pid, process_name"}, "a log of processes on GPUs", use_query},
    {text,
     {"SW Power Cap ", "Power Draw "},
     "a part of a report of nvidia-smi -q without the line that names its GPU",
     use_query},
    {text,
     {"SW Power Cap ", "HW Slowdown "},
     "a part of a report of nvidia-smi -q without the line that names its GPU",
     use_query},
    {text, {" layerType: ", " execType: "}, "times of layers that OpenVINO prints (benchmark_app -pc)", torch_only},
    {text, {"MiB |", "%      Default |"}, "rows of nvidia-smi without those that number the GPUs", use_query},
    {text, {"Total Time (ns)", "| `cuda"}, "a table that somebody made of totals of Nsight Systems", use_nsys},
    {text, {" Gflop/s)", "errors: "}, "what gpu-burn prints", use_query},
    {text, {"Bandwidth Matrix (GB/s)"}, "what p2pBandwidthLatencyTest prints", use_nccl_tests},
    {text, {"nvbandwidth Version"}, "what nvbandwidth prints", use_nccl_tests},
    {text, {"(UUID: GPU-", "Link 0: "}, "the state of NVLink (nvidia-smi nvlink -s)", use_nccl_tests},
    {text, {"(UUID: GPU-"}, "a list of GPUs", use_query},
    {text, {"CPU Affinity", "NUMA Affinity"}, "a table of how GPUs are connected", use_query},
    {text, {"NCCL INFO"}, "a debug log of NCCL", torch_only},
    {text,
     {"brain.Event:2"},
     "a TensorBoard event file",
     "Give the traces beside it: plugins/profile/*/*.xplane.pb, or *.pt.trace.json."},
    {text, {"<!DOCTYPE html"}, "a page of the web", "Download the file itself, not the page that shows it."},
    {text, {"<!doctype html"}, "a page of the web", "Download the file itself, not the page that shows it."},
    {text, {"# HELP ", "# TYPE "}, "a Prometheus page", use_query},
};

bool is_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    return c == '\n' || c == '\r' || c == '\t' || static_cast<unsigned char>(c) >= 0x20;
  });
}
bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }
bool is_database(const Head& head) { return head.bytes.starts_with("SQLite format 3"); }
bool any_begins(const std::vector<std::string>& names, std::string_view mark) {
  return std::any_of(names.begin(), names.end(), [mark](const std::string& name) { return name.starts_with(mark); });
}

const Refused* find_refused(const Head& head) {
  const bool is_sqlite = is_database(head);
  std::string unquoted;
  if (head.json == 0 && !is_sqlite)
    std::copy_if(head.bytes.begin(), head.bytes.end(), std::back_inserter(unquoted), [](char c) { return c != '"'; });
  const auto found = std::find_if(std::begin(refused), std::end(refused), [&](const Refused& format) {
    if (is_sqlite != (format.kind == sqlite) || (head.json != 0) != (format.kind == object || format.kind == json))
      return false;
    return std::all_of(format.marks.begin(), format.marks.end(), [&](std::string_view mark) {
      if (mark.empty()) return true;
      if (format.kind == object) return head.has_key(mark);
      if (format.kind == sqlite) return any_begins(head.tables, mark);
      return contains(format.kind == text ? std::string_view(unquoted) : head.bytes, mark);
    });
  });
  return found == std::end(refused) ? nullptr : found;
}

// --- What can be seen of an unknown input -------------------------------------------------------------------------

constexpr std::size_t snippet_length = 60;

/// The beginning of a text in quotes: white space as one blank, everything else that a terminal might act on replaced.
std::string snippet(std::string_view text) {
  std::string shown = "'";
  for (std::size_t at = 0, length = 0; at < text.size(); ++length) {
    if (length == snippet_length) return visible(shown) + "...'";
    const CodePoint point = code_point_at(text, at);
    const std::string_view bytes = text.substr(at, point.length);
    at += point.length;
    if (bytes.find_first_of(" \t\r\n") == std::string_view::npos)
      shown += point.valid && point.value > 0x20 && point.value != 0x7F ? bytes : "?";
    else if (shown.back() != ' ') shown += ' ';
  }
  return visible(shown) + "'";
}

std::string_view first_line(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  text.remove_prefix(begin);
  return text.substr(0, text.find_first_of("\r\n"));
}

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789ABCDEF";
  std::string shown;
  for (char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (!shown.empty()) shown += ' ';
    shown += digits[byte >> 4U];
    shown += digits[byte & 15U];
  }
  return shown;
}

/// "keys 'a', 'b', ...", the first of the names.
template <class Names>
std::string few_of(std::string_view what, const Names& names) {
  constexpr std::size_t most = 6;
  std::string text = std::string(what) + (names.size() == 1 ? " " : "s ");
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) text += (i > 0 ? ", " : "") + snippet(names[i]);
  return text + (names.size() > most ? ", ..." : "");
}

/// Whether JSON ends inside of a value.
bool ends_inside(std::string_view json) {
  std::size_t open = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_text && c == '\\') ++at;
    else if (c == '"') in_text = !in_text;
    else if (in_text) continue;
    else if (c == '{' || c == '[') ++open;
    else if ((c == '}' || c == ']') && open > 0) --open;
  }
  return in_text || open > 0;
}

std::string json_looks(const Head& head) {
  if (head.json == '[') return "a JSON array that begins " + snippet(head.bytes);
  if (head.keys.empty()) return "a JSON object without keys";
  return "a JSON object with " + few_of("key", head.keys);
}

std::string database_looks(const Head& head) {
  if (head.tables.empty()) return "an SQLite database that has no tables or is damaged";
  return "an SQLite database with " + few_of("table", head.tables);
}

/// Whether the first line divides three columns by a separator; or two, as the line behind it does.
bool has_columns(std::string_view text, char separator) {
  const std::string_view line = first_line(text);
  const auto count = std::count(line.begin(), line.end(), separator);
  if (count != 1) return count > 1;
  text.remove_prefix(static_cast<std::size_t>(line.data() + line.size() - text.data()));
  const std::string_view next = first_line(text);
  return std::count(next.begin(), next.end(), separator) == count;
}

bool is_csv(std::string_view text) { return has_columns(text, ','); }

/// What a mapping may be written for: columns of a table, or lines of JSON.
bool may_be_mapped(const Head& head) {
  const std::string_view line = first_line(head.bytes);
  if (head.json == '{') return line.ends_with('}') && line.size() < head.bytes.size();
  return head.json == 0 && is_text(head.bytes.substr(0, 512)) &&
         (is_csv(head.bytes) || has_columns(head.bytes, ';') || has_columns(head.bytes, '\t'));
}

std::string_view help_for(const Head& head) {
  return may_be_mapped(head)
             ? "`kdiag formats` lists what is read and how to record it; a mapping reads tables of your "
               "own (--map, docs/custom-formats.md)."
             : "`kdiag formats` lists what is read and how to record it.";
}

std::string looks_like(const Head& head) {
  if (head.json != 0) return json_looks(head);
  if (is_database(head)) return database_looks(head);
  const std::string_view line = first_line(head.bytes);
  if (line.empty()) return "blank";
  if (!is_text(head.bytes.substr(0, 512))) return "binary data that begins " + hex(head.bytes.substr(0, 8));
  if (head.json == 0 && is_csv(head.bytes)) return "CSV with the header " + snippet(line);
  return "text that begins " + snippet(line);
}

}  // namespace

Diagnostic recognise(const Head& head) {
  const Refused* format = find_refused(head);
  Diagnostic error;
  error.id = format == nullptr ? refusal_id::unknown_format : refusal_id::format_not_read;
  error.title = format == nullptr
                    ? "not a trace format that kdiag recognises: it is " + looks_like(head)
                    : "this is " + std::string(format->name) + ", which this version of kdiag does not read";
  error.help = format != nullptr && !format->help.empty() ? format->help : help_for(head);
  if (head.json != 0 && head.complete && ends_inside(head.bytes)) {
    error.title += "; it is cut off, since it ends inside of a value";
    error.help = "Copy the file again, or wait until it is written to its end. " + error.help;
  }
  return error;
}

std::string beginning(const Head& head) {
  const std::string_view line = first_line(head.bytes);
  return is_database(head) || line.empty() || !is_text(head.bytes.substr(0, 512)) ? std::string() : snippet(line);
}

std::vector<std::string_view> refused_formats() {
  std::vector<std::string_view> names;
  for (const Refused& format : refused)
    if (std::find(names.begin(), names.end(), format.name) == names.end()) names.push_back(format.name);
  return names;
}

}  // namespace kdiag
