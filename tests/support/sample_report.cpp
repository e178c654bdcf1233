// SPDX-License-Identifier: Apache-2.0
#include "tests/support/sample_report.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <kdiag/compare.hpp>
#include <kdiag/plan.hpp>

namespace kdiag::tests {
namespace {

ValueEntry time_value(std::int64_t ns) { return {ns, "ns"}; }
ValueEntry count_value(std::int64_t count) { return {count, "1"}; }
ValueEntry ratio_value(double ratio) { return {ratio, "ratio"}; }
ValueEntry text_value(std::string text) { return {std::move(text), "text"}; }

Report new_report() {
  Report report;
  report.version = "0.1.0";
  return report;
}

RunEntry new_run(std::string id, std::optional<std::int64_t> wall_ns, WallBasis basis) {
  RunEntry run;
  run.id = std::move(id);
  run.role = RunRole::subject;
  run.wall_ns = wall_ns;
  run.wall_basis = basis;
  return run;
}

void add_outcome(Report& report, std::string run, std::string rule, SubjectEntry subject, Outcome outcome,
                 std::vector<MissingEntry> missing = {}, std::string reason = {}, std::string nearest = {}) {
  report.outcomes.push_back({std::move(run), std::move(rule), std::move(subject), outcome, std::move(missing),
                             std::move(reason), std::move(nearest)});
  int* const counts[] = {&report.tally.failed, &report.tally.fired, &report.tally.inconclusive, &report.tally.clear,
                         &report.tally.not_applicable};
  ++*counts[static_cast<std::size_t>(outcome)];
}

Finding new_finding(std::string run, std::int64_t rank, std::string rule, Severity severity, std::string title) {
  Finding finding;
  finding.run = std::move(run);
  finding.rank = rank;
  finding.rule = std::move(rule);
  finding.severity = severity;
  finding.title = std::move(title);
  finding.share_of = ShareOf::wall;
  finding.fingerprint = "f" + finding.rule;
  finding.confidence = {0.9, "judgement", std::nullopt};
  finding.provenance = {"gpu", "gpu.yaml", 12, {}};
  return finding;
}

void set_impact(Finding& finding, std::int64_t low_ns, std::int64_t high_ns, std::int64_t whole_ns) {
  finding.impact_low_ns = low_ns;
  finding.impact_ns = high_ns;
  finding.impact_share = static_cast<double>(high_ns) / static_cast<double>(whole_ns);
}

LedgerLine ledger_line(std::string name, std::int64_t ns, std::int64_t whole_ns, std::string rule = {},
                       std::optional<std::int64_t> low_ns = {}) {
  return {std::move(name), ns, low_ns.value_or(ns), static_cast<double>(ns) / static_cast<double>(whole_ns),
          std::move(rule)};
}

const MissingEntry no_clock{
    "samples:sm_clock",
    "nvidia-smi --query-gpu=timestamp,index,clocks.sm,clocks_event_reasons.active --format=csv -lms 100"};
const MissingEntry no_kernels{"kernels.start", "torch.profiler with on_trace_ready=export_chrome_trace"};

Finding item_stall() {
  Finding stall = new_finding("A", 1, "host.sync-stall", Severity::critical, "Host waits for the device in aten::item");
  stall.subject = {"device", "0", "MLU 0"};
  set_impact(stall, 3'913'330'000, 4'545'730'000, 6'286'787'000);
  stall.gain = GainEntry{std::nullopt, 4'545'730'000, "judgement"};
  stall.gain->basis = "union";
  stall.confidence = {0.75, "judgement", std::nullopt};
  stall.message =
      "aten::item ran 492 times, 9.24 ms each on the host, 26 ns each on the device; the device had 0.58 s of work in "
      "all, "
      "so the wait is the cost of each synchronisation, not a queue of work.";
  stall.evidence = {{"calls", count_value(492)},
                    {"host_total", time_value(4'545'730'000)},
                    {"per_call", time_value(9'239'289)},
                    {"blocking_calls", {}},
                    {"operators", std::vector<RowEntry>{{{"name", text_value("aten::item")},
                                                         {"calls", count_value(492)},
                                                         {"host_total", time_value(4'545'730'000)}},
                                                        {{"name", text_value("aten::_local_scalar_dense")},
                                                         {"calls", count_value(492)},
                                                         {"host_total", time_value(4'536'654'000)}}}}};
  stall.recommendations = {
      {"Keep the value on the device; read it every N steps, or copy it with non_blocking=True.", "", "", "", ""},
      {"If the code needs it: 9 ms per synchronisation is abnormal; compare another node, driver, CPU load.", "", "",
       "outermost host time of item below 5 % of the step, or below 0.5 ms per call.", ""}};
  stall.provenance = {"host", "host.yaml", 31, {"tb-plugin"}};
  Finding symptom = new_finding("A", 1, "gpu.low-utilization", Severity::critical, "Device busy 9.18 % of the time");
  symptom.subject = stall.subject;
  set_impact(symptom, 1'164'166'000, 1'164'166'000, 6'286'787'000);
  stall.symptoms.push_back(symptom);
  return stall;
}

}  // namespace

void add_plan(Report& report) {
  RecordingPlan plan;
  for (const RunEntry& run : report.runs) {
    RunPlan of_run{.runs = {run.id}, .recordings = {}, .open = {}};
    for (const OutcomeEntry& outcome : report.outcomes) {
      if (outcome.run != run.id || outcome.outcome != Outcome::inconclusive) continue;
      if (outcome.missing.empty() || outcome.missing.front().how_to_record.empty()) {
        of_run.open.push_back({outcome.rule, outcome.reason});
        continue;
      }
      const MissingEntry& first = outcome.missing.front();
      auto recording = std::find_if(of_run.recordings.begin(), of_run.recordings.end(),
                                    [&](const PlannedRecording& one) { return one.command == first.how_to_record; });
      if (recording == of_run.recordings.end()) {
        of_run.recordings.emplace_back();
        recording = std::prev(of_run.recordings.end());
        recording->how = recording->command = first.how_to_record;
      }
      for (const MissingEntry& missing : outcome.missing)
        if (std::find(recording->facts.begin(), recording->facts.end(), missing.fact) == recording->facts.end())
          recording->facts.push_back(missing.fact);
      recording->settles.push_back(outcome.rule);
    }
    std::stable_sort(
        of_run.recordings.begin(), of_run.recordings.end(),
        [](const PlannedRecording& a, const PlannedRecording& b) { return a.settles.size() > b.settles.size(); });
    if (!of_run.recordings.empty() || !of_run.open.empty()) plan.runs.push_back(of_run);
  }
  if (!plan.runs.empty()) report.plan = std::make_shared<const RecordingPlan>(plan);
}

Report two_runs_report() {
  Report report = new_report();
  report.inputs.push_back(
      {"resnet50_ddp.txt", "tb-plugin", "PyTorch Profiler TensorBoard plugin", RunRole::subject, 412, {}});
  report.inputs[0].notes.push_back({"K650", NoteSeverity::info, "a second overview document starts another run", 1});
  RunEntry a = new_run("A", 6'286'787'000, WallBasis::phases);
  a.devices.push_back({0, std::nullopt, "", "cambricon", "MLU"});
  RunEntry b = new_run("B", 1'068'245'000, WallBasis::phases);
  b.devices.push_back({2, std::nullopt, "", "cambricon", "MLU"});
  a.label = "run 1";
  b.label = "worker1";
  report.runs = {a, b};
  report.findings.push_back(item_stall());

  Finding host = new_finding("A", 2, "host.slow-operators", Severity::medium,
                             "Operators spend 5.4x longer on the host than in run B");
  host.subject = {"device", "0", "MLU 0"};
  set_impact(host, 0, 778'361'000, 6'286'787'000);
  host.evidence_intervals = {{1'000, 2'000}, {5'000, 9'000}};
  host.evidence_intervals_total = 412;
  host.confidence = {0.6, "measured", 41};
  host.message = "aten::empty 192 us against 36 us per call, aten::conv2d 3.5x, aten::batch_norm 2.6x.";
  host.location = LocationEntry{"train/loop.py", 42, "step", "function"};
  host.recommendations = {{"Compare CPU load, frequency governor and process binding of both hosts.", "host", "",
                           "per-call times within 20 % of run B.", ""}};
  report.findings.push_back(host);

  const SubjectEntry mlu0{"device", "0", "MLU 0"};
  const SubjectEntry mlu2{"device", "2", "MLU 2"};
  add_outcome(report, "A", "host.sync-stall", mlu0, Outcome::fired);
  add_outcome(report, "A", "gpu.low-utilization", mlu0, Outcome::fired);
  add_outcome(report, "A", "host.slow-operators", mlu0, Outcome::fired);
  add_outcome(report, "A", "input.starved", mlu0, Outcome::clear, {}, "", "0 % < 10 %");
  add_outcome(report, "A", "clock.throttled", mlu0, Outcome::inconclusive, {no_clock});
  add_outcome(report, "B", "host.sync-stall", mlu2, Outcome::clear, {}, "", "9.8 % < 10 %");
  add_outcome(report, "B", "gpu.low-utilization", mlu2, Outcome::clear);
  add_outcome(report, "B", "host.slow-operators", mlu2, Outcome::clear);
  add_outcome(report, "B", "input.starved", mlu2, Outcome::clear, {}, "", "0 % < 10 %");
  add_outcome(report, "B", "clock.throttled", mlu2, Outcome::inconclusive, {no_clock});

  const std::int64_t wall_a = 6'286'787'000;
  const std::int64_t wall_b = 1'068'245'000;
  report.ledger.push_back(
      {"A",
       std::nullopt,
       0,
       LedgerBasis::phases,
       wall_a,
       {ledger_line("compute", 576'891'000, wall_a), ledger_line("communication", 9'843'000, wall_a),
        ledger_line("copy", 45'666'000, wall_a), ledger_line("memset", 0, wall_a),
        ledger_line("idle.host_sync", 4'545'730'000, wall_a, "host.sync-stall", 3'913'330'000),
        ledger_line("idle.runtime", 280'544'000, wall_a), ledger_line("idle.launch", 778'361'000, wall_a),
        ledger_line("idle.unknown", 49'752'000, wall_a)}});
  report.ledger.push_back(
      {"B",
       std::nullopt,
       2,
       LedgerBasis::phases,
       wall_b,
       {ledger_line("compute", 580'157'000, wall_b), ledger_line("communication", 2'923'000, wall_b),
        ledger_line("copy", 38'543'000, wall_b), ledger_line("idle.host_sync", 104'570'000, wall_b),
        ledger_line("idle.runtime", 9'791'000, wall_b), ledger_line("idle.launch", 315'213'000, wall_b),
        ledger_line("idle.unknown", 17'048'000, wall_b)}});
  add_plan(report);
  return report;
}

Report empty_report() { return new_report(); }

Report clean_report() {
  Report report = new_report();
  report.inputs.push_back({"decode.json.gz", "pytorch-kineto", "PyTorch Profiler", RunRole::subject, 118'204, {}});
  report.inputs[0].notes.push_back(
      {"K603", NoteSeverity::warning, "records with a missing or malformed value were skipped", 3});
  RunEntry run = new_run("1", 812'400'000, WallBasis::device);
  run.label = "decode.json.gz";
  run.scope = "rank 0, from 1.2 s";
  run.devices.push_back({0, std::nullopt, "NVIDIA H100 80GB HBM3", "nvidia", "GPU"});
  report.runs = {run};
  const SubjectEntry gpu{"device", "0", "GPU 0"};
  add_outcome(report, "1", "gpu.low-utilization", gpu, Outcome::clear, {}, "", "99.4 % >= 60 %");
  add_outcome(report, "1", "host.sync-stall", gpu, Outcome::clear);
  add_outcome(report, "1", "clock.throttled", gpu, Outcome::inconclusive, {no_clock});
  add_outcome(report, "1", "clock.power-capped", gpu, Outcome::inconclusive, {no_clock});
  add_outcome(report, "1", "memory.allocator-churn", gpu, Outcome::inconclusive, {},
              "coverage of allocations 71 %, 90 % needed");
  add_outcome(report, "1", "comm.straggler", {"run", "1", "run"}, Outcome::not_applicable);
  report.ledger.push_back({"1",
                           std::nullopt,
                           0,
                           LedgerBasis::timeline,
                           812'400'000,
                           {ledger_line("compute", 807'525'600, 812'400'000),
                            ledger_line("idle.launch", 4'874'000, 812'400'000, "launch.tiny-kernels"),
                            ledger_line("idle.unknown", 400, 812'400'000)}});
  // Two steps before the window, and 4 ms of it that are paid once.
  LedgerEntry& account = report.ledger.back();
  account.one_off = {
      {.what = "warm-up", .ns = 152'000'000, .judged = false, .rule = {}, .steps = {{0, 1}}},
      {.what = "first launches", .ns = 4'000'000, .judged = true, .rule = "launch.first-launch", .steps = {}}};
  account.rest_ns = 808'400'000;
  for (LedgerLine& line : account.lines) line.rest_ns = line.name == "idle.launch" ? 874'000 : line.ns;
  add_plan(report);
  return report;
}

Report blind_report() {
  Report report = new_report();
  report.inputs.push_back({"gpu.csv", "nvidia-smi-query", "nvidia-smi", RunRole::subject, 600, {}});
  report.runs = {new_run("1", 60'000'000'000, WallBasis::samples)};
  add_outcome(report, "1", "host.sync-stall", {"run", "1", "run"}, Outcome::inconclusive, {no_kernels});
  add_plan(report);
  return report;
}

Report telemetry_report() {
  Report report = new_report();
  report.inputs.push_back({"gpu.csv", "nvidia-smi-csv", "nvidia-smi", RunRole::subject, 600, {}});
  report.runs = {new_run("1", 60'000'000'000, WallBasis::samples)};
  for (const std::int64_t device : {0, 1})
    report.runs[0].devices.push_back({device, {}, "NVIDIA H100 80GB HBM3", "nvidia", "GPU"});
  add_outcome(report, "1", "clock.throttled", {"device", "0", "GPU 0"}, Outcome::clear);
  add_outcome(report, "1", "ecc.uncorrected", {"device", "0", "GPU 0"}, Outcome::inconclusive,
              {{"samples:ecc_uncorrected", no_clock.how_to_record}});
  TelemetryEntry busy{.run = "1", .rank = {}, .device = 0, .busy_share = 0.98, .series = {}, .clock_limits = {}};
  busy.series = {{"sm_clock", "Hz", 345e6, 1410e6, 1980e6, 1410e6, 1980e6, 1320e6},
                 {"power", "W", 70, 612, 698.5, 640, 700, 590},
                 {"temperature", "degC", 41, 72, 83, 74, {}, 70},
                 {"memory_used", "bytes", 0, 2e10, 2.5e10, 2e10, 8.5e10, 1.9e10},
                 {"gpu_util", "ratio", 0, 0.97, 1, 0.98, {}, 0.93},
                 {"ecc_corrected", "1", 0, 0, 3, 0, {}, 1}};
  busy.clock_limits = {{"sw_power_cap", 0.7}, {"none", 0.3}};
  TelemetryEntry idle{.run = "1", .rank = {}, .device = 1, .busy_share = 0, .series = {}, .clock_limits = {}};
  idle.series = {{"power", "W", 70, 70, 70, {}, 700, 70}};
  report.telemetry = {busy, idle};
  add_plan(report);
  return report;
}

Report records_report() {
  Report report = new_report();
  report.inputs.push_back({"all_reduce.log", "nccl-tests", "nccl-tests", RunRole::subject, 70, {}});
  report.runs = {new_run("1", std::nullopt, WallBasis::none)};
  add_outcome(report, "1", "comm.slow-link", {"run", "1", "run"}, Outcome::clear);
  report.recorded = {{"1", "steps", "forward", 12, 1, 750'000'000, 9'000'000'000, {}},
                     {"1", "comms", "all_reduce", 64, 2, 1'200'000, 2'100'000'000, 231e9},
                     {"1", "functions", "forward **now** <b>", 340, 34, {}, 3'100'000'000, {}},
                     {"1", "os_calls", "", 5, 0, 1'000'000, {}, {}}};
  return report;
}

Report work_report() {
  Report report = new_report();
  report.inputs.push_back({"train.json", "pytorch-kineto", "", RunRole::subject, 9000, {}});
  RunEntry run = new_run("1", 400'000'000, WallBasis::steps);
  run.devices = {{0, std::nullopt, "NVIDIA A100-SXM4-80GB", "nvidia", "GPU"},
                 {1, std::nullopt, "NVIDIA A100-SXM4-80GB", "nvidia", "GPU"}};
  report.runs = {run};
  add_outcome(report, "1", "host.sync-stall", {"device", "0", "GPU 0"}, Outcome::clear);
  WorkEntry first{.run = "1",
                  .device = 0,
                  .flops = 46.2e12,
                  .known_share = 1,
                  .rate = 115.5e12,
                  .peak_share = 0.4102,
                  .model_share = 0.3077};
  first.gaps = {{"aten::mm", "[[8944, 1024], [1024, 2816], []]", 48, 40'200'000, 25'000'000, 24.8e12},
                {"aten::copy_`|<b>", "[[16, 1", 72, 2'110'000, 787'000, {}}};
  WorkEntry second = first;
  second.device = 1;
  second.known_share = 0.82;
  second.stated_share = 0.382;
  second.model_share.reset();
  second.peak_share = 0.31;
  second.gaps.clear();
  report.work = {first, second};
  return report;
}

Report serial_report() {
  Report report = new_report();
  report.inputs.push_back({"kernels.txt", "kernel-table", "", RunRole::subject, 1204, {}});
  RunEntry run = new_run("1", std::nullopt, WallBasis::none);
  run.devices.push_back({0, std::nullopt, "", "", "GPU"});
  report.runs = {run};
  Finding layout =
      new_finding("1", 1, "layout.transpose", Severity::high, "Layout conversions use 24.1 % of kernel time");
  layout.subject = {"device", "0", "GPU 0"};
  layout.share_of = ShareOf::device_time;
  set_impact(layout, 1'404'000, 1'404'000, 5'826'000);
  layout.gain = GainEntry{702'000, 1'404'000, "scaling"};
  layout.message = "nchwToNhwcKernel ran 106 times around 53 convolutions.";
  layout.evidence = {
      {"kernels",
       std::vector<RowEntry>{
           {{"name", text_value("void cudnn::ops::nchwToNhwcKernel<__half, __half, float, true, false, "
                                "(cudnnKernelDataType_t)0>(...)")},
            {"calls", count_value(106)},
            {"total", time_value(1'104'000)},
            {"dram_util", ratio_value(0.7125)}},
           {{"name", text_value("nhwcToNchwKernel")}, {"calls", count_value(2)}, {"total", time_value(200'000)}},
           {{"name", text_value("transpose_a")}, {"calls", count_value(12'000)}, {"total", time_value(60'000)}},
           {{"name", text_value("transpose_b")}, {"calls", count_value(1)}, {"total", time_value(40'000)}}}}};
  layout.recommendations = {{"Keep tensors in channels_last end to end.", "model and input",
                             "A layer without a channels_last kernel converts back and forth.",
                             "no nchwToNhwc kernel in the next run.",
                             "https://pytorch.org/docs/stable/notes/cuda.html"}};
  report.findings.push_back(layout);
  Finding unknown = new_finding("1", 2, "kernel.low-occupancy", Severity::info, "7 kernels run at low occupancy");
  unknown.subject = {"kernel", "gemm", "gemm_64x64"};
  report.findings.push_back(unknown);
  const SubjectEntry gpu{"device", "0", "GPU 0"};
  add_outcome(report, "1", "layout.transpose", gpu, Outcome::fired);
  add_outcome(report, "1", "kernel.low-occupancy", gpu, Outcome::fired);
  for (const char* rule : {"gpu.low-utilization", "host.sync-stall", "input.starved", "launch.tiny-kernels",
                           "copy.exposed", "comm.exposed"})
    add_outcome(report, "1", rule, gpu, Outcome::inconclusive, {no_kernels});
  add_outcome(report, "1", "clock.throttled", gpu, Outcome::inconclusive,
              {no_clock, {"devices.sm_clock_avg", "ncu --section SpeedOfLight"}});
  report.ledger.push_back(
      {"1",
       std::nullopt,
       0,
       LedgerBasis::serial,
       5'826'000,
       {ledger_line("kernel.gemm", 5'626'000, 5'826'000), ledger_line("kernel.communication", 200'000, 5'826'000)}});
  add_plan(report);
  return report;
}

Report hostile_report() {
  Report report = new_report();
  report.inputs.push_back(
      {"../evil \x1b[2J/tra|ce.json", "pytorch-kineto", "`rm -rf`<script>alert(1)</script>", RunRole::subject, 1, {}});
  report.inputs[0].notes.push_back(
      {"K602", NoteSeverity::warning, "unreadable records were skipped\x07 (\xff\xfe)", 2});
  RunEntry run = new_run("1", 1'000'000, WallBasis::device);
  run.label = "worker\x1b]0;owned\x07";
  run.devices.push_back({0, std::nullopt,
                         "GPU\xe2\x80\xae"
                         "drawkcab",
                         "nvidia", "GPU"});
  report.runs = {run};
  Finding evil = new_finding(
      "1", 1, "area.name", Severity::low,
      "Kernel \x1b[31mred\x1b[0m <img src=x onerror=alert(1)> | `code` @everyone #12 [a](javascript:b) $x$");
  evil.subject = {"kernel", "k\"\\\n", "k\"\\\n\xc3\x28"};
  set_impact(evil, 50'000, 50'000, 1'000'000);
  evil.message =
      "void f<std::vector<int>>(\"quoted\")\xe2\x80\xa8next\nline\ttab \xe2\x80\x8bzero \xed\xa0\x80 surrogate "
      "\xf0\x9f\x94\xa5 fire "
      "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      "aaaaaaaaaa end";
  evil.evidence = {{"na`me|", text_value("=cmd|'/c calc'!A1\r\n``x``")},
                   {"not a number", ValueEntry{std::numeric_limits<double>::quiet_NaN(), "ns"}},
                   {"rows", std::vector<RowEntry>{{{"k|ey", text_value("a|b\x1b[0m")}}}}};
  evil.location = LocationEntry{"C:\\users\\me\\my model#1.py", 7, "<lambda>`", "line"};
  evil.recommendations = {{"- not a list\n# not a heading", "", "", "", "javascript:alert(1)"}};
  report.findings.push_back(evil);
  add_outcome(report, "1", "area.name", evil.subject, Outcome::fired);
  report.about = {{.id = "area.name",
                   .pack = "evil",
                   .summary = "[a](https://example.com) \x1b[31m" + std::string(1100, 'x'),
                   .why = "<script>alert(1)</script> @everyone\n\n# no heading",
                   .how = "`code` | \xe2\x80\xae",
                   .false_positives = {},
                   .references = {"javascript:alert(1)", "see https://example.com/\x1b[2J, and more"},
                   .tags = {"a\x07", "b", "b"}}};
  report.packs = {{"evil\x1b[0m", "1.0\n", "../evil/pack.yaml", "sha256:\xff"}};
  return report;
}

Report crowded_report() {
  Report report = new_report();
  report.inputs.push_back({"train.json", "pytorch-kineto", "PyTorch Profiler", RunRole::subject, 2'120'000, {}});
  RunEntry run = new_run("1", 10'000'000'000, WallBasis::steps);
  run.steps = 12;
  run.devices.push_back({0, std::nullopt, "NVIDIA A100-SXM4-80GB", "nvidia", "GPU"});
  report.runs = {run};
  const SubjectEntry gpu{"device", "0", "GPU 0"};
  const Severity severities[] = {Severity::critical, Severity::high, Severity::high, Severity::medium,
                                 Severity::low,      Severity::low,  Severity::info};
  const char* const rules[] = {"host.sync-stall",     "input.starved",          "copy.pageable-h2d",
                               "launch.tiny-kernels", "memory.allocator-churn", "gemm.no-tensor-cores",
                               "trace.overhead"};
  for (std::size_t i = 0; i < 7; ++i) {
    Finding finding = new_finding("1", static_cast<std::int64_t>(i) + 1, rules[i], severities[i],
                                  i == 0 ? "Host waits for the device in cudaStreamSynchronize, called by a function "
                                           "whose name is so long that it needs a second line"
                                         : "Something takes a part of the time");
    finding.subject = gpu;
    const std::int64_t impact = 4'800'000'000 / static_cast<std::int64_t>((i + 1) * (i + 1));
    set_impact(finding, impact, impact, 10'000'000'000);
    finding.gain = GainEntry{impact / 2, impact, "union"};
    finding.intervals = {{0, impact}};
    finding.intervals_total = 1;
    report.findings.push_back(finding);
    add_outcome(report, "1", rules[i], gpu, Outcome::fired);
  }
  add_outcome(report, "1", "clock.throttled", gpu, Outcome::clear);
  report.ledger.push_back(
      {"1",
       std::nullopt,
       0,
       LedgerBasis::timeline,
       10'000'000'000,
       {ledger_line("compute", 2'000'000'000, 10'000'000'000),
        ledger_line("communication", 100'000'000, 10'000'000'000), ledger_line("copy", 500'000'000, 10'000'000'000),
        ledger_line("memset", 2'000'000, 10'000'000'000),
        ledger_line("idle.host_sync", 4'800'000'000, 10'000'000'000, "host.sync-stall"),
        ledger_line("idle.data_loading", 1'200'000'000, 10'000'000'000, "input.starved"),
        ledger_line("idle.runtime", 400'000'000, 10'000'000'000),
        ledger_line("idle.launch", 900'000'000, 10'000'000'000),
        ledger_line("idle.no_work", 98'000'000, 10'000'000'000)}});
  return report;
}

Report cluster_report() {
  Report report = new_report();
  RunEntry run = new_run("1", 2'000'000'000, WallBasis::steps);
  run.steps = 5;
  Finding straggler =
      new_finding("1", 1, "comm.straggler", Severity::high, "Rank 3 keeps the others waiting in 91 % of collectives");
  straggler.subject = {"device", "rank 5 GPU 0", "rank 5 GPU 0"};
  set_impact(straggler, 0, 460'000'000, 1'990'000'000);
  for (std::int64_t rank = 0; rank < 8; ++rank) {
    report.inputs.push_back(
        {"rank" + std::to_string(rank) + ".json", "pytorch-kineto", "PyTorch Profiler", RunRole::subject, 5000, {}});
    run.devices.push_back({0, rank, "NVIDIA A100-SXM4-80GB", "nvidia", "GPU"});
    const std::int64_t wall = rank == 5 ? 1'990'000'000 : 2'000'000'000;
    const std::int64_t waiting = rank == 3 ? 20'000'000 : 400'000'000 + rank * 10'000'000;
    report.ledger.push_back({"1",
                             rank,
                             0,
                             LedgerBasis::timeline,
                             wall,
                             {ledger_line("compute", wall - waiting - 50'000'000, wall),
                              ledger_line("communication", waiting, wall, "comm.straggler"),
                              ledger_line("idle.launch", 50'000'000, wall)}});
    const std::string label = "rank " + std::to_string(rank) + " GPU 0";
    if (rank != 5 && rank != 3) straggler.also.push_back({{"device", label, label}, waiting});
    add_outcome(report, "1", "comm.straggler", {"device", label, label}, rank == 3 ? Outcome::clear : Outcome::fired);
  }
  report.runs = {run};
  report.tally = {1, 0, 0, 0, 0};
  straggler.recommendations = {{"Look at rank 3: clock, CPU load, data loading.", "", "", "", ""}};
  report.findings.push_back(straggler);
  return report;
}

Report damaged_report() {
  Report report = new_report();
  report.inputs.push_back({"cut.json", "pytorch-kineto", "PyTorch Profiler", RunRole::subject, 90'112, {}});
  report.inputs[0].notes.push_back(
      {"K600", NoteSeverity::data_loss,
       "the input ends in the middle of a record; everything before it was kept (byte 5120)", 1});
  report.inputs.push_back({"report.sqlite", "", "", RunRole::subject, 0, {}});
  report.inputs[1].notes.push_back(
      {"K609", NoteSeverity::error, "this input could not be read (a Git LFS pointer, not the file itself)", 1});
  RunEntry run = new_run("1", 300'000, WallBasis::host);
  report.runs = {run};
  add_outcome(report, "1", "gpu.low-utilization", {"run", "1", "run"}, Outcome::clear);
  add_outcome(report, "1", "my.rule", {"run", "1", "run"}, Outcome::failed, {},
              "limit of 50,000,000 row visits exceeded");
  return report;
}

Report comparison_report() {
  Report report = two_runs_report();
  report.inputs[0].role = RunRole::subject;
  report.inputs.push_back({.path = "slow.json", .adapter = "tb-plugin", .role = RunRole::baseline});
  report.runs[1].role = RunRole::baseline;
  std::erase_if(report.findings, [](const Finding& finding) { return finding.run != "A"; });
  std::erase_if(report.outcomes, [](const OutcomeEntry& outcome) { return outcome.run != "A"; });

  Comparison comparison;
  comparison.normal = "B";
  comparison.abnormal = "A";
  comparison.verdict = Verdict::improvement;
  comparison.reason = "-83 % is beyond the noise floor of 10 % assumed for so few cycles";
  comparison.cycle = {.basis = CycleBasis::steps,
                      .normal_ns = 6'286'787'000,
                      .abnormal_ns = 1'068'245'000,
                      .change = -0.83,
                      .noise_floor = 0.1,
                      .floor_basis = FloorBasis::assumed,
                      .mean_change = -0.61,
                      .normal = {.count = 1, .mean_ns = 6'286'787'000, .times_ns = {6'286'787'000}},
                      .abnormal = {.count = 2,
                                   .mean_ns = 2'468'245'000,
                                   .outliers = {{7, 3'868'245'000}},
                                   .times_ns = {1'068'245'000, 3'868'245'000}}};
  comparison.comparability = {
      .score = 0.99,
      .differences = {{"kernels", "61 names", "62 names, 97.7 % in common by calls", 0.01, DifferenceKind::calls},
                      {"cycles", "1", "2", 0}}};
  comparison.nature = Nature::cost;
  comparison.decomposed = {.of = DividedTime::cycle,
                           .basis = LedgerBasis::phases,
                           .device = 0,
                           .normal_ns = 6'286'787'000,
                           .abnormal_ns = 1'068'245'000,
                           .delta_ns = -5'218'542'000};
  comparison.decomposition = {{.name = "compute",
                               .delta_ns = 3'266'000,
                               .share = -0.0006,
                               .normal_ns = 576'891'000,
                               .abnormal_ns = 580'157'000,
                               .parts = {{.name = "new", .delta_ns = 5'000'000, .share = -0.00096},
                                         {.name = "per_call", .delta_ns = -1'734'000, .share = 0.00033}},
                               .verdict = Verdict::neutral},
                              {.name = "idle.host_sync",
                               .delta_ns = -5'221'808'000,
                               .share = 1.0006,
                               .normal_ns = 5'709'896'000,
                               .abnormal_ns = 488'088'000,
                               .verdict = Verdict::improvement}};
  comparison.changes = {{.kind = ChangeKind::kernel,
                         .name = "cncl::d2d_tnc",
                         .change = ChangeWay::appeared,
                         .calls_abnormal = 34.5,
                         .mean_abnormal_ns = 72'463.8,
                         .delta_ns = 5'000'000},
                        {.kind = ChangeKind::op,
                         .name = "aten::item",
                         .change = ChangeWay::faster,
                         .calls_normal = 492,
                         .calls_abnormal = 492,
                         .mean_normal_ns = 9'239'288.6,
                         .mean_abnormal_ns = 212'540.6,
                         .delta_ns = -4'441'160'000,
                         .waits = true}};
  comparison.unchanged = {"operators (93 names, 11,791 calls)", "time of compute (577 ms and 580 ms)"};
  comparison.finding_changes = {{.rule = "host.sync-stall",
                                 .title = "Host waits for the device in aten::item",
                                 .subject = {"device", "0", "MLU 0"},
                                 .fate = Fate::gone,
                                 .before_ns = 4'545'730'000,
                                 .after_ns = 104'570'000,
                                 .predicted_low_ns = 3'900'000'000,
                                 .predicted_high_ns = 4'545'730'000,
                                 .achieved_ns = 4'441'160'000,
                                 .gained_ns = 4'441'160'000,
                                 .verify = "sum(idle where cause == \"host_sync\", dur) / run.wall < 5%",
                                 .verified = true},
                                {.rule = "clock.throttled",
                                 .title = "SM clock below its reference",
                                 .subject = {"device", "0", "MLU 0"},
                                 .fate = Fate::not_comparable,
                                 .reason = "missing samples:sm_clock"},
                                {.rule = "host.bound",
                                 .title = "The host is too slow",
                                 .subject = {"device", "0", "MLU 0"},
                                 .fate = Fate::appeared,
                                 .after_ns = 315'000'000}};
  comparison.functions = {
      {.function = "ampere_bf16_s16816gemm",
       .metric = "gpu_sm_frequency",
       .device = "GPU 7",
       .suspicion = 1561.72,
       .beta_normal = 0.0271,
       .beta_abnormal = 0.0862,
       .z_beta = 246.52,
       .p_beta = 0,
       .u_beta = 0.001,
       .mu_normal = 1'186'875'000,
       .mu_abnormal = 210'000'000,
       .z_mu = -10.84,
       .z_log_mu = -24.52},
      {.function = "oncpu", .metric = "", .device = "Host", .beta_normal = 1.6, .beta_abnormal = 1.58}};
  report.comparison = std::make_shared<const Comparison>(std::move(comparison));
  return report;
}

Report waived_report() {
  Report report = crowded_report();
  const WaivedEntry reader{"read on purpose \x1b[31m| `x` <b>", "training-infra", "2026-12-31", "kdiag.yaml:12"};
  const WaivedEntry old{"tried out", "perf@team", "2026-06-30", "kdiag.yaml:18"};
  report.findings[0].waived = reader;
  for (std::size_t i = 0; i < report.findings.size(); ++i) report.findings[i].known = i < 3;
  report.waivers = {{report.findings[0].rule, WaiverState::used, 1, reader},
                    {"limits.*", WaiverState::expired, 2, old},
                    {"copy v1:0123456789abcdef", WaiverState::unused, 0, {"later", "", "", "kdiag.yaml:24"}}};
  report.known =
      KnownEntry{"main\x1b[0m.json",
                 3,
                 report.findings.size() - 3,
                 {{"v1:0000000000000001", "host.sync-stall", "The host waits | in `item`", Outcome::clear},
                  {"v1:0000000000000002", "clock.throttled", "SM clock below its reference", Outcome::inconclusive},
                  {"v1:0000000000000003", "house.loss-reads", "Reads 3 values a step", std::nullopt}}};
  const std::string hash = "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  report.packs = {{"house", "1.0.0", "rules/house/pack.yaml", hash}, {"limits.yaml", "", "rules/limits.yaml", hash}};
  report.runs[0].input = "train.json";
  report.about = {
      {.id = "host.sync-stall",
       .pack = "host_sync",
       .summary = "Blocking calls leave the device without work.",
       .why = "A call that waits for the device stops the host from queueing the next kernels.\nThe device "
              "runs dry.",
       .how = "Idle time blamed on a blocking call.",
       .false_positives = "Waiting for work that is still running costs nothing.",
       .references = {"PyTorch, CUDA semantics (https://pytorch.org/docs/stable/notes/cuda.html)", "a paper"},
       .tags = {"host", "latency"}}};
  return report;
}

const std::vector<SampleReport>& sample_reports() {
  static const std::vector<SampleReport> samples = {{"two_runs", two_runs_report},   {"empty", empty_report},
                                                    {"clean", clean_report},         {"blind", blind_report},
                                                    {"telemetry", telemetry_report}, {"serial", serial_report},
                                                    {"hostile", hostile_report},     {"crowded", crowded_report},
                                                    {"cluster", cluster_report},     {"damaged", damaged_report},
                                                    {"waived", waived_report},       {"comparison", comparison_report},
                                                    {"records", records_report},     {"work", work_report}};
  return samples;
}

}  // namespace kdiag::tests
